package io.rns.client.pool;

import io.rns.pool.CreditReports;
import io.rns.pool.Occupancy;
import io.rns.pool.Parameters;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * An element's report of itself, and whether it differs enough from the last one. Safe for use by many threads.
 */
final class Reports {
  /** A load is reported early when it differs by this: 5 %. */
  private static final long LOAD_STEP = Parameters.FULL / 20;

  private final Parameters fixed;
  private final Optional<LongSupplier> load;
  private final Optional<Admission> admission;
  private volatile Parameters last;

  Reports(Parameters fixed, Optional<LongSupplier> load, Optional<Admission> admission) {
    this.fixed = fixed;
    this.load = load;
    this.admission = admission;
    this.last = fixed;
  }

  /** The report to send now. */
  Parameters take() {
    Parameters now = load.map(supplier -> fixed.withLoad(bounded(supplier.getAsLong()))).orElse(fixed);
    return admission.map(places -> now.withOccupancy(places.occupancy())).orElse(now);
  }

  private static long bounded(long load) {
    return Math.max(0, Math.min(Parameters.FULL, load));
  }

  /** The report was sent. */
  void said(Parameters parameters) {
    last = parameters;
  }

  /** Whether to report now, before its time. */
  boolean isDue() {
    return arePlacesDue()
        || load.filter(now -> Math.abs(bounded(now.getAsLong()) - last.load()) >= LOAD_STEP).isPresent();
  }

  /** Whether to report the places now: the free ones differ enough, or enough requests have arrived. */
  boolean arePlacesDue() {
    Occupancy before = last.occupancy();
    return admission.map(Admission::occupancy).filter(now -> isDue(before, now)).isPresent();
  }

  private static boolean isDue(Occupancy before, Occupancy now) {
    return before.limit() != now.limit() || CreditReports.isDue(before, now);
  }

  /** Whether there is something that has to be looked at regularly. */
  boolean samples() {
    return load.isPresent();
  }

  void onChange(Runnable told) {
    admission.ifPresent(places -> places.onChange(told));
  }
}
