package io.rns.association;

import java.util.function.LongSupplier;

/**
 * The time during which the registrar runs. A pause of the whole process, such as a suspended machine, hardly counts:
 * elements cannot renew or answer during it and would all be lost at its end. Clock adjustments do not count either.
 *
 * <p>A pause is detected by a timer that is more than {@link #LATE_MILLIS} ms overdue. It counts as half the time until
 * that timer, so that nothing is due right after it, while time still advances on a machine that is always late. Not
 * thread-safe.
 */
final class RunningTime {
  /** Delay of timers tolerated on a busy machine. */
  static final long LATE_MILLIS = 1_000;

  private final LongSupplier clock;
  private long read;
  private long time;
  private long due;

  /**
   * Starts at the time of the clock.
   *
   * @param clock milliseconds
   */
  RunningTime(LongSupplier clock) {
    this.clock = clock;
    this.read = clock.getAsLong();
    this.time = read;
    this.due = read;
  }

  /** The time, in milliseconds. */
  long millis() {
    long now = clock.getAsLong();
    long passed = Math.max(0, now - read);
    read = now;
    long planned = planned();
    boolean isPause = passed - planned > LATE_MILLIS;
    time += isPause ? planned - planned / 2 : passed;
    return time;
  }

  /** Time until the next timer; saturates. */
  private long planned() {
    long wait = due <= time ? 0 : due - time;
    return wait < 0 ? Long.MAX_VALUE : wait;
  }

  /** Sets the time of the next timer. */
  void due(long at) {
    due = at;
  }
}
