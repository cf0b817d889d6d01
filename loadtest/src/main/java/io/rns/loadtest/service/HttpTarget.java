package io.rns.loadtest.service;

import io.rns.client.http.TlsTrust;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.http.LoadAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * An address to which SOAP messages are posted.
 *
 * @param trust the certificates accepted there, with HTTPS
 * @param authorization the value of the header {@code Authorization}; empty for none
 */
public record HttpTarget(URI url, TlsTrust trust, Optional<String> authorization) {
  private static final int HTTP_PORT = 80;
  private static final int HTTPS_PORT = 443;

  public static HttpTarget of(String url) {
    return of(url, TlsTrust.SYSTEM);
  }

  public static HttpTarget of(String url, TlsTrust trust) {
    return of(url, trust, Optional.empty());
  }

  public static HttpTarget of(String url, TlsTrust trust, Optional<String> authorization) {
    try {
      URI uri = new URI(url);
      if (("http".equals(uri.getScheme()) || "https".equals(uri.getScheme())) && uri.getHost() != null) {
        return new HttpTarget(uri, trust, authorization);
      }
    } catch (URISyntaxException e) {
      throw new RnsException(RnsError.INVALID_REQUEST, "'" + url + "' is no URL", e);
    }
    throw new RnsException(
        RnsError.INVALID_REQUEST,
        "'" + url
            + "': the load generator takes URLs of the form http://HOST:PORT/PATH or https://HOST:PORT/PATH only");
  }

  public HttpTarget at(String path) {
    return new HttpTarget(url.resolve(path), trust, authorization);
  }

  public LoadAddress address() {
    boolean secure = url.getScheme().equals("https");
    int usual = secure ? HTTPS_PORT : HTTP_PORT;
    return new LoadAddress(
        new InetSocketAddress(url.getHost(), url.getPort() < 0 ? usual : url.getPort()),
        secure ? Optional.of(trust.sockets()) : Optional.empty());
  }

  /** The whole request that posts a SOAP 1.1 message. */
  public byte[] post(byte[] message) {
    String head =
        "POST " + url.getRawPath() + " HTTP/1.1\r\n"
            + "Host: " + url.getRawAuthority() + "\r\n"
            + "Content-Type: text/xml; charset=utf-8\r\n"
            + "SOAPAction: \"\"\r\n"
            + authorization.map(value -> "Authorization: " + value + "\r\n").orElse("")
            + "Content-Length: " + message.length + "\r\n\r\n";
    return ByteBuffer.allocate(head.length() + message.length).put(head.getBytes(StandardCharsets.ISO_8859_1))
        .put(message)
        .array();
  }
}
