package io.rns.loadtest.figure;

import static io.rns.loadtest.figure.Figure.CACHE;
import static io.rns.loadtest.figure.Figure.CACHE_OF_THREE;
import static io.rns.loadtest.figure.Figure.DELAY_LINEAR;
import static io.rns.loadtest.figure.Figure.DELAY_ONE_FAST;
import static io.rns.loadtest.figure.Figure.DELAY_THREE_FAST;
import static io.rns.loadtest.figure.Figure.LATE;
import static io.rns.loadtest.figure.Figure.LINEAR;
import static io.rns.loadtest.figure.Figure.ONE_FAST;
import static io.rns.loadtest.figure.Figure.RAISED;
import static io.rns.loadtest.figure.Figure.SINKS;
import static io.rns.loadtest.figure.Figure.SIZE;
import static io.rns.loadtest.figure.Figure.THREE_FAST;
import static io.rns.loadtest.figure.Figure.USERS;
import static io.rns.pool.PolicyType.ADAPTIVE;

import io.rns.loadtest.figure.Claim.Finding;
import io.rns.pool.PolicyType;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.function.DoublePredicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All claims: those of the paper, and the bars that RNS sets for its own policy {@code adaptive}. */
public final class Claims {
  static final List<Figure> HETEROGENEOUS = List.of(ONE_FAST, THREE_FAST, LINEAR);
  private static final List<Figure> DELAYED = List.of(DELAY_ONE_FAST, DELAY_THREE_FAST, DELAY_LINEAR);
  private static final PolicyType LU = PolicyType.LEAST_USED;
  private static final PolicyType RR = PolicyType.ROUND_ROBIN;
  private static final PolicyType RAND = PolicyType.RANDOM;
  private static final List<PolicyType> BLIND = List.of(RR, RAND);
  private static final List<PolicyType> OF_PAPER = List.of(LU, RR, RAND);
  private static final double LOW = 1e4;
  private static final double MIDDLE = 333_333;
  private static final double HIGH = 5e5;
  private static final List<Double> ALL_Q = List.of(LOW, MIDDLE, HIGH);
  /** "About" of the paper, and the change that is none. */
  private static final double ABOUT = 0.03;
  private static final String BAR = "bar";

