package io.rns.server.dns;

import io.rns.server.access.LineLogSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.StandardSocketOptions;
import java.nio.channels.DatagramChannel;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A DNS server of one zone.
 *
 * <p>Thread-safe.
 */
public final class DnsServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DnsServer.class);
  private static final int ATTEMPTS = 50;
  private static final int BACKLOG = 128;
  private static final int BUFFER_BYTES = 1_048_576;
  private static final long LOOK_MILLIS = 500;
  private static final Duration LONGEST_END = Duration.ofSeconds(10);

  private final List<DatagramChannel> datagrams;
  private final ServerSocket socket;
  private final @Nullable QuestionLog log;
  private final TcpPort streams;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Semaphore places = new Semaphore(UdpPort.PLACES);
  private final List<Thread> threads;

  private DnsServer(
      DnsSettings settings, Responder responder, BooleanSupplier mayWait, List<DatagramChannel> datagrams,
      ServerSocket socket, @Nullable QuestionLog log, LongSupplier nanos) {
    this.datagrams = datagrams;
    this.socket = socket;
    this.log = log;
    this.streams = new TcpPort(socket, responder, settings, nanos, new DnsFailures(closed));
    List<Thread> all = new ArrayList<>();
    for (DatagramChannel channel : datagrams) {
      UdpPort udp = new UdpPort(channel, responder, new DnsFailures(closed), mayWait, places);
      all.add(Thread.ofPlatform().name("rns-dns-udp-" + all.size()).daemon().unstarted(udp::run));
    }
    all.add(Thread.ofPlatform().name("rns-dns-tcp").daemon().unstarted(streams::run));
    all.add(Thread.ofPlatform().name("rns-dns-idle").daemon().unstarted(this::watch));
    this.threads = List.copyOf(all);
  }

  /**
   * Begins to serve.
   *
   * @param clock the time of questions in the log
   * @param nanos a clock that only goes forward, in nanoseconds
   * @throws UncheckedIOException if the address is taken or not ours, or the log cannot be written
   */
  public static DnsServer start(DnsSettings settings, DnsSource source, InstantSource clock, LongSupplier nanos) {
    QuestionLog log = settings.log().map(place -> open(place, settings.secret(), clock)).orElse(null);
    Responder responder =
        new Responder(new Zone(settings, source, nanos), log == null ? (asker, question) -> {} : log::log);
    try {
      DnsServer server = bound(settings, responder, source::mayWait, log, nanos);
      server.threads.forEach(Thread::start);
      LOG.info("DNS: {}, port {}", settings, server.port());
      return server;
    } catch (IOException e) {
      if (log != null) {
        log.close();
      }
      throw new UncheckedIOException("DNS cannot listen at " + settings.address() + ": " + e.getMessage(), e);
    }
  }

  private static QuestionLog open(LineLogSettings place, String secret, InstantSource clock) {
    try {
      return QuestionLog.start(place, secret, clock);
    } catch (IOException e) {
      throw new UncheckedIOException("the DNS log " + place.file() + " cannot be written: " + e.getMessage(), e);
    }
  }

  /** With port 0 the two kinds of ports have to meet at one number that is free for both. */
  private static DnsServer bound(
      DnsSettings settings, Responder responder, BooleanSupplier mayWait, @Nullable QuestionLog log, LongSupplier nanos)
      throws IOException {
    for (int attempt = 1;; attempt++) {
      List<DatagramChannel> datagrams = new ArrayList<>();
      ServerSocket socket = new ServerSocket();
      try {
        datagrams.add(channel(settings.address()));
        int port = ((InetSocketAddress) datagrams.get(0).getLocalAddress()).getPort();
        InetSocketAddress address = new InetSocketAddress(settings.address().getAddress(), port);
        socket.bind(address, BACKLOG);
        while (datagrams.size() < settings.receivers() && canShare(datagrams.get(0))) {
          datagrams.add(channel(address));
        }
        return new DnsServer(settings, responder, mayWait, datagrams, socket, log, nanos);
      } catch (IOException e) {
        closeAll(datagrams);
        socket.close();
        if (settings.address().getPort() != 0 || attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  private static DatagramChannel channel(InetSocketAddress address) throws IOException {
    DatagramChannel channel = DatagramChannel.open();
    try {
      if (canShare(channel)) {
        channel.setOption(StandardSocketOptions.SO_REUSEPORT, true);
      }
      return channel.setOption(StandardSocketOptions.SO_RCVBUF, BUFFER_BYTES).bind(address);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  private static boolean canShare(DatagramChannel channel) {
    return channel.supportedOptions().contains(StandardSocketOptions.SO_REUSEPORT);
  }

  private static void closeAll(List<DatagramChannel> channels) throws IOException {
    for (DatagramChannel channel : channels) {
      channel.close();
    }
  }

  /** Where it listens, by UDP and TCP. */
  public InetSocketAddress address() {
    return (InetSocketAddress) socket.getLocalSocketAddress();
  }

  /** The port for UDP and TCP. */
  public int port() {
    return socket.getLocalPort();
  }

  /** Statistics for operators. */
  public Map<String, Number> statistics() {
    return log == null ? Map.of() : Map.of("dnsLogDropped", log.dropped());
  }

  private void watch() {
    try {
      while (!closed.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
        streams.closeIdle();
      }
    } catch (InterruptedException e) {
      LOG.info("DNS: no longer closes idle connections");
    }
  }

  @Override
  public void close() {
    closed.countDown();
    try {
      closeAll(datagrams);
      socket.close();
      for (Thread thread : threads) {
        if (!thread.join(LONGEST_END)) {
          LOG.warn("DNS: {} does not end", thread.getName());
        }
      }
      if (!places.tryAcquire(UdpPort.PLACES, LONGEST_END.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.warn("DNS: queries still wait");
      }
    } catch (IOException e) {
      LOG.warn("DNS: closing", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    streams.closeAll();
    if (log != null) {
      log.close();
    }
  }
}
