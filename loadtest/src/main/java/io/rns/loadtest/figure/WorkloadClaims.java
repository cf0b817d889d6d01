package io.rns.loadtest.figure;

import static io.rns.loadtest.figure.Findings.BLIND;
import static io.rns.loadtest.figure.Findings.HIGH;
import static io.rns.loadtest.figure.Findings.LOW;
import static io.rns.loadtest.figure.Findings.LU;
import static io.rns.loadtest.figure.Findings.MIDDLE;
import static io.rns.loadtest.figure.Findings.RAND;
import static io.rns.loadtest.figure.Findings.RR;
import static io.rns.loadtest.figure.Findings.percent;
import static io.rns.loadtest.figure.Findings.text;
import static io.rns.loadtest.figure.Findings.valuesOf;

import io.rns.loadtest.figure.Claim.Finding;
import io.rns.pool.PolicyType;
import java.util.List;

/** Section 5.1 of the paper: figure 3. */
final class WorkloadClaims {
  /** "About" of the paper. */
  private static final double ABOUT = 0.03;

  private static final double MANY = 10;

  static final List<Claim> ALL =
      List.of(
          new Claim(
              "M1a",
              "rr and rand are slow at q = 10,000 (r = 10)",
              "figure 3",
              "< 10 %",
              m -> below(m, LOW, 0.10)),
          new Claim(
              "M1b",
              "rr and rand at q = 333,333 (r = 10)",
              "figure 3",
              "about 32 %",
              m -> about(m, MIDDLE, 0.32)),
          new Claim("M1c", "rr and rand at q = 500,000 (r = 10)", "figure 3", "about 47 %", m -> about(m, HIGH, 0.47)),
          new Claim(
              "M1d",
              "lu is nearly the same for all q (r = 10)",
              "figure 3",
              "almost unaffected",
              WorkloadClaims::unaffected),
          new Claim(
              "M2",
              "the lower r, the slower",
              "figure 3",
              "speed(1) < speed(10), all curves",
              WorkloadClaims::fewUsersAreSlow),
          new Claim(
              "M3a",
              "the smaller s, the slower",
              "figure 3",
              "slightly slower at s = 0.1 than at 10",
              WorkloadClaims::smallIsSlow),
          new Claim(
              "M3b",
              "rr and rand lose most by small s, at high q",
              "figure 3",
              "more than lu",
              WorkloadClaims::blindLoseMost));

  private WorkloadClaims() {}

  private static Estimate many(Measurements m, PolicyType policy, double q) {
    return m.get(Figure.USERS, policy, q, MANY).speed();
  }

  private static String both(Measurements m, double q) {
    return percent(RR, many(m, RR, q)) + ", " + percent(RAND, many(m, RAND, q));
  }

  private static Finding below(Measurements m, double q, double bound) {
    return new Finding(both(m, q), BLIND.stream().allMatch(policy -> many(m, policy, q).mean() < bound));
  }

  private static Finding about(Measurements m, double q, double expected) {
    return new Finding(both(m, q),
        BLIND.stream().allMatch(policy -> Math.abs(many(m, policy, q).mean() - expected) <= ABOUT));
  }

  private static Finding unaffected(Measurements m) {
    double low = many(m, LU, LOW).mean();
    double high = many(m, LU, HIGH).mean();
    String ours = percent(many(m, LU, LOW)) + " at q = 10,000, " + percent(many(m, LU, HIGH)) + " at 500,000";
    return new Finding(ours, Math.abs(low - high) <= ABOUT * low);
  }

  private static Finding fewUsersAreSlow(Measurements m) {
    int curves = 0;
    int slower = 0;
    for (PolicyType policy : Findings.OF_PAPER) {
      for (double q : Findings.ALL_Q) {
        curves++;
        Estimate few = m.get(Figure.USERS, policy, q, valuesOf(m, Figure.USERS).get(0)).speed();
        slower += few.isClearlyBelow(many(m, policy, q)) ? 1 : 0;
      }
    }
    return new Finding(text("%d of %d curves", slower, curves), slower == curves);
  }

  /** By how much speed falls from the largest to the smallest requests. */
  private static double loss(Measurements m, PolicyType policy, double q) {
    return 1 - m.get(Figure.SIZE, policy, q, 0.1).speed().mean() / m.get(Figure.SIZE, policy, q, 10).speed().mean();
  }

  private static Finding smallIsSlow(Measurements m) {
    StringBuilder ours = new StringBuilder();
    boolean agrees = true;
    for (PolicyType policy : Findings.OF_PAPER) {
      ours.append(text("%s loses %.0f %%; ", policy, 100 * loss(m, policy, HIGH)));
      agrees &= loss(m, policy, HIGH) > 0;
    }
    return new Finding(ours + "at q = 500,000", agrees);
  }

  private static Finding blindLoseMost(Measurements m) {
    double least = Math.min(loss(m, RR, HIGH), loss(m, RAND, HIGH));
    double middle = Math.min(loss(m, RR, MIDDLE), loss(m, RAND, MIDDLE));
    return new Finding(
        text("%.0f %% at q = 500,000, %.0f %% at 333,333, lu %.0f %%", 100 * least, 100 * middle,
            100 * loss(m, LU, HIGH)),
        least > loss(m, LU, HIGH) && least > middle);
  }
}