  /** Sections 5.1 to 5.4 of the paper, then the bars, which compare with least used under the same requests. */
  private static final List<Claim> ALL =
      List.of(
          new Claim("M1a", "rr and rand are slow at q = 10,000 (r = 10)", "figure 3", "< 10 %",
              m -> manyUsers(m, LOW, speed -> speed < 0.10)),
          new Claim("M1b", "rr and rand at q = 333,333 (r = 10)", "figure 3", "about 32 %",
              m -> manyUsers(m, MIDDLE, speed -> isAbout(speed, 0.32))),
          new Claim("M1c", "rr and rand at q = 500,000 (r = 10)", "figure 3", "about 47 %",
              m -> manyUsers(m, HIGH, speed -> isAbout(speed, 0.47))),
          new Claim("M1d", "lu is nearly the same for all q (r = 10)", "figure 3", "almost unaffected",
              Claims::unaffected),
          new Claim("M2", "the lower r, the slower", "figure 3", "speed(1) < speed(10), all curves",
              m -> slower(m, List.of(USERS), 1, 10, "%d of %d curves")),
          new Claim("M3a", "the smaller s, the slower", "figure 3", "slightly slower at s = 0.1 than at 10",
              Claims::smallIsSlow),
          new Claim("M3b", "rr and rand lose most by small s, at high q", "figure 3", "more than lu",
              Claims::blindLoseMost),
          new Claim("M4", "the higher q, the faster are rr and rand", "figures 4-6", "everywhere",
              Claims::higherIsFaster),
          new Claim("M5", "rr gets as slow as rand with growing kappa", "figure 4", "lead of rr shrinks",
              Claims::converge),
          new Claim("M6a", "a jump behind kappa = 3 at q = 333,333", "figure 4", "faster at 3.5 than at 3",
              m -> jump(m, MIDDLE, 3)),
          new Claim("M6b", "a jump behind kappa = 4 at q = 500,000", "figure 4", "faster at 4.5 than at 4",
              m -> jump(m, HIGH, 4)),
          new Claim("M7", "q helps lu at kappa = 5", "figure 5", "48 % at 500,000, 40 % at 333,333",
              m -> helpsLeastUsed(m, THREE_FAST)),
          new Claim("M7r", "the same, slow elements raised to q", "figure 5", "48 % at 500,000, 40 % at 333,333",
              m -> helpsLeastUsed(m, RAISED)),
          new Claim("M8", "one fast server is the most critical, linear the least", "figures 4-6",
              "speeds at 5 in that order", Claims::critical),
          new Claim("M9a", "handle resolutions grow with q", "figures 4-6", "rr, rand at 3", Claims::overheadGrows),
          new Claim("M9b", "most handle resolutions with rand, fewest with lu", "figures 4-6", "q = 500,000, at 3",
              Claims::mostByRandom),
          new Claim("M9c", "most handle resolutions with one fast server, fewest with linear", "figures 4-6",
              "rr, rand, q = 500,000, at 5", Claims::mostByOneFast),
          new Claim("M12", "utilisation does not depend on q or policy", "section 5.1",
              "80 %, unless very slow elements", Claims::utilisation),
          new Claim("M10a", "even a small c spares handle resolutions", "figure 7", "clearly fewer at c = 0.2",
              m -> spares(m, CACHE)),
          new Claim("M10b", "the same, three items per answer", "figure 7", "clearly fewer at c = 0.2",
              m -> spares(m, CACHE_OF_THREE)),
          new Claim("M10c", "a cache does not slow rr and rand", "figure 7", "same speed up to c = 1",
              Claims::unharmed),
          new Claim("M10d", "a cache slows lu at low q", "figure 7", "slightly at q = 333,333",
              Claims::cacheSlowsLeastUsed),
          new Claim("M11a", "speed sinks with delay", "figure 8", "all curves",
              m -> slower(m, DELAYED, 200, 0, "%d of %d curves are slower at 200 ms than at 0")),
          new Claim("M11b", "delay takes from the gain by high q", "figure 8", "gain of rr, rand shrinks",
              Claims::gainShrinks),
          new Claim("M11c", "q = 500,000 helps lu under delay", "figure 8", "slightly faster at 100 ms",
              Claims::helpsUnderDelay),
          new Claim("A1", "adaptive is at least as fast as lu in figures 4-6", BAR, "ratio 1 or more",
              m -> adaptive(HETEROGENEOUS.stream().flatMap(
                  figure -> ALL_Q.stream().flatMap(q -> valuesOf(m, figure).stream().map(x -> ratio(m, figure, q, x)))),
                  1)),
          new Claim("A2", "adaptive against lu at 100 ms", BAR, "1.3 or more", m -> delayed(m, 100, 1.3)),
          new Claim("A3", "adaptive against lu at 200 ms", BAR, "2 or more", m -> delayed(m, 200, 2)),
          new Claim("A4", "adaptive with reports one service time late, against itself with fresh ones", BAR,
              "0.75 or more", Claims::late),
          new Claim("A5", "failures of lu at sinks that adaptive avoids", BAR, "80 % or more", Claims::avoided));

  private Claims() {}

  public static List<Verdict> check(Measurements measurements) {
    return ALL.stream().map(claim -> claim.verdict(measurements)).toList();
  }

  private static double speed(Measurements m, Figure figure, PolicyType policy, double q, double x) {
    return m.get(figure, policy, q, x).speed().mean();
  }

  private static double overhead(Measurements m, Figure figure, PolicyType policy, double q, double x) {
    return m.get(figure, policy, q, x).resolutions().mean();
  }

  /** In percent, such as {@code 31.7 ± 0.4 %}. */
  private static String percent(Estimate estimate) {
    return String.format(Locale.ROOT, "%.1f ± %.1f %%", 100 * estimate.mean(), 100 * estimate.halfWidth());
  }

