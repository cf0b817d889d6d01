package io.rns.client.http;

import io.rns.api.CallContext;
import io.rns.client.call.Deadline;
import io.rns.client.call.ExchangeFailure;
import io.rns.client.call.Ticker;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.xml.XmlBuffer;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.apache.hc.core5.http.HttpException;

/**
 * One address that messages are posted to, with its connections, which are kept for the next message. The one used last
 * is taken first, so that those a burst has left over get old and are closed.
 *
 * <p>A blocking exchange over a few sockets instead of {@code java.net.http}: measured with twelve threads, that takes
 * five times the processor time per message (docs/decisions/http-client.md).
 */
public final class HttpEndpoint implements AutoCloseable {
  /** Below what servers usually keep a silent connection for (30 s and more). */
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(20);

  /** A connection that was silent for longer is checked before it is used; the check takes a millisecond. */
  private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final URI uri;
  private final Duration connectTimeout;
  private final Duration closeWait;
  private final int most;
  private final Ticker ticker;
  private final LongConsumer counter;
  private final DeadlineWatch watch;
  private final boolean ownsWatch;
  private final RequestHead head;
  private final MessageAuthentication authentication;
  private final HostLookup.Resolver resolver;
  private final TlsTrust trust;
  private final HostConnector connector;
  private final Semaphore permits;
  private final ConcurrentLinkedDeque<HttpConnection> idle = new ConcurrentLinkedDeque<>();
  private final Set<HttpConnection> connections = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean open = new AtomicBoolean(true);

  /**
   * An address without connections yet.
   *
   * @param closeWait how long {@link #close} waits for running calls
   * @param most the most connections, and so the most messages under way at one time
   * @param counter receives the number of response bytes before they are parsed
   * @param trust the certificates accepted from HTTPS servers
   */
  public HttpEndpoint(URI uri, Duration connectTimeout, Duration closeWait, int most, Ticker ticker,
      LongConsumer counter, TlsTrust trust) {
    this(uri, connectTimeout, closeWait, most, ticker, counter, trust, MessageAuthentication.NONE);
  }

  /** The same, with what proves who sends its messages. */
  public HttpEndpoint(URI uri, Duration connectTimeout, Duration closeWait, int most, Ticker ticker,
      LongConsumer counter, TlsTrust trust, MessageAuthentication authentication) {
    this(uri, connectTimeout, closeWait, most, ticker, counter, trust, authentication, HostLookup.Resolver.SYSTEM,
        new DeadlineWatch(ticker), true);
  }

  /** The same, with what finds the addresses of its host. */
  HttpEndpoint(URI uri, Duration connectTimeout, Duration closeWait, int most, Ticker ticker, LongConsumer counter,
      TlsTrust trust, HostLookup.Resolver resolver) {
    this(uri, connectTimeout, closeWait, most, ticker, counter, trust, MessageAuthentication.NONE, resolver,
        new DeadlineWatch(ticker), true);
  }

  private HttpEndpoint(
      URI uri,
      Duration connectTimeout,
      Duration closeWait,
      int most,
      Ticker ticker,
      LongConsumer counter,
      TlsTrust trust,
      MessageAuthentication authentication,
      HostLookup.Resolver resolver,
      DeadlineWatch watch,
      boolean ownsWatch) {
    this.uri = uri;
    this.connectTimeout = connectTimeout;
    this.closeWait = closeWait;
    this.most = most;
    this.ticker = ticker;
    this.counter = counter;
    this.permits = new Semaphore(most);
    this.watch = watch;
    this.ownsWatch = ownsWatch;
    this.head = new RequestHead(uri);
    this.authentication = authentication;
    this.resolver = resolver;
    this.trust = trust;
    this.connector = new HostConnector(uri, resolver, watch, Socket::new, trust);
  }

  /**
   * Another address with the same settings; its deadlines are kept by the same thread, so it is closed before this one.
   */
  public HttpEndpoint sibling(URI other) {
    return sibling(other, authentication);
  }

  /** The same for an address that a reference leads to: what is not on the same host and port gets no credential. */
  HttpEndpoint foreign(URI other) {
    boolean same =
        String.valueOf(other.getScheme()).equalsIgnoreCase(uri.getScheme())
            && String.valueOf(other.getRawAuthority()).equalsIgnoreCase(uri.getRawAuthority());
    return sibling(other, same ? authentication : MessageAuthentication.NONE);
  }

  private HttpEndpoint sibling(URI other, MessageAuthentication proof) {
    return new HttpEndpoint(other, connectTimeout, closeWait, most, ticker, counter, trust, proof, resolver, watch,
        false);
  }

  public URI uri() {
    return uri;
  }

  public boolean isOpen() {
    return open.get();
  }

  /**
   * Posts a message and reads the answer. Where a write of which this is a part may not be repeated, the cause of the
   * exception tells how far it came: see {@link ExchangeFailure}.
   *
   * @throws RnsException {@link RnsError#UNAVAILABLE} if the server cannot be reached, breaks the connection or answers
   *         what is no SOAP message, {@link RnsError#TIMEOUT} if the deadline passes, {@link RnsError#BUSY} if no
   *         connection gets free before it, or what {@code reader} throws
   */
  public <T> T post(
      CallContext call, XmlBuffer message, Deadline deadline, HttpConnection.AnswerReader<T> reader) {
    HttpConnection.Post<T> post = new HttpConnection.Post<>(call, message, reader);
    return post(deadline, connection -> post);
  }

