package io.rns.client.pool;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.pool.Occupancy;
import io.rns.pool.Parameters;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
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
  private int limit;
  private int occupied;
  private long arrived;
  private volatile Runnable changed = () -> {};

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
    this.limit = checked(limit);
    // Shows registrars that the count restarted.
    this.epoch = random.nextInt() & Parameters.FULL;
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

    private Place(Admission admission) {
      this.admission = admission;
    }

    /** Gives the place back. */
    @Override
    public void close() {
      if (held.compareAndSet(true, false)) {
        admission.leave();
      }
    }
  }

  /** A request has arrived; empty if it is rejected. */
  public Optional<Place> enter() {
    boolean admitted;
    synchronized (this) {
      arrived++;
      admitted = occupied < limit;
      occupied += admitted ? 1 : 0;
    }
    changed.run();
    return admitted ? Optional.of(new Place(this)) : Optional.empty();
  }

  private void leave() {
    synchronized (this) {
      occupied--;
    }
    changed.run();
  }

  /**
   * Lets in more or fewer from now on; those that are in stay.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST} if it is below 1
   */
  public void limit(int requests) {
    synchronized (this) {
      limit = checked(requests);
    }
    changed.run();
  }

  /** What is to be reported now. */
  public synchronized Occupancy occupancy() {
    return new Occupancy(epoch, arrived, occupied, limit);
  }

  /** Sets the single listener that is notified soon after every change. */
  void onChange(Runnable told) {
    changed = told;
  }
}
