package io.rns.pool;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * The adaptive policy as a pool user applies it to the elements it received from a registrar: lowest occupancy,
 * including the user's own requests and the cost of each response.
 *
 * <p>While reports are fresh, all elements are compared. With stale reports, many users with the same information would
 * all choose the same element. The user therefore draws a few in proportion to their capacity and takes the best of
 * those; the older the reports, the fewer it draws.
 *
 * @param serviceMillis the usual duration of a request in ms: reports are fresh up to 0.3 of this
 * @param warmUpMillis how long an element new to this user receives less than its share, in ms; 0 for none
 */
public record AdaptiveUser(long serviceMillis, long warmUpMillis) {
  /** The maximum number of elements compared with each other. */
  public static final int ALL = 100;

  private static final double FRESH = 0.3;
  private static final int DRAWS = 4;
  private static final int DRAWS_WHEN_STALE = 2;
  private static final double COLD_SHARE = 0.1;

  /** How many times the middle response time makes an element too slow to be drawn beside others. */
  private static final double SLOW = 4;

  /**
   * The usable prospects, best first. Those that are much slower than most come after the others, whose response times
   * would rise if they were too busy. Failed elements are left out, but never more than half of all. Failed elements
   * that had to stay come last, since an element that fails immediately looks idle.
   */
  public List<Prospect> order(List<Prospect> prospects, long nowMillis, RandomGenerator random) {
    List<Prospect> usable = prospects.stream().filter(p -> Adaptive.capacity(p.standing()) > 0).toList();
    List<Prospect> good = those(usable, p -> !p.health().isOut(nowMillis));
    double slow = SLOW * middleCost(good);
    List<Prospect> order =
        new ArrayList<>(compared(those(good, p -> p.costMillis() <= slow), nowMillis, random));
    order.addAll(compared(those(good, p -> p.costMillis() > slow), nowMillis, random));
    usable.stream()
        .filter(p -> p.health().isOut(nowMillis))
        .sorted(Comparator.comparingLong(p -> p.health().outUntilMillis()))
        .limit(Math.max(0, (usable.size() + 1) / 2 - good.size()))
        .forEach(order::add);
    return List.copyOf(order);
  }

  private static List<Prospect> those(List<Prospect> prospects, Predicate<Prospect> wanted) {
    return new ArrayList<>(prospects.stream().filter(wanted).toList());
  }

  /** The median of the known costs; of fewer than three infinite, since it is not known which one is unusual. */
  private static double middleCost(List<Prospect> prospects) {
    double[] known = prospects.stream().mapToDouble(Prospect::costMillis).filter(cost -> cost > 0).sorted().toArray();
    return known.length < 3 ? Double.POSITIVE_INFINITY : known[known.length / 2];
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

  /**
   * The best of a sliding window over all elements in drawn order: each element taken is replaced by the next drawn.
   */
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
    double held = (double) standing.parameters().occupancy().occupied() + standing.charged();
    double requests = held * remaining(nowMillis - prospect.reportedMillis()) + prospect.inFlight() + Adaptive.NEXT;
    double cost = prospect.costMillis() > 0 ? prospect.costMillis() : unknownCost;
    return cost * requests / capacity(prospect, nowMillis);
  }

  /** The part of the requests that were held then and may be there still: those of long ago are done, others came. */
  private double remaining(long ageMillis) {
    return ageMillis <= serviceMillis ? 1 : (double) serviceMillis / ageMillis;
  }

  private double capacity(Prospect prospect, long nowMillis) {
    double age = nowMillis - (double) prospect.knownSinceMillis();
    double warm = warmUpMillis == 0 ? 1 : Math.max(COLD_SHARE, Math.min(1, age / warmUpMillis));
    return warm * Adaptive.capacity(prospect.standing());
  }
}
