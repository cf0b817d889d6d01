package io.rns.loadtest.figure;

import io.rns.loadtest.sim.Distribution;
import io.rns.loadtest.sim.Scenario;
import io.rns.pool.PolicyType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * The figures of the paper, by number and part, and our own. Each is one quantity that varies, for some q and policies.
 */
@SuppressWarnings("ImmutableEnumChecker") // what it holds is never changed, but the types do not say so
public enum Figure {
  /** Figure 3, left: the ratio of users to elements. */
  USERS("3-users", "users per element r", Qs.ALL, (s, x) -> s.withLoad((int) x.doubleValue(), 5, 0.8), 1, 2, 3, 4, 5, 6,
      8, 10),
  /** Figure 3, right: the size of requests. */
  SIZE("3-size", "request size s, seconds", Qs.ALL, (s, x) -> s.withLoad(3, x, 0.8), 0.1, 0.2, 0.5, 1, 2, 5, 10),
  /** Figure 4: one fast server. */
  ONE_FAST("4", "kappa", Qs.ALL, (s, x) -> s.withDistribution(Distribution.ONE_FAST, x), Ratios.ALL),
  /** Figure 5: three fast servers. */
  THREE_FAST("5", "kappa", Qs.ALL, (s, x) -> s.withDistribution(Distribution.THREE_FAST, x), Ratios.ALL),
  /** Figure 5 where no element has less than q. */
  RAISED(
      "5-raised",
      "kappa",
      List.of(333_333.0, 5e5),
      (s, x) -> s.withDistribution(Distribution.THREE_FAST, x).withMinCapacity(s.minCapacity(), true),
      4,
      5),
  /** Figure 6: a linear distribution. */
  LINEAR("6", "gamma", Qs.ALL, (s, x) -> s.withDistribution(Distribution.LINEAR, x), Ratios.ALL),
  /** Figure 7: how long users keep what they were told. */
  CACHE("7", "stale cache value c, in service times", Qs.ALL, Scenario::withCacheShare, 0, 0.1, 0.2, 0.4, 0.6, 0.8, 1),
  /** Figure 7 where the registrar names three elements at a time. */
  CACHE_OF_THREE(
      "7-items",
      "stale cache value c, in service times",
      Qs.ALL,
      (s, x) -> s.withCacheShare(x).withPolicy(s.policy(), 3),
      0,
      0.2,
      1),
  /** Figure 8, one fast server: network delay. */
  DELAY_ONE_FAST("8-one-fast", "delay, ms one way", Qs.ALL, (s, x) -> delayed(s, Distribution.ONE_FAST, x), Delays.ALL),
  /** Figure 8, three fast servers. */
  DELAY_THREE_FAST("8-three-fast", "delay, ms one way", Qs.ALL, (s, x) -> delayed(s, Distribution.THREE_FAST, x),
      Delays.ALL),
  /** Figure 8, linear distribution. */
  DELAY_LINEAR("8-linear", "delay, ms one way", Qs.ALL, (s, x) -> delayed(s, Distribution.LINEAR, x), Delays.ALL),
  /** Not of the paper: reports of load that come late. */
  LATE("late", "delay of reports, in service times", Qs.ALL, (s, x) -> s.withDelays(0, x * s.requestSeconds()), 0, 0.1,
      0.25, 0.5, 1),
  /** Not of the paper: 2 of 20 equal servers fail every request at once, while the others are used to 78 %. */
  SINKS(
      "sinks",
      "request size s, seconds",
      Qs.ALL,
      (s, x) -> s.withElements(20, 2).withDistribution(Distribution.LINEAR, 1).withLoad(3, x, 0.7),
      0.1,
      1,
      5);

  /** Of requests shorter than this, as many are simulated as of this length. */
  private static final double SHORTEST_FULL_SECONDS = 1;

  private final String text;
  private final String quantity;
  private final List<Double> minCapacities;
  private final BiFunction<Scenario, Double, Scenario> scenario;
  private final double[] values;

  Figure(
      String text,
      String quantity,
      List<Double> minCapacities,
      BiFunction<Scenario, Double, Scenario> scenario,
      double... values) {
    this.text = text;
    this.quantity = quantity;
    this.minCapacities = minCapacities;
    this.scenario = scenario;
    this.values = values;
  }

  private static final class Qs {
    static final List<Double> ALL = List.of(1e4, 333_333.0, 5e5);
  }

  private static final class Ratios {
    static final double[] ALL = {1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5};
  }

  private static final class Delays {
    static final double[] ALL = {0, 25, 50, 100, 150, 200};
  }

  private static Scenario delayed(Scenario base, Distribution distribution, double millis) {
    return base.withLoad(3, 1, 0.8).withDistribution(distribution, 3).withDelays(millis / 1_000, 0);
  }

  /** Such as {@code 3-users}; the part before the dash is the number in the paper. */
  @Override
  public String toString() {
    return text;
  }

  /** Whether it is asked for by this: its name, its number, or {@code all}. */
  public boolean isMeantBy(String name) {
    return name.equals("all") || name.equals(text) || text.startsWith(name + "-");
  }

  public static Optional<Figure> named(String name) {
    return Arrays.stream(values()).filter(figure -> figure.text.equals(name)).findFirst();
  }

  public String quantity() {
    return quantity;
  }

  boolean isLogarithmic() {
    return this == SIZE || this == SINKS;
  }

  public List<Cell> cells(List<PolicyType> policies) {
    List<Cell> cells = new ArrayList<>();
    for (PolicyType policy : policies) {
      for (double minCapacity : minCapacities) {
        for (double value : values) {
          cells.add(new Cell(this, policy, minCapacity, value));
        }
      }
    }
    return cells;
  }

  /**
   * One point of it. A registrar names three elements to users of an adaptive pool, and one to others, as in the paper.
   */
  Scenario scenario(Cell cell, double minutes, double warmUpMinutes) {
    Scenario base =
        Scenario.BASE
            .withMinCapacity(cell.minCapacity(), false)
            .withPolicy(cell.policy(), cell.policy() == PolicyType.ADAPTIVE ? 3 : 1);
    Scenario varied = scenario.apply(base, cell.value());
    double share = Math.min(1, varied.requestSeconds() / SHORTEST_FULL_SECONDS);
    return varied.withMinutes(minutes * share, warmUpMinutes * share);
  }
}
