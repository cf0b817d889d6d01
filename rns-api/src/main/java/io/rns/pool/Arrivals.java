package io.rns.pool;

/**
 * Which selections are still on their way after a report: those charged, less those the element says have arrived.
 *
 * <p>Some never arrive: a client asks and does not call. They would count for ever; so a report that shows no arrival
 * at all drops those that were already charged at the report before.
 */
final class Arrivals {
  private Arrivals() {}

  /** Where an element stands after a report, with what is still on its way. */
  static SelectionState report(SelectionState standing, Parameters report) {
    Occupancy before = standing.parameters().occupancy();
    Occupancy now = report.occupancy();
    if (now.epoch() != before.epoch()) {
      return standing.reported(report, 0);
    }
    long arrived = now.accepted() - before.accepted();
    if (arrived < 0) {
      // An older report that was overtaken: it knows less.
      return standing;
    }
    long left = arrived == 0 ? standing.charged() - standing.carried() : Math.max(0, standing.charged() - arrived);
    return standing.reported(report, left);
  }
}
