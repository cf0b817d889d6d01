package io.rns.front;

import io.netty.channel.EventLoop;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.rns.api.Positions;
import io.rns.client.http.TlsTrust;
import io.rns.identity.DirectTickets;
import io.rns.identity.OriginPassing;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** One running front: its loops, its listening socket, and its administration. Thread-safe. */
public final class FrontServer implements AutoCloseable {
  private static final Logger LOG = Logger.getLogger(FrontServer.class.getName());
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final Duration DRAIN_BOUND = Duration.ofSeconds(30);
  /** Less than a successor waits. */
  private static final Duration REST_BOUND = Duration.ofSeconds(30);
  private static final Duration CLOSE_BOUND = Duration.ofSeconds(5);

  /** What a front is doing. */
  enum State {
    /** Takes connections over from another process, without serving yet. */
    TAKING_OVER,
    /** Serves clients. */
    SERVING,
    /** Answers what is pending, and accepts nobody. */
    DRAINING,
    /** Another process serves its clients. */
    HANDED_OVER
  }

  private final FrontSettings settings;
  private final FrontCounters counters = new FrontCounters();
  private final @Nullable FrontTls tls;
  private final @Nullable CertificateCallers certificates;
  private final ServerDirectory directory;
  private final @Nullable AnswerCache answers;
  private final @Nullable ChangeFollowers followers;
  private final IoEventLoopGroup group;
  /** For sockets on their way to or from another process: behind clients' requests they would wait. */
  private final IoEventLoopGroup handovers;
  private final List<FrontLoop> loops = new ArrayList<>();
  private final @Nullable SubnetAddress address;
  private final AdminSocket admin;
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile @Nullable FrontListener listener;
  /** Whether the moving address is on this machine for this front. */
  private volatile boolean holding;
  private volatile State state = State.TAKING_OVER;

  private FrontServer(FrontSettings settings) throws IOException {
    this.settings = settings;
    TlsTrust trust = settings.trust();
    FrontSettings.Certificate certificate = settings.tls();
    boolean asks = settings.clients().authorities().isPresent();
    this.tls = certificate == null ? null : new FrontTls(certificate, settings.timeouts().request(), asks);
    String secret = settings.serverSecret();
    this.address = address(settings, secret);
    if (asks && secret.isEmpty()) {
      throw new IllegalArgumentException(
          "--x509-trust needs the secret of servers; " + settings.secret() + " is empty");
    }
    OriginPassing origins = secret.isEmpty() ? null : new OriginPassing(secret, InstantSource.system());
    this.certificates =
        asks ? new CertificateCallers(settings.clients(), secret, settings.name(), InstantSource.system()) : null;
    DirectDelegation direct =
        secret.isEmpty() || !settings.direct() ? null
            : new DirectDelegation(
                new DirectTickets(secret, settings.name(), InstantSource.system()), settings.context());
    this.directory = new ServerDirectory(settings.servers(), settings.site(), trust);
    this.answers =
        secret.isEmpty() || settings.limits().cacheBytes() == 0 ? null
            : new AnswerCache(settings.limits().cacheBytes(), System::nanoTime);
    this.followers = answers == null ? null : new ChangeFollowers(directory, answers, trust, secret);
    this.group = loopGroup(settings.limits().threads(), "rns-front");
    this.handovers = loopGroup(1, "rns-front-handover");
    for (int i = 0; i < settings.limits().threads(); i++) {
      EventLoop executor = group.next();
      loops.add(new FrontLoop(executor, settings, directory, trust, origins, certificates, direct, answers, counters));
    }
    this.admin = new AdminSocket(settings.admin(), this);
  }

  private static IoEventLoopGroup loopGroup(int threads, String name) {
    return new MultiThreadIoEventLoopGroup(threads, new DefaultThreadFactory(name, true), EpollIoHandler.newFactory());
  }

  private static @Nullable SubnetAddress address(FrontSettings settings, String secret) throws IOException {
    String device = settings.device();
    if (device == null) {
      return null;
    }
    if (secret.isEmpty()) {
      throw new IllegalArgumentException("--interface needs the secret of servers; " + settings.secret() + " is empty");
    }
    return new SubnetAddress((Inet4Address) InetAddress.getByName(settings.host()), device, new SystemCalls());
  }

  /**
   * Starts a front on a socket of its own.
   *
   * @throws IOException if an address cannot be bound; nothing is left running then
   */
  public static FrontServer start(FrontSettings settings) throws IOException {
    FrontServer server = new FrontServer(settings);
    try {
      server.begin();
      SubnetAddress moving = server.address;
      if (moving != null) {
        moving.add();
        server.holding = true;
      }
      FrontListener bound =
          FrontListener.bind(server.loops, new InetSocketAddress(settings.host(), settings.port()), server.tls);
      server.serve(bound);
      return server;
    } catch (IOException | RuntimeException e) {
      server.close();
      throw e;
    }
  }

  /**
   * Starts a front that takes over the sockets of another one on this machine, and returns when it has all of them.
   *
   * @param predecessor the admin socket of the other one
   * @throws IOException if the other one keeps its sockets; nothing is left running then
   */
  public static FrontServer takeOver(FrontSettings settings, Path predecessor) throws IOException {
    FrontServer server = new FrontServer(settings);
    try {
      server.begin();
      WarmUp.run(server);
      AnswerHandover.take(server, predecessor);
      new HandoverReceiver(server, predecessor).run();
      server.holding = true;
      return server;
    } catch (IOException | RuntimeException e) {
      // What it owns already is answered first.
      server.drain(DRAIN_BOUND);
      server.close();
      throw e;
    }
  }