  /** Posts the message that suits the connection, and reads the answer. */
  public <T> T post(Deadline deadline, Function<HttpConnection, HttpConnection.Post<T>> posts) {
    AtomicReference<MessageAuthentication.Header> sent = new AtomicReference<>();
    try {
      return once(deadline, posts, sent);
    } catch (RnsException e) {
      // Refused before anything was done, so it may be sent again.
      MessageAuthentication.Header refused = sent.get();
      if (e.error() != RnsError.NOT_AUTHENTICATED || refused == null || !authentication.renew(refused)) {
        throw e;
      }
      return once(deadline, posts, sent);
    }
  }

  private <T> T once(
      Deadline deadline, Function<HttpConnection, HttpConnection.Post<T>> posts,
      AtomicReference<MessageAuthentication.Header> sent) {
    long started = ticker.nanos();
    acquire(deadline);
    try {
      HttpConnection connection = connection(deadline);
      boolean used = connection.isUsed();
      try {
        HttpConnection.Post<T> post = posts.apply(connection);
        MessageAuthentication.Header proof = authentication.header(post.call(), uri, post.message()).orElse(null);
        sent.set(proof);
        return connection.exchange(
            post.message(), proof, deadline, body -> post.reader().read(new CountedBody(body, counter)));
      } catch (HttpException | IOException e) {
        if (used) {
          // The server has restarted or closed what was idle: the other idle connections are as dead as this one.
          closeIdle();
        }
        throw broken(e, started, deadline);
      } finally {
        giveBack(connection);
      }
    } finally {
      permits.release();
    }
  }

  private void acquire(Deadline deadline) {
    try {
      if (!permits.tryAcquire(deadline.nanosLeft(), TimeUnit.NANOSECONDS)) {
        throw new RnsException(RnsError.BUSY, "all " + most + " connections to " + uri + " are in use");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RnsException(RnsError.UNAVAILABLE, "interrupted while waiting for a connection to " + uri, e);
    }
  }

  private HttpConnection connection(Deadline deadline) {
    for (HttpConnection kept = idle.pollFirst(); kept != null; kept = idle.pollFirst()) {
      long silent = ticker.nanos() - kept.idleSince();
      if (kept.presents(trust.identity()) && (silent < FRESH_NANOS || (silent < IDLE_NANOS && !kept.isStale()))) {
        return kept;
      }
      discard(kept);
    }
    HttpConnection opened = open(deadline);
    connections.add(opened);
    if (!open.get()) {
      discard(opened);
      throw closed(null);
    }
    return opened;
  }

  private HttpConnection open(Deadline deadline) {
    if (!open.get()) {
      throw closed(null);
    }
    try {
      return new HttpConnection(uri, head, connector.connect(deadline.butWithin(connectTimeout)));
    } catch (IOException e) {
      RnsError error = deadline.nanosLeft() <= 0 ? RnsError.TIMEOUT : RnsError.UNAVAILABLE;
      throw new RnsException(
          error, "cannot connect to " + uri + ": " + HttpConnection.reason(e), ExchangeFailure.notSent(e));
    }
  }

  private RnsException broken(Exception e, long started, Deadline deadline) {
    if (!open.get()) {
      return closed(e);
    }
    if (deadline.nanosLeft() <= 0) {
      long millis = TimeUnit.NANOSECONDS.toMillis(ticker.nanos() - started);
      return new RnsException(RnsError.TIMEOUT, "no answer from " + uri + " within " + millis + " ms", e);
    }
    String what = e instanceof HttpException ? " responds with invalid HTTP: " : " broke the connection: ";
    return new RnsException(RnsError.UNAVAILABLE, uri + what + HttpConnection.reason(e), e);
  }

  private RnsException closed(@org.jspecify.annotations.Nullable Exception cause) {
    return new RnsException(RnsError.UNAVAILABLE, "the client of " + uri + " is closed", cause);
  }

  private void giveBack(HttpConnection connection) {
    if (!connection.isReusable() || !open.get()) {
      discard(connection);
      return;
    }
    connection.idleFrom(ticker.nanos());
    idle.addFirst(connection);
    HttpConnection oldest = idle.peekLast();
    if (oldest != null && ticker.nanos() - oldest.idleSince() > IDLE_NANOS && idle.removeLastOccurrence(oldest)) {
      discard(oldest);
    }
    if (!open.get()) {
      closeIdle();
    }
  }

  private void discard(HttpConnection connection) {
    connections.remove(connection);
    connection.close();
  }

  private void closeIdle() {
    for (HttpConnection kept = idle.pollFirst(); kept != null; kept = idle.pollFirst()) {
      discard(kept);
    }
  }

  /** Refuses further calls, waits a little for running ones, then breaks them off. */
  @Override
  public void close() {
    if (!open.compareAndSet(true, false)) {
      return;
    }
    closeIdle();
    try {
      if (permits.tryAcquire(most, closeWait.toNanos(), TimeUnit.NANOSECONDS)) {
        permits.release(most);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    connections.forEach(this::discard);
    if (ownsWatch) {
      watch.close();
    }
  }
}
