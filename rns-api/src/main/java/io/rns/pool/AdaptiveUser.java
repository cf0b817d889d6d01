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
 * those; the older the reports, the fewer it draws, unless most requests in the pool are its own, which it counts
 * itself. Such a user also goes less by response times: they follow from what it counts, and say as much about the
 * requests as about the elements.
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

  /**
   * How many times the middle response time makes an element too slow to be drawn beside others, for a user with few of
   * the pool's requests, and what is added for one that has them all.
   */
  private static final double SLOW = 4;

  private static final double SLOWER_ALONE = 6;

  /**
   * How much less a response time counts for a user that has all requests of the pool. In a model of the contests of
   * {@code ./rns bench policies} and of servers of which half are three times slower, with 1 to 50 users, 0.5 and 0.7
   * were better than 0 by up to 2.4 times for few users and within 6 % of it for many; 1 was worse with slower servers.
   */
  private static final double KNOWN_ALONE = 0.7;

  /**
   * The usable prospects, best first. Those that are much slower than most come after the others, whose response times
   * would rise if they were too busy. Failed elements are left out, but never more than half of all. Failed elements
   * that had to stay come last, since an element that fails immediately looks idle.
   */
  public List<Prospect> order(List<Prospect> prospects, long nowMillis, RandomGenerator random) {
    List<Prospect> usable = prospects.stream().filter(p -> Adaptive.capacity(p.standing()) > 0).toList();
    List<Prospect> good = those(usable, p -> !p.health().isOut(nowMillis));
    double share = share(usable);
    double slow = (SLOW + SLOWER_ALONE * share) * middleCost(good);
    List<Prospect> order =
        new ArrayList<>(compared(those(good, p -> p.costMillis() <= slow), share, nowMillis, random));
    order.addAll(compared(those(good, p -> p.costMillis() > slow), share, nowMillis, random));
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

  /** The part of the requests in the pool that are this user's, 0 to 1, as far as reports tell. */
  private static double share(List<Prospect> prospects) {
    double own = 0;
    double reported = 0;
    for (Prospect prospect : prospects) {
      own += prospect.inFlight();
      reported += held(prospect);
    }
    return own == 0 ? 0 : own / Math.max(own, reported);
  }

  private static double held(Prospect prospect) {
    return (double) prospect.standing().parameters().occupancy().occupied() + prospect.standing().charged();
  }

  /** The median of the known costs; of fewer than three infinite, since it is not known which one is unusual. */
  private static double middleCost(List<Prospect> prospects) {
    double[] known = prospects.stream().mapToDouble(Prospect::costMillis).filter(cost -> cost > 0).sorted().toArray();
    return known.length < 3 ? Double.POSITIVE_INFINITY : known[known.length / 2];
  }

  private List<Prospect> compared(List<Prospect> usable, double share, long nowMillis, RandomGenerator random) {
    long age = 0;
    for (Prospect prospect : usable) {
      age = Math.max(age, nowMillis - prospect.reportedMillis());
    }
    double unknownCost = usable.stream().mapToDouble(Prospect::costMillis).filter(cost -> cost > 0).average().orElse(1);
    Comparator<Prospect> best =
        Comparator.comparingDouble((Prospect p) -> score(p, share, nowMillis, unknownCost))
            .thenComparingLong(Prospect::sequence);
    if (age <= FRESH * serviceMillis && usable.size() <= ALL) {
      usable.sort(best);
      return usable;
    }
    int draws = age <= serviceMillis ? DRAWS : DRAWS_WHEN_STALE;
    return drawn(usable, Math.max(draws, Math.toIntExact(Math.round(share * Math.min(ALL, usable.size())))), best,
        nowMillis, random);
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

  private double score(Prospect prospect, double share, long nowMillis, double unknownCost) {
    double others = held(prospect) * remaining(nowMillis - prospect.reportedMillis());
    double requests = others + prospect.inFlight() + Adaptive.NEXT;
    double cost = prospect.costMillis() > 0 ? prospect.costMillis() : unknownCost;
    return Math.pow(cost, 1 - KNOWN_ALONE * share) * requests / capacity(prospect, nowMillis);
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
