package io.rns.pool;

/**
 * Determines which selections are still in transit after a report: those charged, minus those the element reports as
 * arrived.
 *
 * <p>Some never arrive: a client resolves but does not call. To keep them from counting for ever, a report without any
 * arrival drops the selections that were already charged at the previous report.
 */
final class Arrivals {
  private Arrivals() {}

  /** The state of an element after a report, with the selections still in transit. */
  static SelectionState report(SelectionState standing, Parameters report) {
    Occupancy before = standing.parameters().occupancy();
    Occupancy now = report.occupancy();
    if (now.epoch() != before.epoch()) {
      return standing.reported(report, 0);
    }
    long arrived = now.accepted() - before.accepted();
    if (arrived < 0) {
      // An older report, overtaken by a newer one.
      return standing;
    }
    long left = arrived == 0 ? standing.charged() - standing.carried() : Math.max(0, standing.charged() - arrived);
    return standing.reported(report, left);
  }
}
