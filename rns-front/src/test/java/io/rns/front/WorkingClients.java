package io.rns.front;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/** Clients that send request after request, in several ways, until they are stopped. */
final class WorkingClients implements AutoCloseable {
  private static final int PIPELINED = 8;

  final LongAdder answered = new LongAdder();
  final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private final KnownAnswers answers;
  private final long pauseNanos;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Future<?>> clients = new ArrayList<>();
  private final List<Longest> longest = new ArrayList<>();
  private final AtomicBoolean over = new AtomicBoolean();
  private volatile boolean migrating;

  /** The longest time to a response of a client: of requests under way during a migration, and of all others. */
  private record Longest(AtomicLong moving, AtomicLong resting) {
    Longest() {
      this(new AtomicLong(), new AtomicLong());
    }
  }

  /** What a client does again and again; in the middle of it the front may change. Returns the number of responses. */
  private interface Habit {
    int run(HttpPeer peer, Random random) throws IOException;
  }

  /**
   * Starts clients.
   *
   * @param rate requests per second of all of them, about; 0 for as many as are answered
   */
  WorkingClients(int port, int connections, KnownAnswers answers, long seed, int rate) {
    this(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), connections, answers, seed, rate);
  }

  /** Starts clients of a server, or front, anywhere. */
  WorkingClients(InetSocketAddress address, int connections, KnownAnswers answers, long seed, int rate) {
    this.answers = answers;
    this.pauseNanos = rate == 0 ? 0 : TimeUnit.SECONDS.toNanos(1) * connections / rate;
    List<Habit> habits =
        List.of(this::plain, this::inPieces, this::plain, this::pipelined, this::plain, this::largeUp, this::plain,
            this::largeDown);
    for (int i = 0; i < connections; i++) {
      Habit habit = habits.get(i % habits.size());
      Random random = new Random(seed * connections + i);
      Longest own = new Longest();
      if (i % 2 == 0) {
        // One of single requests.
        longest.add(own);
      }
      clients.add(threads.submit(() -> work(address, habit, random, own)));
    }
  }

  private void work(InetSocketAddress address, Habit habit, Random random, Longest own) {
    try (HttpPeer peer = new HttpPeer(new Socket(address.getAddress(), address.getPort()))) {
      while (!over.get()) {
        LockSupport.parkNanos(pauseNanos == 0 ? 0 : random.nextLong(2 * pauseNanos));
        boolean before = migrating;
        long begun = System.nanoTime();
        int responses = habit.run(peer, random);
        AtomicLong nanos = before || migrating ? own.moving() : own.resting();
        nanos.accumulateAndGet(System.nanoTime() - begun, Math::max);
        answered.add(responses);
      }
    } catch (IOException | RuntimeException e) {
      failures.add(e);
    }
  }

  private int plain(HttpPeer peer, Random random) throws IOException {
    KnownAnswers.Known known = answers.small(random);
    known.check(peer.send(known.request()).response());
    return 1;
  }

  private int inPieces(HttpPeer peer, Random random) throws IOException {
    answers.inPieces(peer, random);
    return 1;
  }

  private int pipelined(HttpPeer peer, Random random) throws IOException {
    answers.pipelined(peer, random, PIPELINED);
    return PIPELINED;
  }

  private int largeUp(HttpPeer peer, Random random) throws IOException {
    KnownAnswers.Known known = answers.up(random);
    peer.send(known.request().substring(0, 80_000)).send(known.request().substring(80_000));
    known.check(peer.response());
    return 1;
  }

  private int largeDown(HttpPeer peer, Random random) throws IOException {
    KnownAnswers.Known known = answers.down(random);
    known.check(peer.send(known.request()).response());
    return 1;
  }

  /** Waits until clients have had more responses. */
  void progress(int more) {
    long wanted = answered.sum() + more;
    Waiting.until(() -> answered.sum() >= wanted || !failures.isEmpty());
  }

  /** Says whether a migration is under way. */
  void migrating(boolean now) {
    migrating = now;
  }

  /**
   * The longest time to a response of each client with single requests since the last call, of those that had any.
   *
   * @param moving of requests during migrations, or at other times
   */
  List<Long> longestNanos(boolean moving) {
    return longest.stream().map(each -> (moving ? each.moving() : each.resting()).getAndSet(0))
        .filter(nanos -> nanos > 0).toList();
  }

  /** Has all clients end after their last response. */
  void finish() throws InterruptedException, ExecutionException {
    over.set(true);
    for (Future<?> client : clients) {
      client.get();
    }
  }

  @Override
  public void close() {
    over.set(true);
    threads.shutdownNow();
  }
}
