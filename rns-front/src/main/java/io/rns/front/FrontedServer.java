package io.rns.front;

import io.rns.client.ServerHistory;
import java.net.InetSocketAddress;
import java.net.URI;

/**
 * An RNS server behind the front; the same object as long as it is known.
 *
 * @param url its address, such as {@code http://host:8080/rns}
 * @param address where it listens
 * @param history how it has answered this front
 */
record FrontedServer(URI url, InetSocketAddress address, ServerHistory history) {
  private static final int HTTP_PORT = 80;
  private static final int HTTPS_PORT = 443;

  static FrontedServer at(URI url) {
    int usual = url.getScheme().equals("https") ? HTTPS_PORT : HTTP_PORT;
    int port = url.getPort() < 0 ? usual : url.getPort();
    return new FrontedServer(url, new InetSocketAddress(url.getHost(), port), new ServerHistory());
  }

  /** Whether it is called over HTTPS. */
  boolean isSecured() {
    return url.getScheme().equals("https");
  }

  /** Identity: each object is one server. */
  @Override
  @SuppressWarnings("ReferenceEquality")
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }
}
