package io.rns.front;

import io.netty.channel.EventLoop;
import io.rns.client.http.TlsTrust;
import io.rns.identity.OriginPassing;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** What the connections of one event loop share. Used by the thread of the loop only. */
final class FrontLoop {
  private static final long SWEEP_MILLIS = 500;

  private final EventLoop executor;
  private final FrontSettings settings;
  private final ServerDirectory directory;
  private final FrontCounters counters;
  private final @Nullable OriginPassing origins;
  private final @Nullable CertificateCallers certificates;
  private final @Nullable DirectDelegation direct;
  private final @Nullable AnswerCache answers;
  private final ServerPool pool;
  private final Set<ClientLink> clients = new LinkedHashSet<>();
  private final Set<Http2Link> multiplexed = new LinkedHashSet<>();
  private final long mostBytes;
  private long requestBytes;
  private long unreadBytes;
  private boolean draining;
  private boolean endingStreams;

  FrontLoop(EventLoop executor, FrontSettings settings, ServerDirectory directory, TlsTrust trust,
      @Nullable OriginPassing origins, @Nullable CertificateCallers certificates,
      @Nullable DirectDelegation direct, @Nullable AnswerCache answers, FrontCounters counters) {
    this.executor = executor;
    this.settings = settings;
    this.directory = directory;
    this.counters = counters;
    this.origins = origins;
    this.certificates = certificates;
    this.direct = direct;
    this.answers = answers;
    FrontSettings.Limits limits = settings.limits();
    int loops = limits.threads();
    this.pool = new ServerPool(this, trust, Math.ceilDiv(limits.serverConnections(), loops),
        Math.ceilDiv(limits.waiting(), loops));
    this.mostBytes = limits.bytes() / loops;
  }

  void start() {
    var unused = executor.scheduleWithFixedDelay(() -> sweep(System.nanoTime()), SWEEP_MILLIS, SWEEP_MILLIS,
        TimeUnit.MILLISECONDS);
  }

  EventLoop executor() {
    return executor;
  }

  FrontSettings settings() {
    return settings;
  }

  ServerDirectory directory() {
    return directory;
  }

  FrontCounters counters() {
    return counters;
  }

  /** Tells servers where clients are; null without the secret of servers. */
  @Nullable
  OriginPassing origins() {
    return origins;
  }

  /** Finds out who clients are by their certificates; null if these are not asked for any. */
  @Nullable
  CertificateCallers certificates() {
    return certificates;
  }

  /** Sends clients to servers for large responses; null if these are all passed on. */
  @Nullable
  DirectDelegation direct() {
    return direct;
  }

  /** Answers without a server; null if the front keeps none. */
  @Nullable
  AnswerCache answers() {
    return answers;
  }

  ServerPool pool() {
    return pool;
  }

  /** Counts a connection, or a request of HTTP/2; false if there are too many connections, or of both. */
  boolean add(ClientLink client) {
    AtomicInteger count = count(client);
    int all = count.incrementAndGet() + (client.isMultiplexed() ? counters.clients.get() : 0);
    if (all > settings.limits().connections()) {
      count.decrementAndGet();
      (client.isMultiplexed() ? counters.refused : counters.cut).increment();
      return false;
    }
    clients.add(client);
    return true;
  }

  private AtomicInteger count(ClientLink client) {
    return client.isMultiplexed() ? counters.multiplexed : counters.clients;
  }

  void remove(ClientLink client) {
    if (clients.remove(client)) {
      count(client).decrementAndGet();
    }
  }

  /** A connection is one of HTTP/2. */
  void replace(ClientLink client, Http2Link link) {
    if (clients.remove(client)) {
      multiplexed.add(link);
    }
  }

  void remove(Http2Link link) {
    if (multiplexed.remove(link)) {
      counters.clients.decrementAndGet();
    }
  }

  /** Some connections that can move to another process, at most as many; the idle ones first. */
  List<ClientLink> movable(int most) {
    List<ClientLink> some = new ArrayList<>();
    List<ClientLink> busy = new ArrayList<>();
    for (ClientLink client : clients) {
      if (some.size() == most) {
        return some;
      }
      if (client.isMovable()) {
        if (client.isIdle()) {
          some.add(client);
        } else if (busy.size() < most) {
          busy.add(client);
        }
      }
    }
    some.addAll(busy.subList(0, Math.min(busy.size(), most - some.size())));
    return some;
  }

  /**
   * Answers what is pending on connections that cannot move, and closes them; to be repeated until there is none.
   *
   * @return how many there are
   */
  int leaveImmovable() {
    long now = System.nanoTime();
    List.copyOf(multiplexed).forEach(link -> link.leave(now));
    List<ClientLink> immovable = immovable();
    immovable.forEach(ClientLink::leave);
    return immovable.size() + multiplexed.size();
  }

  /** Closes them all. */
  void closeImmovable() {
    immovable().forEach(ClientLink::close);
    List.copyOf(multiplexed).forEach(Http2Link::disconnect);
  }

  private List<ClientLink> immovable() {
    return clients.stream().filter(client -> !client.isFrozen() && !client.isMovable()).toList();
  }

  /** Bytes of requests that are held more, or less if negative. */
  void hold(long more) {
    requestBytes += more;
  }

  /** Whether there is no memory for more requests. */
  boolean isFull() {
    return requestBytes + unreadBytes > mostBytes;
  }

  /**
   * Answers with {@code Connection: close} or GOAWAY from now on, and closes idle connections; to be repeated until
   * there is none.
   */
  void drain() {
    draining = true;
    long now = System.nanoTime();
    List.copyOf(multiplexed).forEach(link -> link.leave(now));
    List.copyOf(clients).forEach(ClientLink::closeIfIdle);
    if (endingStreams) {
      List.copyOf(clients).forEach(ClientLink::closeIfStream);
    }
  }

  /** Has draining end watches, too: their clients go on elsewhere with what they saw last. */
  void endStreams() {
    draining = true;
    endingStreams = true;
  }

  /** Keeps connections again. */
  void endDraining() {
    draining = false;
    endingStreams = false;
  }

  boolean isDraining() {
    return draining;
  }

  /** Ends what lasts too long at a time. */
  void sweep(long now) {
    List.copyOf(clients).forEach(client -> client.checkTime(now));
    List.copyOf(multiplexed).forEach(link -> link.checkTime(now));
    unreadBytes = unreadBytes();
    pool.sweep(now);
  }

  /** Bytes of responses that clients have not read, and of HTTP/2 requests that wait to be read. */
  long unreadBytes() {
    return clients.stream().mapToLong(ClientLink::unreadBytes).sum()
        + multiplexed.stream().mapToLong(Http2Link::waitingBytes).sum();
  }

  void close() {
    List.copyOf(clients).forEach(ClientLink::close);
    List.copyOf(multiplexed).forEach(Http2Link::disconnect);
    pool.close();
  }
}
