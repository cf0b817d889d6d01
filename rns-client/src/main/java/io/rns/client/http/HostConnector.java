package io.rns.client.http;

import static java.util.stream.Collectors.joining;

import io.rns.client.call.Deadline;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.apache.hc.core5.http.impl.io.SocketHolder;
import org.jspecify.annotations.Nullable;

/**
 * Connects to one host. Where it has several addresses, the next one is tried after 250 ms without a connection, or at
 * once after a failure, while those before are still tried; the first that accepts wins (RFC 8305, section 5). It is
 * tried first from then on. Safe for use by many threads.
 */
final class HostConnector {
  /** How long an address is tried alone: the delay that RFC 8305, section 5, recommends. */
  private static final long ALONE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  /** The least delay that RFC 8305 permits, for hosts of many addresses or short deadlines. */
  private static final long LEAST_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /** Addresses tried at a time, each by a thread. */
  private static final int MOST_AT_A_TIME = 16;

  private final String host;
  private final int port;
  private final boolean secure;
  private final HostLookup lookup;
  private final DeadlineWatch watch;
  private final Sockets sockets;
  private final TlsTrust trust;
  private volatile @Nullable InetAddress last;

  /** Makes sockets that are not connected yet. */
  interface Sockets {
    Socket open() throws IOException;
  }

  HostConnector(URI uri, HostLookup.Resolver resolver, DeadlineWatch watch, Sockets sockets, TlsTrust trust) {
    this.sockets = sockets;
    this.trust = trust;
    // An IPv6 literal keeps its brackets in a URI.
    this.host = uri.getHost().replaceAll("^\\[|]$", "");
    this.secure = SecureAddress.isHttps(uri);
    this.port = uri.getPort() >= 0 ? uri.getPort() : secure ? 443 : 80;
    this.lookup = new HostLookup(host, resolver);
    this.watch = watch;
  }

  /**
   * A connected socket, and the watch over it.
   *
   * @param identity what it presents to the server ({@link TlsTrust#identity})
   */
  record Connected(SocketHolder socket, DeadlineWatch.Guard guard, long identity) {}

  /**
   * Connects, with TLS where the address says so.
   *
   * @param deadline of everything: resolving, connecting, and the handshake of TLS
   * @throws IOException if no address accepts a connection before it
   */
  Connected connect(Deadline deadline) throws IOException {
    Deque<InetAddress> addresses = new ArrayDeque<>(lookup.addresses(deadline));
    InetAddress known = last;
    if (known != null && addresses.remove(known)) {
      addresses.addFirst(known);
    }
    if (addresses.size() == 1) {
      Attempt only = new Attempt(addresses.getFirst(), deadline, sockets.open());
      only.run();
      return only.connected();
    }
    return race(addresses, deadline);
  }

  private Connected race(Deque<InetAddress> untried, Deadline deadline) throws IOException {
    // So that each address has its turn in the first half of the time.
    long alone = Math.max(LEAST_NANOS, Math.min(ALONE_NANOS, deadline.nanosLeft() / 2 / Math.max(1, untried.size())));
    List<Attempt> running = new ArrayList<>();
    List<IOException> failures = new ArrayList<>();
    BlockingQueue<Attempt> ended = new LinkedBlockingQueue<>();
    try {
      while (deadline.nanosLeft() > 0 && !(untried.isEmpty() && running.isEmpty())) {
        if (!untried.isEmpty() && running.size() < MOST_AT_A_TIME) {
          running.add(begin(untried.removeFirst(), deadline, ended));
        }
        boolean more = !untried.isEmpty() && running.size() < MOST_AT_A_TIME;
        long left = deadline.nanosLeft();
        Attempt first = ended.poll(more ? Math.min(alone, left) : left, TimeUnit.NANOSECONDS);
        if (first != null) {
          running.remove(first);
          if (first.isConnected()) {
            last = first.address;
            return first.connected();
          }
          failures.add(first.failure());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw HostLookup.interrupted(e);
    } finally {
      running.forEach(Attempt::abandon);
    }
    running.forEach(attempt -> failures.add(attempt.late(null)));
    throw failure(failures, host);
  }

  private Attempt begin(InetAddress address, Deadline deadline, BlockingQueue<Attempt> ended) throws IOException {
    Attempt attempt = new Attempt(address, deadline, sockets.open());
    Thread thread = new Thread(() -> {
      try {
        attempt.run();
      } finally {
        ended.add(attempt);
      }
    }, "rns-client-connector");
    thread.setDaemon(true);
    thread.start();
    return attempt;
  }

  private static IOException failure(List<IOException> failures, String host) {
    if (failures.isEmpty()) {
      return new SocketTimeoutException("no time is left to connect to host " + host);
    }
    String reasons = failures.stream().map(HttpConnection::reason).distinct().collect(joining("; "));
    boolean refused = failures.stream().allMatch(ConnectException.class::isInstance);
    IOException all = refused ? new ConnectException(reasons) : new SocketTimeoutException(reasons);
    failures.forEach(all::addSuppressed);
    return all;
  }

  /** The connection to one address. Run by one thread; another may abandon it. */
  private final class Attempt {
    private final InetAddress address;
    private final Deadline deadline;
    private final Socket socket;
    private final DeadlineWatch.Guard guard;
    private final long identity = trust.identity();
    private volatile @Nullable SocketHolder holder;
    private volatile @Nullable IOException failure;

    private Attempt(InetAddress address, Deadline deadline, Socket socket) {
      this.socket = socket;
      this.guard = watch.guard(socket);
      this.address = address;
      this.deadline = deadline;
    }

    void run() {
      guard.begin(deadline);
      try {
        socket.setTcpNoDelay(true);
        // Without a timeout, here and for reading: the guard is cheaper, and covers writing too.
        socket.connect(new InetSocketAddress(address, port));
        SocketHolder ready = secure ? secured() : new SocketHolder(socket);
        if (guard.end()) {
          holder = ready;
          return;
        }
        failure = late(null);
      } catch (IOException e) {
        failure = guard.end() ? e : late(e);
      }
      abandon();
    }

    private SocketHolder secured() throws IOException {
      SSLSocket layered = (SSLSocket) trust.sockets().createSocket(socket, host, port, true);
      SSLParameters parameters = layered.getSSLParameters();
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      layered.setSSLParameters(parameters);
      try {
        layered.startHandshake();
      } catch (IOException e) {
        throw TlsFailure.explained(e, host, port);
      }
      return new SocketHolder(layered, socket);
    }

    private IOException late(@Nullable IOException cause) {
      IOException late =
          new SocketTimeoutException(address.getHostAddress() + " has not taken the connection in time");
      late.initCause(cause);
      return late;
    }

    boolean isConnected() {
      return holder != null;
    }

    Connected connected() throws IOException {
      SocketHolder ready = holder;
      if (ready == null) {
        throw failure();
      }
      return new Connected(ready, guard, identity);
    }

    /** Why there is no connection; as long as the attempt runs, that it takes too long. */
    IOException failure() {
      IOException known = failure;
      return known == null ? late(null) : known;
    }

    /** Closes the socket, which ends the attempt. */
    void abandon() {
      guard.close();
      try {
        socket.close();
      } catch (IOException e) {
        // It is not used any more in any case.
        return;
      }
    }
  }
}
