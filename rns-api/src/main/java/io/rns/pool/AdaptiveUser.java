package io.rns.pool;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The adaptive policy where it is applied by a user to what it got from a registrar: the least occupied, with the
 * requests of this user and the cost of each answer.
 *
 * <p>While reports are fresh all are compared. When they are older, many users that know the same would all choose the
 * same; then a few are drawn in proportion to their capacity, and the best of those is next: fewer, the older the
 * reports are.
 *
 * @param serviceMillis how long a request usually takes: reports are fresh up to 0.3 of this
 * @param warmUpMillis how long an element that the user has just met gets less than its share; 0 for none
 */
public record AdaptiveUser(long serviceMillis, long warmUpMillis) {
  /** Up to so many are compared with each other. */
  public static final int ALL = 100;

  private static final double FRESH = 0.3;
  private static final int DRAWS = 4;
  private static final int DRAWS_WHEN_STALE = 2;
  private static final double COLD_SHARE = 0.1;

  /**
   * The prospects that can be used, the best first. Elements that failed are left out, but never more than half of
   * them; those that had to stay come last, for an element that fails at once looks idle.
   */
  public List<Prospect> order(List<Prospect> prospects, long nowMillis, RandomGenerator random) {
    List<Prospect> usable = prospects.stream().filter(p -> Adaptive.capacity(p.standing()) > 0).toList();
    List<Prospect> good = new ArrayList<>(usable.stream().filter(p -> !p.health().isOut(nowMillis)).toList());
    List<Prospect> order = new ArrayList<>(compared(good, nowMillis, random));
    usable.stream()
        .filter(p -> p.health().isOut(nowMillis))
        .sorted(Comparator.comparingLong(p -> p.health().outUntilMillis()))
        .limit(Math.max(0, (usable.size() + 1) / 2 - good.size()))
        .forEach(order::add);
    return List.copyOf(order);
  }

  private List<Prospect> compared(List<Prospect> usable, long nowMillis, RandomGenerator random) {
    long age = 0;
    for (Prospect prospect : usable) {
      age = Math.max(age, nowMillis - prospect.reportedMillis());
    }
    double unknownCost = usable.stream().mapToDouble(Prospect::costMillis).filter(cost -> cost > 0).average().orElse(1);
    Comparator<Prospect> best =
        Comparator.comparingDouble((Prospect p) -> score(p, nowMillis, unknownCost))
            .thenComparingLong(Prospect::sequence);
    if (age <= FRESH * serviceMillis && usable.size() <= ALL) {
      usable.sort(best);
      return usable;
    }
    return drawn(usable, age <= serviceMillis ? DRAWS : DRAWS_WHEN_STALE, best, nowMillis, random);
  }

  /** The best of a window over all in drawn order: what is taken out is replaced by the next that was drawn. */
  private List<Prospect> drawn(
      List<Prospect> usable, int draws, Comparator<Prospect> best, long nowMillis, RandomGenerator random) {
    record Drawn(Prospect prospect, double time) {}
    List<Drawn> waiting = new ArrayList<>();
    for (Prospect prospect : usable) {
      waiting.add(new Drawn(prospect, -Math.log(1 - random.nextDouble()) / capacity(prospect, nowMillis)));
    }
    waiting.sort(Comparator.comparingDouble(Drawn::time));
    List<Prospect> window = new ArrayList<>();
    List<Prospect> order = new ArrayList<>(usable.size());
    for (Drawn next : waiting) {
      window.add(next.prospect());
      if (window.size() == draws) {
        take(window, best, order);
      }
    }
    while (!window.isEmpty()) {
      take(window, best, order);
    }
    return order;
  }

  private static void take(List<Prospect> window, Comparator<Prospect> best, List<Prospect> order) {
    Prospect taken = window.stream().min(best).orElseThrow();
    window.remove(taken);
    order.add(taken);
  }

  private double score(Prospect prospect, long nowMillis, double unknownCost) {
    SelectionState standing = prospect.standing();
    double requests = (double) standing.parameters().occupancy().occupied() + standing.charged() + prospect.inFlight()
        + Adaptive.NEXT;
    double cost = prospect.costMillis() > 0 ? prospect.costMillis() : unknownCost;
    return cost * requests / capacity(prospect, nowMillis);
  }

  private double capacity(Prospect prospect, long nowMillis) {
    double age = nowMillis - (double) prospect.knownSinceMillis();
    double warm = warmUpMillis == 0 ? 1 : Math.max(COLD_SHARE, Math.min(1, age / warmUpMillis));
    return warm * Adaptive.capacity(prospect.standing());
  }
}
