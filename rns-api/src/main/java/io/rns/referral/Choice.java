package io.rns.referral;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A server with its rank in the order, and the reasons for it.
 *
 * @param candidate the server
 * @param wish the requirements of the call
 */
public record Choice(ServerCandidate candidate, Wish wish) {
  private static final double NANOS_PER_MILLI = 1_000_000;

  public Announcement server() {
    return candidate.server();
  }

  /** Whether its reads include what the client has seen, as far as the client knows; always true for a write. */
  public boolean satisfies() {
    return sight() != Freshness.LACKS;
  }

  Freshness sight() {
    return Freshness.of(candidate, wish);
  }

  /** The first ranking criterion, before the policy. */
  Place place() {
    if (!candidate.usable()) {
      return Place.UNUSED;
    }
    if (!server().living()) {
      return Place.DOWN;
    }
    if (candidate.experience().isResting()) {
      return Place.FAILED;
    }
    if (server().role() == ServerRole.DRAINING) {
      return Place.DRAINING;
    }
    return candidate.told() ? Place.REPORTED : Place.UNKNOWN;
  }

  /** The likelihood that a server answers, and goes on to, best first. */
  enum Place {
    REPORTED, DRAINING, UNKNOWN, FAILED, DOWN, UNUSED
  }

  /** For a failed server that is still backing off, the age of the failure; orders the servers of last resort. */
  long failedMillis() {
    return place() == Place.FAILED ? candidate.experience().failedMillis() : 0;
  }

  /** The suitability of the role; relevant only to calls that require the primary. */
  int role() {
    return wish.primary() && server().role() != ServerRole.PRIMARY ? 1 : 0;
  }

  int distance() {
    return wish.site().distance(server().site());
  }

  /**
   * The estimated cost of one more call: the measured round trip times the client's calls in flight (this one
   * included), divided by the free capacity. A server not yet measured costs 0, so that it is tried, with one call
   * until the first measurement.
   */
  double cost() {
    Experience known = candidate.experience();
    if (known.roundTripNanos() == 0) {
      return known.inFlight() == 0 ? 0 : Double.MAX_VALUE;
    }
    return (double) known.roundTripNanos() * (known.inFlight() + 1) / server().freeCapacity();
  }

  /** The reasons for the rank, in a few words for people. */
  public String reason() {
    List<String> reasons = new ArrayList<>();
    if (!candidate.usable()) {
      reasons.add("not used: invalid address, HTTP in place of HTTPS, or too many servers");
    }
    if (!candidate.told()) {
      reasons.add("named by the client, not reported by any server");
    }
    if (!server().living()) {
      reasons.add("reported down");
    }
    if (server().role() == ServerRole.DRAINING) {
      reasons.add("draining");
    }
    failure(reasons);
    if (wish.primary()) {
      reasons.add(!candidate.told() ? "role unknown"
          : role() == 0 ? "primary, required for this call" : "not the primary");
    } else {
      sight(reasons);
    }
    if (!wish.site().isNone()) {
      reasons.add(where());
    }
    measured(reasons);
    return String.join("; ", reasons);
  }

  private void failure(List<String> reasons) {
    Experience known = candidate.experience();
    if (known.hasFailed()) {
      String when =
          known.restMillis() > 0 ? ", not retried for " + known.restMillis() + " ms" : ", due for a retry";
      reasons.add("failed " + known.failedMillis() + " ms ago" + when);
    }
  }

  private void sight(List<String> reasons) {
    if (wish.seen().isEmpty()) {
      return;
    }
    reasons.add(
        switch (sight()) {
          case HAS -> server().role() == ServerRole.PRIMARY ? "primary, always up to date" : "has the position seen";
          case SOON -> "has the position seen, or soon will: lag " + server().lagMillis() + " ms";
          case LACKS ->
            server().position().isEmpty()
                ? "may lack the position seen: position unknown"
                : "may lack the position seen: lag " + server().lagMillis() + " ms";
        });
  }

  private String where() {
    int distance = distance();
    if (server().site().isNone()) {
      return "site unknown";
    }
    return distance == 0 ? "same site" : distance + (distance == 1 ? " level" : " levels") + " away";
  }

  private void measured(List<String> reasons) {
    Experience known = candidate.experience();
    if (known.roundTripNanos() == 0) {
      reasons.add("not measured");
      return;
    }
    String millis = String.format(Locale.ROOT, "%.1f", known.roundTripNanos() / NANOS_PER_MILLI);
    String calls = known.inFlight() == 0 ? "" : ", " + known.inFlight() + " in flight";
    reasons.add("round trip " + millis + " ms" + calls + ", load " + server().load() + " %");
  }
}