  /** The values of the quantity of a figure that were measured, in order. */
  private static List<Double> valuesOf(Measurements m, Figure figure) {
    List<Double> values = m.of(figure).stream().map(measured -> measured.cell().value()).distinct().sorted().toList();
    if (values.isEmpty()) {
      throw new Measurements.NotMeasuredException();
    }
    return values;
  }

  private static Finding manyUsers(Measurements m, double q, DoublePredicate agrees) {
    String ours = BLIND.stream().map(policy -> policy + " " + percent(m.get(USERS, policy, q, 10).speed()))
        .collect(Collectors.joining(", "));
    return new Finding(ours, BLIND.stream().mapToDouble(policy -> speed(m, USERS, policy, q, 10)).allMatch(agrees));
  }

  private static boolean isAbout(double speed, double claimed) {
    return Math.abs(speed - claimed) <= ABOUT;
  }

  private static Finding unaffected(Measurements m) {
    Estimate low = m.get(USERS, LU, LOW, 10).speed();
    Estimate high = m.get(USERS, LU, HIGH, 10).speed();
    return new Finding(percent(low) + " at q = 10,000, " + percent(high) + " at 500,000",
        Math.abs(low.mean() - high.mean()) <= ABOUT * low.mean());
  }

  /** Curves that are clearly slower at one value than at another. */
  private static Finding slower(Measurements m, List<Figure> figures, double at, double than, String format) {
    List<Boolean> curves =
        figures.stream().flatMap(figure -> OF_PAPER.stream().flatMap(policy -> ALL_Q.stream().map(
            q -> m.get(figure, policy, q, at).speed().isClearlyBelow(m.get(figure, policy, q, than).speed()))))
            .toList();
    long slower = curves.stream().filter(below -> below).count();
    return Finding.of(slower == curves.size(), format, slower, curves.size());
  }

  /** By how much speed falls from the largest to the smallest requests. */
  private static double loss(Measurements m, PolicyType policy, double q) {
    return 1 - speed(m, SIZE, policy, q, 0.1) / speed(m, SIZE, policy, q, 10);
  }

  private static Finding smallIsSlow(Measurements m) {
    return Finding.all("",
        OF_PAPER.stream().map(policy -> Finding.of(loss(m, policy, HIGH) > 0, "%s loses %.0f %%", policy,
            100 * loss(m, policy, HIGH))),
        "; at q = 500,000");
  }

  private static Finding blindLoseMost(Measurements m) {
    double least = Math.min(loss(m, RR, HIGH), loss(m, RAND, HIGH));
    double middle = Math.min(loss(m, RR, MIDDLE), loss(m, RAND, MIDDLE));
    return Finding.of(least > loss(m, LU, HIGH) && least > middle,
        "%.0f %% at q = 500,000, %.0f %% at 333,333, lu %.0f %%", 100 * least, 100 * middle, 100 * loss(m, LU, HIGH));
  }

  private static Finding higherIsFaster(Measurements m) {
    int steps = 0;
    int faster = 0;
    for (Figure figure : HETEROGENEOUS) {
      for (PolicyType policy : BLIND) {
        for (double x : valuesOf(m, figure)) {
          double middle = speed(m, figure, policy, MIDDLE, x);
          steps += 2;
          faster += speed(m, figure, policy, LOW, x) < middle ? 1 : 0;
          faster += middle < speed(m, figure, policy, HIGH, x) ? 1 : 0;
        }
      }
    }
    return Finding.of(faster == steps, "%d of %d steps of q are faster", faster, steps);
  }

  private static double lead(Measurements m, double q, double x) {
    return speed(m, ONE_FAST, RR, q, x) / speed(m, ONE_FAST, RAND, q, x);
  }

  private static Finding converge(Measurements m) {
    return Finding.all("rr / rand at kappa 1 and 5: ",
        ALL_Q.stream().map(q -> Finding.of(Math.abs(lead(m, q, 5) - 1) < Math.abs(lead(m, q, 1) - 1),
            "%.2f, %.2f (q = %,.0f)", lead(m, q, 1), lead(m, q, 5), q)),
        "");
  }

