package io.rns.client.pool;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.pool.Occupancy;
import io.rns.pool.Parameters;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * The places of a pool element: lets in as many requests as it takes at once, turns the others away, and counts what
 * elements of pools with the policies credits and adaptive have to report. Rejected ones count as arrived, too.
 *
 * <p>Give it to {@link PoolElement.Builder#admission}; it is reported when it changed enough. Safe for use by many
 * threads.
 */
public final class Admission {
  private final long epoch;
  private final Optional<AdaptiveLimit> adaptive;
  private final LongSupplier nanoTime;
  private int limit;
  private int occupied;
  private long arrived;
  private volatile Runnable changed = () -> {};
  private volatile Queue queue = new Queue(() -> 0, 0);

  private record Queue(IntSupplier waiting, int places) {}

  /**
   * Places that are all free.
   *
   * @param limit how many requests are let in at once, at least 1
   * @throws RnsException {@link RnsError#INVALID_REQUEST}
   */
  public Admission(int limit) {
    this(limit, ThreadLocalRandom.current());
  }

  Admission(int limit, RandomGenerator random) {
    this(limit, Optional.empty(), System::nanoTime, random);
  }

  Admission(int limit, Optional<AdaptiveLimit> adaptive, LongSupplier nanoTime, RandomGenerator random) {
    this.limit = checked(limit);
    this.adaptive = adaptive;
    this.nanoTime = nanoTime;
    // Shows registrars that the count restarted.
    this.epoch = random.nextInt() & Parameters.FULL;
  }

  /**
   * Places whose number follows from how long requests hold them, for servers of unknown capacity: as many as the
   * server works on without much waiting. Begins with 8. Needs the library
   * {@code com.netflix.concurrency-limits:concurrency-limits-core}.
   *
   * @param most the maximum number of places, at least 1
   * @throws RnsException {@link RnsError#INVALID_REQUEST}
   */
  public static Admission adaptive(int most) {
    AdaptiveLimit adaptive = new AdaptiveLimit(checked(most));
    return new Admission(adaptive.now(), Optional.of(adaptive), System::nanoTime, ThreadLocalRandom.current());
  }

  /**
   * How many requests a server takes at once if each shall get at least some part of its capacity: {@code MaxRequests}
   * of the paper on request rejection, capacity / least, rounded (halves to the even number), at least 1.
   *
   * @param capacity what the server can do, such as calculations per second
   * @param least what a request shall get at least, in the same unit
   * @throws RnsException {@link RnsError#INVALID_REQUEST} unless both are finite and above 0
   */
  public static int maxRequests(double capacity, double least) {
    if (!(capacity > 0 && least > 0 && Double.isFinite(capacity) && Double.isFinite(least))) {
      throw new RnsException(RnsError.INVALID_REQUEST,
          "a capacity of " + capacity + " cannot be divided into parts of " + least);
    }
    return (int) Math.max(1, Math.min(Integer.MAX_VALUE, Math.rint(capacity / least)));
  }

  private static int checked(int limit) {
    if (limit < 1) {
      throw new RnsException(RnsError.INVALID_REQUEST, "a limit of " + limit + " admits no request");
    }
    return limit;
  }

  /** A place that a request has; closed when the request is done, any number of times. */
  public static final class Place implements AutoCloseable {
    private final Admission admission;
    private final AtomicBoolean held = new AtomicBoolean(true);
    private final long beganNanos;
    private final int beside;

    private Place(Admission admission, long beganNanos, int beside) {
      this.admission = admission;
      this.beganNanos = beganNanos;
      this.beside = beside;
    }

    /** Gives the place back. */
    @Override
    public void close() {
      if (held.compareAndSet(true, false)) {
        admission.served(beganNanos, beside);
        admission.leave();
      }
    }

    /** Gives the place back after a request that failed early, whose time says nothing of the capacity. */
    public void discard() {
      if (held.compareAndSet(true, false)) {
        admission.leave();
      }
    }
  }

  /** A request has arrived; empty if it is rejected. */
  public Optional<Place> enter() {
    boolean admitted;
    int beside;
    synchronized (this) {
      arrived++;
      admitted = occupied < limit;
      occupied += admitted ? 1 : 0;
      beside = occupied;
    }
    changed.run();
    return admitted ? Optional.of(new Place(this, nanoTime.getAsLong(), beside)) : Optional.empty();
  }

  private void served(long beganNanos, int beside) {
    if (adaptive.isPresent()) {
      adaptive.get().served(beganNanos, nanoTime.getAsLong() - beganNanos, beside);
      synchronized (this) {
        limit = adaptive.get().now();
      }
    }
  }

  private void leave() {
    synchronized (this) {
      occupied--;
    }
    changed.run();
  }

  /**
   * Lets in more or fewer from now on; those that are in stay. An adaptive number changes again with the next request.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST} if it is below 1
   */
  public void limit(int requests) {
    synchronized (this) {
      limit = checked(requests);
    }
    changed.run();
  }

  /**
   * Counts requests that wait before they are let in, too, such as those in the queue of an executor
   * ({@code executor.getQueue()::size}) or at a socket ({@link SocketBacklog}): each takes one of additional places. To
   * be called before the element is registered.
   *
   * @param waiting how many wait now; called at each change of the places, it must be quick
   * @param most how many may wait, 0 or more: the capacity of the queue
   * @return this
   * @throws RnsException {@link RnsError#INVALID_REQUEST}
   */
  public Admission queue(IntSupplier waiting, int most) {
    if (most < 0) {
      throw new RnsException(RnsError.INVALID_REQUEST, "a queue of " + most + " requests is invalid");
    }
    queue = new Queue(waiting, most);
    return this;
  }

  /** What is to be reported now. */
  public Occupancy occupancy() {
    Queue before = queue;
    int waiting = Math.max(0, Math.min(before.places(), before.waiting().getAsInt()));
    synchronized (this) {
      return new Occupancy(epoch, arrived, (long) occupied + waiting, (long) limit + before.places());
    }
  }

  /** Sets the single listener that is notified soon after every change. */
  void onChange(Runnable told) {
    changed = told;
  }
}
