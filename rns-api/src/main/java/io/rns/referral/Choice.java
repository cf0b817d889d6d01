package io.rns.referral;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A server at its place in the order, and why it stands there.
 *
 * @param candidate the server
 * @param wish what was wanted
 */
public record Choice(ServerCandidate candidate, Wish wish) {
  private static final double NANOS_PER_MILLI = 1_000_000;

  /** The server. */
  public Announcement server() {
    return candidate.server();
  }

  /** Whether its reads see what the client has seen, as far as can be told; always for a write. */
  public boolean satisfies() {
    return sight() != Freshness.LACKS;
  }

  Freshness sight() {
    return Freshness.of(candidate, wish);
  }

  /** Where it stands before the policy has its say: the earlier, the better. */
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
    return candidate.told() ? Place.TOLD : Place.UNKNOWN;
  }

  /** How likely a server answers at all. The better, the earlier. */
  enum Place {
    TOLD, UNKNOWN, FAILED, DOWN, UNUSED
  }

  /** Of those that failed and are not to be asked yet, how long ago: whom to ask if there is nobody else. */
  long failedMillis() {
    return place() == Place.FAILED ? candidate.experience().failedMillis() : 0;
  }

  /** How well the role suits: only calls that the primary has to answer care. */
  int role() {
    return wish.primary() && server().role() != ServerRole.PRIMARY ? 1 : 0;
  }

  int distance() {
    return wish.site().distance(server().site());
  }

  /**
   * What one more call costs there: the measured round trip times the client's calls under way, this one included,
   * divided by the free capacity. A server that was not measured is asked once.
   */
  double cost() {
    Experience known = candidate.experience();
    if (known.roundTripNanos() == 0) {
      return known.inFlight() == 0 ? 0 : Double.MAX_VALUE;
    }
    return (double) known.roundTripNanos() * (known.inFlight() + 1) / server().freeCapacity();
  }

  /** Why it stands where it does, in a few words for people. */
  public String reason() {
    List<String> reasons = new ArrayList<>();
    if (!candidate.usable()) {
      reasons.add("not asked: its address is no good, or one of too many");
    }
    if (!candidate.told()) {
      reasons.add("named, but no server tells of it");
    }
    if (!server().living()) {
      reasons.add("said to be down");
    }
    failure(reasons);
    if (wish.primary()) {
      reasons.add(!candidate.told() ? "its role is not known"
          : role() == 0 ? "primary, which has to answer" : "not the primary");
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
          known.restMillis() > 0 ? ", not asked again for " + known.restMillis() + " ms" : ", to be tried again";
      reasons.add("failed " + known.failedMillis() + " ms ago" + when);
    }
  }

  private void sight(List<String> reasons) {
    if (wish.seen().isEmpty()) {
      return;
    }
    reasons.add(
        switch (sight()) {
          case HAS -> server().role() == ServerRole.PRIMARY ? "primary, which has all" : "has what was seen";
          case SOON -> "has what was seen, or soon will: it lags " + server().lagMillis() + " ms";
          case LACKS ->
            server().position().isEmpty()
                ? "may lack what was seen: its position is not known"
                : "may lack what was seen: it lags " + server().lagMillis() + " ms";
        });
  }

  private String where() {
    int distance = distance();
    if (server().site().isNone()) {
      return "its site is not known";
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
    String calls = known.inFlight() == 0 ? "" : ", " + known.inFlight() + " under way";
    reasons.add("round trip " + millis + " ms" + calls + ", load " + server().load() + " %");
  }
}