  private static Finding jump(Measurements m, double q, double at) {
    return Finding.all("", BLIND.stream().map(policy -> {
      Estimate before = m.get(ONE_FAST, policy, q, at).speed();
      Estimate after = m.get(ONE_FAST, policy, q, at + 0.5).speed();
      return Finding.of(before.isClearlyBelow(after), "%s %.1f to %.1f %%", policy, 100 * before.mean(),
          100 * after.mean());
    }), "");
  }

  private static Finding helpsLeastUsed(Measurements m, Figure figure) {
    Estimate high = m.get(figure, LU, HIGH, 5).speed();
    Estimate middle = m.get(figure, LU, MIDDLE, 5).speed();
    return new Finding(percent(high) + " at 500,000, " + percent(middle) + " at 333,333",
        isAbout(high.mean(), 0.48) && isAbout(middle.mean(), 0.40));
  }

  private static Finding critical(Measurements m) {
    return Finding.all("", BLIND.stream().flatMap(policy -> Stream.of(MIDDLE, HIGH).map(q -> {
      double one = speed(m, ONE_FAST, policy, q, 5);
      double three = speed(m, THREE_FAST, policy, q, 5);
      double linear = speed(m, LINEAR, policy, q, 5);
      return Finding.of(one < three && three < linear, "%s %.0f, %.0f, %.0f %%", policy, 100 * one, 100 * three,
          100 * linear);
    })), "; q = 333,333 and 500,000 each");
  }

  private static Finding overheadGrows(Measurements m) {
    boolean agrees =
        HETEROGENEOUS.stream().allMatch(figure -> BLIND.stream().allMatch(
            policy -> overhead(m, figure, policy, LOW, 3) < overhead(m, figure, policy, MIDDLE, 3)
                && overhead(m, figure, policy, MIDDLE, 3) < overhead(m, figure, policy, HIGH, 3)));
    return Finding.of(agrees, "rand, one fast: %.2f, %.2f, %.2f per request", overhead(m, ONE_FAST, RAND, LOW, 3),
        overhead(m, ONE_FAST, RAND, MIDDLE, 3), overhead(m, ONE_FAST, RAND, HIGH, 3));
  }

  private static Finding mostByRandom(Measurements m) {
    return Finding.all("rand, rr, lu: ", HETEROGENEOUS.stream().map(figure -> {
      double random = overhead(m, figure, RAND, HIGH, 3);
      double turns = overhead(m, figure, RR, HIGH, 3);
      double used = overhead(m, figure, LU, HIGH, 3);
      return Finding.of(random > turns && turns > used, "%.2f, %.2f, %.2f", random, turns, used);
    }), "; figures 4, 5, 6");
  }

  private static Finding mostByOneFast(Measurements m) {
    return Finding.all("", BLIND.stream().map(policy -> {
      double one = overhead(m, ONE_FAST, policy, HIGH, 5);
      double three = overhead(m, THREE_FAST, policy, HIGH, 5);
      double linear = overhead(m, LINEAR, policy, HIGH, 5);
      return Finding.of(one > three && three > linear, "%s %.2f, %.2f, %.2f", policy, one, three, linear);
    }), "; figures 4, 5, 6");
  }

  private static Finding utilisation(Measurements m) {
    HETEROGENEOUS.forEach(figure -> valuesOf(m, figure));
    DoubleSummaryStatistics used =
        HETEROGENEOUS.stream().flatMap(figure -> m.of(figure).stream())
            .filter(measured -> measured.cell().minCapacity() != LOW)
            .mapToDouble(measured -> measured.utilisation().mean()).summaryStatistics();
    return Finding.of(used.getMin() > 0.78 && used.getMax() < 0.82, "%.1f to %.1f %% with q of 333,333 and 500,000",
        100 * used.getMin(), 100 * used.getMax());
  }

  private static Finding spares(Measurements m, Figure figure) {
    return Finding.all("", BLIND.stream().map(policy -> {
      double without = overhead(m, figure, policy, HIGH, 0);
      double with = overhead(m, figure, policy, HIGH, 0.2);
      return Finding.of(with < 0.9 * without, "%s %.2f to %.2f", policy, without, with);
    }), "; per request, q = 500,000");
  }

