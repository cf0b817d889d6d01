package io.rns.loadtest.figure;

import static io.rns.loadtest.figure.Findings.BLIND;
import static io.rns.loadtest.figure.Findings.HIGH;
import static io.rns.loadtest.figure.Findings.LOW;
import static io.rns.loadtest.figure.Findings.LU;
import static io.rns.loadtest.figure.Findings.MIDDLE;
import static io.rns.loadtest.figure.Findings.percent;
import static io.rns.loadtest.figure.Findings.text;

import io.rns.loadtest.figure.Claim.Finding;
import io.rns.pool.PolicyType;
import java.util.List;

/** Sections 5.3 and 5.4 of the paper: figures 7 and 8. */
final class NetworkClaims {
  static final List<Figure> DELAYED = List.of(Figure.DELAY_ONE_FAST, Figure.DELAY_THREE_FAST, Figure.DELAY_LINEAR);
  private static final double SMALL = 0.2;
  /** A change below this is none. */
  private static final double UNHARMED = 0.03;

  static final List<Claim> ALL =
      List.of(
          new Claim(
              "M10a",
              "even a small c spares handle resolutions",
              "figure 7",
              "clearly fewer at c = 0.2",
              m -> spares(m, Figure.CACHE)),
          new Claim(
              "M10b",
              "the same, three items per answer",
              "figure 7",
              "clearly fewer at c = 0.2",
              m -> spares(m, Figure.CACHE_OF_THREE)),
          new Claim(
              "M10c",
              "a cache does not slow rr and rand",
              "figure 7",
              "same speed up to c = 1",
              NetworkClaims::unharmed),
          new Claim(
              "M10d",
              "a cache slows lu at low q",
              "figure 7",
              "slightly at q = 333,333",
              NetworkClaims::slowsLeastUsed),
          new Claim("M11a", "speed sinks with delay", "figure 8", "all curves", NetworkClaims::sinks),
          new Claim(
              "M11b",
              "delay takes from the gain by high q",
              "figure 8",
              "gain of rr, rand shrinks",
              NetworkClaims::gainShrinks),
          new Claim(
              "M11c",
              "q = 500,000 helps lu under delay",
              "figure 8",
              "slightly faster at 100 ms",
              NetworkClaims::helpsLeastUsed));

  private NetworkClaims() {}

  private static Finding spares(Measurements m, Figure figure) {
    StringBuilder ours = new StringBuilder();
    boolean agrees = true;
    for (PolicyType policy : BLIND) {
      double without = m.get(figure, policy, HIGH, 0).resolutions().mean();
      double with = m.get(figure, policy, HIGH, SMALL).resolutions().mean();
      ours.append(text("%s %.2f to %.2f; ", policy, without, with));
      agrees &= with < 0.9 * without;
    }
    return new Finding(ours + "per request, q = 500,000", agrees);
  }

  private static double change(Measurements m, PolicyType policy, double q) {
    return m.get(Figure.CACHE, policy, q, 1).speed().mean() / m.get(Figure.CACHE, policy, q, 0).speed().mean() - 1;
  }

  private static Finding unharmed(Measurements m) {
    StringBuilder ours = new StringBuilder();
    boolean agrees = true;
    for (PolicyType policy : BLIND) {
      for (double q : List.of(MIDDLE, HIGH)) {
        ours.append(text("%s %+.1f %%; ", policy, 100 * change(m, policy, q)));
        agrees &= change(m, policy, q) > -UNHARMED;
      }
    }
    return new Finding(ours + "q = 333,333 and 500,000 each", agrees);
  }

  private static Finding slowsLeastUsed(Measurements m) {
    double middle = change(m, LU, MIDDLE);
    return new Finding(
        text("%+.1f %% at q = 333,333, %+.1f %% at 500,000", 100 * middle, 100 * change(m, LU, HIGH)),
        middle < 0 && middle > -0.2);
  }

  private static Finding sinks(Measurements m) {
    int curves = 0;
    int sinking = 0;
    for (Figure figure : DELAYED) {
      for (PolicyType policy : Findings.OF_PAPER) {
        for (double q : Findings.ALL_Q) {
          curves++;
          sinking += m.get(figure, policy, q, 200).speed().isClearlyBelow(m.get(figure, policy, q, 0).speed()) ? 1 : 0;
        }
      }
    }
    return new Finding(text("%d of %d curves are slower at 200 ms than at 0", sinking, curves), sinking == curves);
  }

  private static Finding gainShrinks(Measurements m) {
    StringBuilder ours = new StringBuilder();
    boolean agrees = true;
    for (PolicyType policy : BLIND) {
      double near = gain(m, policy, 0);
      double far = gain(m, policy, 200);
      ours.append(text("%s %.1f to %.1f points; ", policy, near, far));
      agrees &= far < near;
    }
    return new Finding(ours + "q = 10,000 to 500,000, 0 and 200 ms, one fast", agrees);
  }

  private static double gain(Measurements m, PolicyType policy, double millis) {
    double high = m.get(Figure.DELAY_ONE_FAST, policy, HIGH, millis).speed().mean();
    return 100 * (high - m.get(Figure.DELAY_ONE_FAST, policy, LOW, millis).speed().mean());
  }

  private static Finding helpsLeastUsed(Measurements m) {
    Estimate high = m.get(Figure.DELAY_ONE_FAST, LU, HIGH, 100).speed();
    Estimate middle = m.get(Figure.DELAY_ONE_FAST, LU, MIDDLE, 100).speed();
    Estimate low = m.get(Figure.DELAY_ONE_FAST, LU, LOW, 100).speed();
    return new Finding(percent(low) + ", " + percent(middle) + ", " + percent(high) + " for the three q",
        low.isClearlyBelow(high));
  }
}
