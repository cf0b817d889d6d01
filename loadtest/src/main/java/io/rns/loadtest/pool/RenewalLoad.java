package io.rns.loadtest.pool;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.measure.Measurement;
import io.rns.loadtest.measure.Row;
import io.rns.rserpool.Octets;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Elements that register again and again at one registrar, with another one in sync: what the registrars use of the
 * processors.
 */
public final class RenewalLoad {
  private static final Octets HANDLE = Octets.utf8("/bench/renewal");
  private static final long PATIENCE_SECONDS = 60;
  private static final long POLL_NANOS = 20_000_000;
  private static final double MICROS = 1e3;

  private final int elements;
  private final Duration interval;
  private final Duration warmUp;
  private final Duration measured;
  private final Histogram answers = new ConcurrentHistogram(TimeUnit.MINUTES.toNanos(1), 3);
  private final AtomicReference<IOException> failure = new AtomicReference<>();
  private final AtomicInteger registered = new AtomicInteger();
  private volatile boolean counting;
  private volatile boolean resting;
  private volatile boolean stopped;

  /**
   * A load to be, to run once.
   *
   * @param elements how many, each with a connection of its own
   * @param interval between two registrations of one element
   */
  public RenewalLoad(int elements, Duration interval, Duration warmUp, Duration measured) {
    this.elements = elements;
    this.interval = interval;
    this.warmUp = warmUp;
    this.measured = measured;
  }

  /**
   * Runs both registrars, each in a process of its own, and all elements in this one.
   *
   * @throws RnsException {@link RnsError#UNAVAILABLE} if an element is refused, or the registrars do not come to agree
   */
  public List<Row> run(Consumer<String> progress) throws InterruptedException {
    try (Child home = Child.start(RegistrarMain.class, List.of())) {
      List<Integer> ports = ports(home);
      try (Child peer = Child.start(RegistrarMain.class, List.of(ports.get(1).toString()))) {
        int unused = ports(peer).size();
        until("the registrars serve", () -> home.ask("").startsWith("serving") && peer.ask("").startsWith("serving"));
        return load(home, peer, new InetSocketAddress(InetAddress.getLoopbackAddress(), ports.get(0)), progress);
      }
    }
  }

  private static List<Integer> ports(Child registrar) {
    String[] ports = registrar.hear().split(" ", -1);
    return List.of(Integer.valueOf(ports[0]), Integer.valueOf(ports[1]));
  }

  private List<Row> load(Child home, Child peer, InetSocketAddress registrar, Consumer<String> progress)
      throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    CountDownLatch begun = new CountDownLatch(elements);
    try {
      for (int i = 0; i < elements; i++) {
        int id = i + 1;
        threads.add(Thread.ofVirtual().name("element " + id).start(() -> live(registrar, id, begun)));
      }
      begun.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
      progress.accept(registered.get() + " elements registered");
      until("all elements are known to both", () -> size(home) == elements && size(peer) == elements);
      TimeUnit.NANOSECONDS.sleep(warmUp.toNanos());
      return measure(home, peer, progress);
    } finally {
      stopped = true;
      threads.forEach(Thread::interrupt);
      for (Thread thread : threads) {
        thread.join();
      }
    }
  }

  private List<Row> measure(Child home, Child peer, Consumer<String> progress) throws InterruptedException {
    Duration homeBefore = home.used();
    Duration peerBefore = peer.used();
    long from = System.nanoTime();
    counting = true;
    progress.accept("measuring for " + measured.toSeconds() + " s");
    TimeUnit.NANOSECONDS.sleep(measured.toNanos());
    counting = false;
    double seconds = (System.nanoTime() - from) / 1e9;
    double homeUsed = home.used().minus(homeBefore).toNanos() / 1e9;
    double peerUsed = peer.used().minus(peerBefore).toNanos() / 1e9;
    // Their connections stay: otherwise both would agree on nothing.
    resting = true;
    IOException failed = failure.get();
    if (failed != null) {
      throw new RnsException(RnsError.UNAVAILABLE, "an element failed: " + failed.getMessage(), failed);
    }
    until("the registrars agree", () -> home.ask("").equals(peer.ask("")) && size(home) == elements);
    double perSecond = answers.getTotalCount() / seconds;
    return List.of(row("registrar", homeUsed / seconds, perSecond),
        row("the other registrar", peerUsed / seconds, perSecond));
  }

  private Row row(String what, double cores, double perSecond) {
    return Row.of(what + ", " + elements + " elements, every " + interval.toMillis() + " ms")
        .with("perSecond", perSecond)
        .with("cores", cores)
        .with("microsEach", perSecond == 0 ? 0 : cores * 1e6 / perSecond)
        .with("p50Micros", answers.getValueAtPercentile(50) / MICROS)
        .with("p99Micros", answers.getValueAtPercentile(99) / MICROS);
  }

  /** One element: elements begin spread over the interval, and keep to their times. */
  private void live(InetSocketAddress registrar, int id, CountDownLatch begun) {
    try (AsapElement element = new AsapElement(registrar, HANDLE, id, 1_024 + id % 60_000)) {
      element.register();
      registered.incrementAndGet();
      begun.countDown();
      renew(element, System.nanoTime() + interval.toNanos() * id / elements);
    } catch (IOException e) {
      if (!stopped) {
        failure.compareAndSet(null, e);
      }
      begun.countDown();
    }
  }

  private void renew(AsapElement element, long first) throws IOException {
    long next = first;
    while (!stopped) {
      LockSupport.parkNanos(resting ? POLL_NANOS : next - System.nanoTime());
      if (resting || next - System.nanoTime() > 0) {
        continue;
      }
      long sent = System.nanoTime();
      element.register();
      if (counting) {
        Measurement.record(answers, Math.min(System.nanoTime() - sent, answers.getHighestTrackableValue()));
      }
      next = Math.max(next + interval.toNanos(), System.nanoTime() - interval.toNanos());
    }
  }

  private static int size(Child registrar) {
    return Integer.parseInt(registrar.ask("").split(" ", -1)[1]);
  }

  /** Something that comes to be. */
  private interface Condition {
    boolean holds();
  }

  private static void until(String what, Condition condition) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!condition.holds()) {
      if (System.nanoTime() - deadline > 0) {
        throw new RnsException(RnsError.UNAVAILABLE, "not within " + PATIENCE_SECONDS + " s: " + what);
      }
      TimeUnit.NANOSECONDS.sleep(POLL_NANOS);
    }
  }
}
