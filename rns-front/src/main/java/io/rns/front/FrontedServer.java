package io.rns.front;

import io.rns.client.ServerHistory;
import io.rns.referral.Experience;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An RNS server behind the front; the same object as long as it is known.
 *
 * @param url its address, such as {@code http://host:8080/rns}
 * @param address where it listens
 * @param history how it has answered this front
 * @param sentTo clients that were sent there lately: halved every second, since nobody tells when they are done
 */
record FrontedServer(URI url, InetSocketAddress address, ServerHistory history, AtomicInteger sentTo) {
  private static final int HTTP_PORT = 80;
  private static final int HTTPS_PORT = 443;

  static FrontedServer at(URI url) {
    int usual = url.getScheme().equals("https") ? HTTPS_PORT : HTTP_PORT;
    int port = url.getPort() < 0 ? usual : url.getPort();
    return new FrontedServer(url, new InetSocketAddress(url.getHost(), port), new ServerHistory(), new AtomicInteger());
  }

  /**
   * What is known for the choice of a server that a client is sent to. Answers to this front say nothing of the load by
   * such clients, so all servers are as fast, and each client sent there lately is under way.
   */
  Experience asSentTo(long nanos) {
    Experience known = history.at(nanos);
    return new Experience(1, sentTo.get(), known.positions(), known.failedMillis(), known.restMillis());
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
