package io.rns.server.soap;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request whose body has been read: the same bytes once more. Valid until its {@link SoapScratch} goes back. */
final class ReplayedRequest extends HttpServletRequestWrapper {
  private final Body body;
  private final int length;
  private final String type;

  /** The body is UTF-8 whatever it was, but for a message with attachments. */
  ReplayedRequest(HttpServletRequest request, SoapScratch read, ContentType type) {
    super(request);
    this.type =
        type.kind() == ContentType.Kind.MULTIPART ? request.getContentType() : PlainFault.contentType(type.version());
    this.length = read.length;
    this.body = new Body(new ByteArrayInputStream(read.body, 0, read.length));
  }

  /** The body as it was read: no longer coded. */
  @Override
  public @Nullable String getHeader(String name) {
    if (name.equalsIgnoreCase("Content-Type")) {
      return type;
    }
    return name.equalsIgnoreCase("Content-Encoding") ? null : super.getHeader(name);
  }

  @Override
  public Enumeration<String> getHeaders(String name) {
    String value = getHeader(name);
    boolean ours = name.equalsIgnoreCase("Content-Type") || name.equalsIgnoreCase("Content-Encoding");
    return ours ? Collections.enumeration(value == null ? List.of() : List.of(value)) : super.getHeaders(name);
  }

  @Override
  public String getContentType() {
    return type;
  }

  @Override
  public int getContentLength() {
    return length;
  }

  @Override
  public long getContentLengthLong() {
    return length;
  }

  @Override
  public ServletInputStream getInputStream() {
    return body;
  }

  @Override
  public BufferedReader getReader() {
    String encoding = getCharacterEncoding();
    Charset charset = encoding == null ? StandardCharsets.ISO_8859_1 : Charset.forName(encoding);
    return new BufferedReader(new InputStreamReader(body, charset));
  }

  private static final class Body extends ServletInputStream {
    private final ByteArrayInputStream bytes;

    Body(ByteArrayInputStream bytes) {
      this.bytes = bytes;
    }

    @Override
    public int read() {
      return bytes.read();
    }

    @Override
    public int read(byte[] target, int offset, int length) {
      return bytes.read(target, offset, length);
    }

    @Override
    public int available() {
      return bytes.available();
    }

    @Override
    public boolean isFinished() {
      return bytes.available() == 0;
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setReadListener(ReadListener listener) {
      throw new IllegalStateException("the body has already arrived: no listener is called");
    }
  }
}