  /** By which share a cache of one service time changes the speed. */
  private static double change(Measurements m, PolicyType policy, double q) {
    return speed(m, CACHE, policy, q, 1) / speed(m, CACHE, policy, q, 0) - 1;
  }

  private static Finding unharmed(Measurements m) {
    return Finding.all("",
        BLIND.stream().flatMap(policy -> Stream.of(MIDDLE, HIGH).map(
            q -> Finding.of(change(m, policy, q) > -ABOUT, "%s %+.1f %%", policy, 100 * change(m, policy, q)))),
        "; q = 333,333 and 500,000 each");
  }

  private static Finding cacheSlowsLeastUsed(Measurements m) {
    double middle = change(m, LU, MIDDLE);
    return Finding.of(middle < 0 && middle > -0.2, "%+.1f %% at q = 333,333, %+.1f %% at 500,000", 100 * middle,
        100 * change(m, LU, HIGH));
  }

  private static Finding gainShrinks(Measurements m) {
    return Finding.all("", BLIND.stream().map(policy -> {
      double near = gain(m, policy, 0);
      double far = gain(m, policy, 200);
      return Finding.of(far < near, "%s %.1f to %.1f points", policy, near, far);
    }), "; q = 10,000 to 500,000, 0 and 200 ms, one fast");
  }

  private static double gain(Measurements m, PolicyType policy, double millis) {
    return 100 * (speed(m, DELAY_ONE_FAST, policy, HIGH, millis) - speed(m, DELAY_ONE_FAST, policy, LOW, millis));
  }

  private static Finding helpsUnderDelay(Measurements m) {
    List<Estimate> speeds = ALL_Q.stream().map(q -> m.get(DELAY_ONE_FAST, LU, q, 100).speed()).toList();
    return new Finding(
        speeds.stream().map(Claims::percent).collect(Collectors.joining(", ", "", " for the three q")),
        speeds.getFirst().isClearlyBelow(speeds.getLast()));
  }

  private record Ratio(double value, Cell cell) {}

  private static Ratio ratio(Measurements m, Figure figure, double q, double x) {
    Measured ours = m.get(figure, ADAPTIVE, q, x);
    return new Ratio(ours.speed().mean() / speed(m, figure, LU, q, x), ours.cell());
  }

  private static Finding adaptive(Stream<Ratio> compared, double bar) {
    List<Ratio> ratios = compared.toList();
    Ratio least = ratios.stream().min(Comparator.comparingDouble(Ratio::value)).orElseThrow();
    double most = ratios.stream().mapToDouble(Ratio::value).max().orElseThrow();
    long below = ratios.stream().filter(r -> r.value() < bar).count();
    return Finding.of(below == 0, "%.3f to %.2f; %d of %d cells are below; least in figure %s, q = %,.0f, at %s",
        least.value(), most, below, ratios.size(), least.cell().figure(), least.cell().minCapacity(),
        least.cell().value());
  }

  private static Finding delayed(Measurements m, double millis, double bar) {
    return adaptive(DELAYED.stream().flatMap(figure -> ALL_Q.stream().map(q -> ratio(m, figure, q, millis))), bar);
  }

  private static Finding late(Measurements m) {
    return adaptive(ALL_Q.stream().map(q -> {
      Measured late = m.get(LATE, ADAPTIVE, q, 1);
      return new Ratio(late.speed().mean() / speed(m, LATE, ADAPTIVE, q, 0), late.cell());
    }), 0.75);
  }

  private static Finding avoided(Measurements m) {
    List<Double> shares =
        ALL_Q.stream().flatMap(q -> valuesOf(m, SINKS).stream().map(
            size -> 1 - m.get(SINKS, ADAPTIVE, q, size).failed().mean() / m.get(SINKS, LU, q, size).failed().mean()))
            .toList();
    String ours = shares.stream().map(share -> String.format(Locale.ROOT, "%.0f", 100 * share))
        .collect(Collectors.joining(", ", "", " % (s = 0.1, 1, 5 for each q)"));
    return new Finding(ours, shares.stream().allMatch(share -> share >= 0.8));
  }
}
