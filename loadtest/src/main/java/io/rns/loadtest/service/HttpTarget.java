package io.rns.loadtest.service;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** An address to which SOAP messages are posted. */
public record HttpTarget(URI url) {
  private static final int HTTP_PORT = 80;

  public static HttpTarget of(String url) {
    try {
      URI uri = new URI(url);
      if ("http".equals(uri.getScheme()) && uri.getHost() != null) {
        return new HttpTarget(uri);
      }
    } catch (URISyntaxException e) {
      throw new RnsException(RnsError.INVALID_REQUEST, "'" + url + "' is no URL", e);
    }
    throw new RnsException(
        RnsError.INVALID_REQUEST,
        "'" + url + "': the load generator takes URLs of the form http://HOST:PORT/PATH only");
  }

  public HttpTarget at(String path) {
    return new HttpTarget(url.resolve(path));
  }

  public InetSocketAddress address() {
    return new InetSocketAddress(url.getHost(), url.getPort() < 0 ? HTTP_PORT : url.getPort());
  }

  /** The whole request that posts a SOAP 1.1 message. */
  public byte[] post(byte[] message) {
    String head =
        "POST " + url.getRawPath() + " HTTP/1.1\r\n"
            + "Host: " + url.getRawAuthority() + "\r\n"
            + "Content-Type: text/xml; charset=utf-8\r\n"
            + "SOAPAction: \"\"\r\n"
            + "Content-Length: " + message.length + "\r\n\r\n";
    return ByteBuffer.allocate(head.length() + message.length).put(head.getBytes(StandardCharsets.ISO_8859_1))
        .put(message)
        .array();
  }
}
