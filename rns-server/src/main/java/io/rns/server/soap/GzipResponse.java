package io.rns.server.soap;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** A response that compresses what is written, unless it is known to be short. To be closed by {@link #finish}. */
final class GzipResponse extends HttpServletResponseWrapper {
  /** What is shorter goes in one packet anyway. */
  static final int SHORT_BYTES = 1_024;

  private final Body body = new Body();
  private long length = -1;

  GzipResponse(HttpServletResponse response) {
    super(response);
    // Also of short responses, which are plain for every client: caches cannot know that.
    response.addHeader("Vary", "Accept-Encoding");
  }

  /** The response that it writes to. */
  HttpServletResponse plain() {
    return (HttpServletResponse) getResponse();
  }

  /** Writes to another response instead, as long as nothing is written. */
  GzipResponse over(HttpServletResponse response) {
    setResponse(response);
    return this;
  }

  @Override
  public void setContentLength(int bytes) {
    length = bytes;
  }

  @Override
  public void setContentLengthLong(long bytes) {
    length = bytes;
  }

  @Override
  public ServletOutputStream getOutputStream() {
    return body;
  }

  /** Writes what is still to be written. */
  void finish() throws IOException {
    if (body.zip != null) {
      body.zip.close(); // which also gives back its memory outside of the heap
    } else if (body.out == null && length >= 0) {
      super.setContentLengthLong(length);
    }
  }

  private OutputStream open() throws IOException {
    ServletOutputStream plain = super.getOutputStream();
    if (length >= 0 && length < SHORT_BYTES) {
      super.setContentLengthLong(length);
      return plain;
    }
    setHeader("Content-Encoding", "gzip");
    body.zip = new GZIPOutputStream(plain, SHORT_BYTES);
    return body.zip;
  }

  private final class Body extends ServletOutputStream {
    private @Nullable OutputStream out;
    private @Nullable GZIPOutputStream zip;

    private OutputStream out() throws IOException {
      OutputStream known = out;
      if (known == null) {
        known = open();
        out = known;
      }
      return known;
    }

    @Override
    public void write(int one) throws IOException {
      out().write(one);
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
      out().write(bytes, offset, count);
    }

    @Override
    public void flush() throws IOException {
      if (out != null) {
        out.flush();
      }
    }

    @Override
    public void close() throws IOException {
      finish();
      super.close();
    }

    @Override
    public boolean isReady() {
      try {
        return plain().getOutputStream().isReady();
      } catch (IOException e) {
        return false;
      }
    }

    @Override
    public void setWriteListener(WriteListener listener) {
      throw new IllegalStateException("responses are written at once: no listener is called");
    }
  }
}
