package io.rns.client;

import io.rns.api.Positions;
import io.rns.referral.Experience;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongUnaryOperator;

/**
 * How a server has answered this client. Safe for use by many threads.
 *
 * <p>Of the round trips the slowest counts, and counts less as time passes, by half every {@value #HALF_LIFE_SECONDS}
 * s: also of a server that is asked no more because it was slow.
 */
public final class ServerHistory {
  static final long HALF_LIFE_SECONDS = 5;

  /** After the first failure a server is left alone for about this time, twice that after the next one, and so on. */
  static final long FIRST_REST_NANOS = TimeUnit.SECONDS.toNanos(1);

  static final long LAST_REST_NANOS = TimeUnit.SECONDS.toNanos(30);

  private static final double HALF_LIFE_NANOS = TimeUnit.SECONDS.toNanos(HALF_LIFE_SECONDS);

  private final AtomicInteger inFlight = new AtomicInteger();
  private volatile State state = new State(0, 0, Positions.NONE, false, 0, 0, 0);

  /**
   * What is known.
   *
   * @param roundTripNanos at {@code measured}
   * @param rest how long it was left alone last
   * @param restEnds when that ends
   */
  private record State(
      double roundTripNanos,
      long measured,
      Positions positions,
      boolean failing,
      long failed,
      long rest,
      long restEnds) {
    double roundTripNanos(long now) {
      return roundTripNanos * Math.pow(2, -Math.max(0, now - measured) / HALF_LIFE_NANOS);
    }
  }

  /** A call goes there. */
  public void begun() {
    inFlight.incrementAndGet();
  }

  /** Whether no call is under way there. */
  boolean isIdle() {
    return inFlight.get() == 0;
  }

  /** The call is over, whatever came of it. */
  public void ended() {
    inFlight.decrementAndGet();
  }

  /** It has answered, so it is well. */
  public void answered() {
    if (state.failing) {
      synchronized (this) {
        State was = state;
        state = new State(was.roundTripNanos, was.measured, was.positions, false, 0, 0, 0);
      }
    }
  }

  /** It has answered a read, which reflects positions. */
  public synchronized void answered(long now, long tookNanos, Positions at) {
    State was = state;
    state = new State(
        Math.max((double) tookNanos, was.roundTripNanos(now)), now, was.positions.with(at), false, 0, 0, 0);
  }

  /**
   * It could not be reached, did not answer, or turned the call away.
   *
   * @param leastNanos for how long it is to be left alone at least
   * @param random gives a number from zero up to, and without, its argument: clients do not come back together
   */
  public synchronized void failed(long now, long leastNanos, LongUnaryOperator random) {
    State was = state;
    if (was.failing && was.restEnds - now > 0) {
      // A call that was under way when the first one failed, or had no other server.
      state = new State(was.roundTripNanos, was.measured, was.positions, true, now, was.rest, was.restEnds);
      return;
    }
    long rest = was.rest == 0 ? FIRST_REST_NANOS : Math.min(LAST_REST_NANOS, 2 * was.rest);
    long named = leastNanos > 0 ? leastNanos : rest / 2;
    long ends = now + named + random.applyAsLong(leastNanos > 0 ? leastNanos : rest);
    long kept = leastNanos > 0 ? was.rest : rest;
    state = new State(was.roundTripNanos, was.measured, was.positions, true, now, kept, ends);
  }

  /** Forgets all but the calls under way. */
  synchronized void forget() {
    state = new State(0, 0, Positions.NONE, false, 0, 0, 0);
  }

  /** Whether it has failed and not answered since. */
  boolean isFailing() {
    return state.failing;
  }

  /** What is known at a moment. */
  public Experience at(long now) {
    State is = state;
    long failed = is.failing ? TimeUnit.NANOSECONDS.toMillis(Math.max(0, now - is.failed)) : -1;
    // Rounded up: whose rest ends within a millisecond still rests.
    long rest = is.failing ? -Math.floorDiv(now - is.restEnds, TimeUnit.MILLISECONDS.toNanos(1)) : 0;
    return new Experience((long) is.roundTripNanos(now), inFlight.get(), is.positions, failed, rest);
  }
}