  /**
   * Waits for a front of another machine that moves here, and returns when it serves the clients of that one.
   *
   * @param own where to wait, an address of this machine
   * @param settings with a network interface
   * @throws IOException if this machine cannot take fronts over; nothing is left running then
   */
  public static FrontServer await(FrontSettings settings, InetSocketAddress own) throws IOException {
    FrontServer server = new FrontServer(settings);
    try {
      SubnetAddress moving = server.address;
      if (moving == null) {
        throw new IllegalArgumentException("a front that waits for another one needs a network interface");
      }
      server.begin();
      WarmUp.run(server);
      new RemoteHandoverReceiver(server, moving).run(own);
      server.holding = true;
      return server;
    } catch (IOException | RuntimeException e) {
      server.close();
      throw e;
    }
  }

  private void begin() throws IOException {
    directory.start();
    if (followers != null) {
      followers.start();
    }
    loops.forEach(FrontLoop::start);
    admin.start();
  }

  /** Serves the clients of a socket. */
  void serve(FrontListener with) {
    listener = with;
    SubnetAddress moving = address;
    if (moving != null) {
      loops.forEach(loop -> on(loop, () -> {
        loop.pool().connectFrom(moving.address());
        return true;
      }));
    }
    state = State.SERVING;
    with.setAccepting(true);
  }

  /** The port that clients connect to. */
  public int port() {
    return listener().port();
  }

  FrontListener listener() {
    FrontListener own = listener;
    if (own == null) {
      throw new IllegalStateException("the front does not listen yet");
    }
    return own;
  }

  /** The address that moves with the front; null if it cannot move to another machine. */
  @Nullable
  SubnetAddress address() {
    return address;
  }

  /** HTTPS for clients; null without. */
  @Nullable
  FrontTls tls() {
    return tls;
  }

  FrontSettings settings() {
    return settings;
  }

  ServerDirectory directory() {
    return directory;
  }

  /** What clients may have without a server; null if the front keeps none. */
  @Nullable
  AnswerCache answers() {
    return answers;
  }

  List<FrontLoop> loops() {
    return loops;
  }

  IoEventLoopGroup handovers() {
    return handovers;
  }

  State state() {
    return state;
  }

  /** All clients are served by another process. */
  void handedOver() {
    state = State.HANDED_OVER;
    listener().close();
    ended.countDown();
  }

  /** What operators want to know. */
  Map<String, Object> health() {
    Map<String, Object> health = new LinkedHashMap<>();
    health.put("state", state.name().toLowerCase(java.util.Locale.ROOT).replace('_', ' '));
    health.put("pid", ProcessHandle.current().pid());
    FrontListener own = listener;
    if (own != null && state != State.HANDED_OVER) {
      health.put("url", settings.url(own.port()));
    }
    health.put("servers", directory.urls());
    health.putAll(counters.all());
    AnswerCache kept = answers;
    Positions at = kept == null ? Positions.NONE : kept.positions();
    if (kept != null && !at.isEmpty()) {
      health.put("cacheBytes", kept.bytes());
      health.put("cachePosition", at.toString());
    }
    return health;
  }

  /** Runs something on a loop, and waits for its result. */
  static <T> T on(FrontLoop loop, Supplier<T> action) {
    return CompletableFuture.supplyAsync(action, loop.executor()).join();
  }

  /**
   * Stops accepting, answers what is pending, and ends.
   *
   * @param bound how long clients may take; later they are disconnected
   */
  void drain(Duration bound) {
    state = State.DRAINING;
    FrontListener own = listener;
    if (own != null) {
      own.close();
    }
    answerPending(bound);
    ended.countDown();
  }

  /** Answers what is pending, with {@code Connection: close}, until there is no client or the time is over. */
  private void answerPending(Duration bound) {
    long end = System.nanoTime() + bound.toNanos();
    while (counters.clients.get() > 0 && System.nanoTime() - end < 0) {
      loops.forEach(loop -> on(loop, () -> {
        loop.drain();
        return true;
      }));
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  /**
   * Answers what is pending on connections that cannot move, after the others have. Their clients, those of watches at
   * once, connect to the successor then.
   */
  void endRest() {
    loops.forEach(loop -> on(loop, () -> {
      loop.endStreams();
      return true;
    }));
    answerPending(REST_BOUND);
  }

  /** Serves clients as before: the successor did not take everything over. */
  void goOn() {
    loops.forEach(loop -> on(loop, () -> {
      loop.endDraining();
      return true;
    }));
    listener().setAccepting(true);
  }

  /** Waits until it was drained or handed over, or is closed. */
  public void awaitEnd() throws InterruptedException {
    ended.await();
  }

  /** Number of clients. */
  int clients() {
    return counters.clients.get();
  }

  /** Ends all connections. May be called at any time, and repeatedly. */
  @Override
  public void close() {
    FrontListener own = listener;
    if (own != null && state != State.HANDED_OVER) {
      own.close();
    }
    if (!group.isShuttingDown()) {
      loops.forEach(loop -> on(loop, () -> {
        loop.close();
        return true;
      }));
    }
    admin.close();
    if (followers != null) {
      followers.close();
    }
    directory.close();
    if (certificates != null) {
      certificates.close();
    }
    for (IoEventLoopGroup each : List.of(handovers, group)) {
      var unused = each.shutdownGracefully(0, CLOSE_BOUND.toSeconds(), TimeUnit.SECONDS).awaitUninterruptibly();
    }
    SubnetAddress moving = address;
    if (moving != null && holding && state != State.HANDED_OVER) {
      leave(moving);
    }
    ended.countDown();
  }

  private static void leave(SubnetAddress moving) {
    try {
      if (moving.isPresent()) {
        moving.remove();
      }
    } catch (IOException e) {
      LOG.log(Level.WARNING, () -> "the address of the front stays on this machine: " + e.getMessage());
    }
  }
}
