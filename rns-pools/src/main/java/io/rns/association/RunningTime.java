package io.rns.association;

import java.util.function.LongSupplier;

/**
 * Time as far as the registrar runs. A pause of the whole process, such as a machine that sleeps, hardly counts: nobody
 * could renew or answer meanwhile, and everybody would be lost at its end. Neither does a clock that is set, ahead or
 * back.
 *
 * <p>A pause is seen by what was due in it and was not done. It counts as half the time that was left until then, so
 * that nothing is due at once behind it; a machine on which everything is always late gets on nevertheless. For one
 * thread.
 */
final class RunningTime {
  /** A busy machine may be so late. */
  static final long LATE_MILLIS = 1_000;

  private final LongSupplier clock;
  private long read;
  private long time;
  private long due;

  /**
   * Begins at the time of the clock.
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

  /** How long nothing is due; saturates. */
  private long planned() {
    long wait = due <= time ? 0 : due - time;
    return wait < 0 ? Long.MAX_VALUE : wait;
  }

  /** Something is to be done then, of which all that is awaited is the first. */
  void due(long at) {
    due = at;
  }
}
