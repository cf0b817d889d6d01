package io.rns.client.http;

import io.rns.client.call.Deadline;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;

/** One host and port of {@link HttpCalls}, with connections that are kept for the next call. */
final class CallHost implements AutoCloseable {
  /** Below what servers usually keep a silent connection for (30 s and more). */
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(20);

  /** Idle connections that are kept: more calls at a time are rare. */
  private static final int MOST_IDLE = 8;

  private final HostConnector connector;
  private final Duration connectTimeout;
  private final TlsTrust trust;
  private final ConcurrentLinkedDeque<CallConnection> idle = new ConcurrentLinkedDeque<>();
  private final Set<CallConnection> connections = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  CallHost(URI uri, Duration connectTimeout, HostLookup.Resolver resolver, DeadlineWatch watch, TlsTrust trust) {
    this.connector = new HostConnector(uri, resolver, watch, CallHost::interruptible, trust);
    this.connectTimeout = connectTimeout;
    this.trust = trust;
  }

  /** A socket whose calls end when their thread is interrupted. */
  private static Socket interruptible() throws IOException {
    return SocketChannel.open().socket();
  }

  /** A connection and the response whose body is to be read from it. */
  record Exchange(CallConnection connection, ClassicHttpResponse response) {}

  /** Sends a request and returns as soon as the response begins. */
  Exchange exchange(ClassicHttpRequest request, Deadline until) throws IOException {
    for (CallConnection kept = idle.pollFirst(); kept != null; kept = idle.pollFirst()) {
      if (kept.presents(trust.identity()) && kept.isFresh(System.nanoTime(), IDLE_NANOS)) {
        return exchange(kept, request, until);
      }
      discard(kept);
    }
    CallConnection opened = new CallConnection(connector.connect(until.butWithin(connectTimeout)));
    connections.add(opened);
    return exchange(opened, request, until);
  }

  private Exchange exchange(CallConnection connection, ClassicHttpRequest request, Deadline until) throws IOException {
    try {
      if (closed) {
        throw new IOException("the client is closed");
      }
      return new Exchange(connection, connection.exchange(request, until));
    } catch (IOException | RuntimeException e) {
      discard(connection);
      throw e;
    }
  }

  /** Takes a connection back whose response has been read to its end. */
  void giveBack(CallConnection connection) {
    if (!connection.isReusable() || closed || idle.size() >= MOST_IDLE) {
      discard(connection);
      return;
    }
    connection.idleFrom(System.nanoTime());
    idle.addFirst(connection);
    if (closed) {
      close();
    }
  }

  void discard(CallConnection connection) {
    connections.remove(connection);
    connection.close();
  }

  @Override
  public void close() {
    closed = true;
    connections.forEach(this::discard);
  }
}
