package io.rns.client.http;

import io.rns.xml.XmlBuffer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The head of the requests to one address: the same for all but for the length of the message, so it is made once.
 * Bytes are ready for {@link #write}; immutable.
 */
final class RequestHead {
  private static final byte[] END = "\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private static final byte[] COLON = ": ".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] LINE = "\r\n".getBytes(StandardCharsets.US_ASCII);

  private final byte[] bytes;

  RequestHead(URI uri) {
    // What a URI has raw is ASCII, without spaces and line ends, but for letters that it leaves as they are.
    URI ascii = URI.create(uri.toASCIIString());
    String path = ascii.getRawPath().isEmpty() ? "/" : ascii.getRawPath();
    String query = ascii.getRawQuery() == null ? "" : "?" + ascii.getRawQuery();
    this.bytes =
        ("POST " + path + query + " HTTP/1.1\r\n"
            + "Host: " + uri.getRawAuthority() + "\r\n"
            + "Content-Type: text/xml; charset=utf-8\r\n"
            + "SOAPAction: \"\"\r\n"
            + "Content-Length: ")
            .getBytes(StandardCharsets.US_ASCII);
  }

  /** Writes a request, with another header if there is one. */
  void write(XmlBuffer message, MessageAuthentication.@Nullable Header other, OutputStream out) throws IOException {
    out.write(bytes);
    out.write(Integer.toString(message.length()).getBytes(StandardCharsets.US_ASCII));
    if (other != null) {
      out.write(LINE);
      out.write(other.name().getBytes(StandardCharsets.US_ASCII));
      out.write(COLON);
      out.write(other.value().getBytes(StandardCharsets.US_ASCII));
    }
    out.write(END);
    message.writeTo(out);
    out.flush();
  }
}
