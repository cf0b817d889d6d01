package io.rns.loadtest.figure;

import static io.rns.loadtest.figure.Findings.BLIND;
import static io.rns.loadtest.figure.Findings.HETEROGENEOUS;
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

/** Section 5.2 of the paper: figures 4 to 6. */
final class HeterogeneityClaims {
  private static final double HARDEST = 5;

  static final List<Claim> ALL =
      List.of(
          new Claim(
              "M4",
              "the higher q, the faster are rr and rand",
              "figures 4-6",
              "everywhere",
              HeterogeneityClaims::higherIsFaster),
          new Claim(
              "M5",
              "rr gets as slow as rand with growing kappa",
              "figure 4",
              "lead of rr shrinks",
              HeterogeneityClaims::converge),
          new Claim(
              "M6a",
              "a jump behind kappa = 3 at q = 333,333",
              "figure 4",
              "faster at 3.5 than at 3",
              m -> jump(m, MIDDLE, 3)),
          new Claim(
              "M6b",
              "a jump behind kappa = 4 at q = 500,000",
              "figure 4",
              "faster at 4.5 than at 4",
              m -> jump(m, HIGH, 4)),
          new Claim(
              "M7",
              "q helps lu at kappa = 5",
              "figure 5",
              "48 % at 500,000, 40 % at 333,333",
              m -> helpsLeastUsed(m, Figure.THREE_FAST)),
          new Claim(
              "M7r",
              "the same, slow elements raised to q",
              "figure 5",
              "48 % at 500,000, 40 % at 333,333",
              m -> helpsLeastUsed(m, Figure.RAISED)),
          new Claim(
              "M8",
              "one fast server is the most critical, linear the least",
              "figures 4-6",
              "speeds at 5 in that order",
              HeterogeneityClaims::order),
          new Claim(
              "M9a",
              "handle resolutions grow with q",
              "figures 4-6",
              "rr, rand at 3",
              HeterogeneityClaims::overheadGrows),
          new Claim(
              "M9b",
              "most handle resolutions with rand, fewest with lu",
              "figures 4-6",
              "q = 500,000, at 3",
              HeterogeneityClaims::mostByRandom),
          new Claim(
              "M9c",
              "most handle resolutions with one fast server, fewest with linear",
              "figures 4-6",
              "rr, rand, q = 500,000, at 5",
              HeterogeneityClaims::mostByOneFast),
          new Claim(
              "M12",
              "utilisation does not depend on q or policy",
              "section 5.1",
              "80 %, unless very slow elements",
              HeterogeneityClaims::utilisation));

  private HeterogeneityClaims() {}

  private static Finding higherIsFaster(Measurements m) {
    int pairs = 0;
    int slower = 0;
    for (Figure figure : HETEROGENEOUS) {
      for (PolicyType policy : BLIND) {
        for (double x : valuesOf(m, figure)) {
          Estimate low = m.get(figure, policy, LOW, x).speed();
          Estimate middle = m.get(figure, policy, MIDDLE, x).speed();
          Estimate high = m.get(figure, policy, HIGH, x).speed();
          pairs += 2;
          slower += (low.mean() < middle.mean() ? 0 : 1) + (middle.mean() < high.mean() ? 0 : 1);
        }
      }
    }
    return new Finding(text("%d of %d steps of q are faster", pairs - slower, pairs), slower == 0);
  }

  private static double lead(Measurements m, double q, double x) {
    return m.get(Figure.ONE_FAST, RR, q, x).speed().mean() / m.get(Figure.ONE_FAST, RAND, q, x).speed().mean();
  }

  private static Finding converge(Measurements m) {
    StringBuilder ours = new StringBuilder("rr / rand at kappa 1 and 5: ");
    boolean agrees = true;
    for (double q : Findings.ALL_Q) {
      ours.append(text("%.2f, %.2f (q = %,.0f); ", lead(m, q, 1), lead(m, q, HARDEST), q));
      agrees &= Math.abs(lead(m, q, HARDEST) - 1) < Math.abs(lead(m, q, 1) - 1);
    }
    return new Finding(ours.substring(0, ours.length() - 2), agrees);
  }

  private static Finding jump(Measurements m, double q, double at) {
    StringBuilder ours = new StringBuilder();
    boolean agrees = true;
    for (PolicyType policy : BLIND) {
      Estimate before = m.get(Figure.ONE_FAST, policy, q, at).speed();
      Estimate after = m.get(Figure.ONE_FAST, policy, q, at + 0.5).speed();
      ours.append(text("%s %.1f to %.1f %%; ", policy, 100 * before.mean(), 100 * after.mean()));
      agrees &= before.isClearlyBelow(after);
    }
    return new Finding(ours.substring(0, ours.length() - 2), agrees);
  }

  private static Finding helpsLeastUsed(Measurements m, Figure figure) {
    Estimate high = m.get(figure, LU, HIGH, HARDEST).speed();
    Estimate middle = m.get(figure, LU, MIDDLE, HARDEST).speed();
    boolean agrees = Math.abs(high.mean() - 0.48) <= 0.03 && Math.abs(middle.mean() - 0.40) <= 0.03;
    return new Finding(percent(high) + " at 500,000, " + percent(middle) + " at 333,333", agrees);
  }

  private static Finding order(Measurements m) {
    StringBuilder ours = new StringBuilder();
    boolean agrees = true;
    for (PolicyType policy : BLIND) {
      for (double q : List.of(MIDDLE, HIGH)) {
        double one = m.get(Figure.ONE_FAST, policy, q, HARDEST).speed().mean();
        double three = m.get(Figure.THREE_FAST, policy, q, HARDEST).speed().mean();
        double linear = m.get(Figure.LINEAR, policy, q, HARDEST).speed().mean();
        ours.append(text("%s %.0f, %.0f, %.0f %%; ", policy, 100 * one, 100 * three, 100 * linear));
        agrees &= one < three && three < linear;
      }
    }
    return new Finding(ours + "q = 333,333 and 500,000 each", agrees);
  }

  private static double overhead(Measurements m, Figure figure, PolicyType policy, double q, double x) {
    return m.get(figure, policy, q, x).resolutions().mean();
  }

  private static Finding overheadGrows(Measurements m) {
    boolean agrees = true;
    for (Figure figure : HETEROGENEOUS) {
      for (PolicyType policy : BLIND) {
        agrees &= overhead(m, figure, policy, LOW, 3) < overhead(m, figure, policy, MIDDLE, 3);
        agrees &= overhead(m, figure, policy, MIDDLE, 3) < overhead(m, figure, policy, HIGH, 3);
      }
    }
    String ours =
        text(
            "rand, one fast: %.2f, %.2f, %.2f per request",
            overhead(m, Figure.ONE_FAST, RAND, LOW, 3),
            overhead(m, Figure.ONE_FAST, RAND, MIDDLE, 3),
            overhead(m, Figure.ONE_FAST, RAND, HIGH, 3));
    return new Finding(ours, agrees);
  }

  private static Finding mostByRandom(Measurements m) {
    StringBuilder ours = new StringBuilder("rand, rr, lu: ");
    boolean agrees = true;
    for (Figure figure : HETEROGENEOUS) {
      double random = overhead(m, figure, RAND, HIGH, 3);
      double turns = overhead(m, figure, RR, HIGH, 3);
      double used = overhead(m, figure, LU, HIGH, 3);
      ours.append(text("%.2f, %.2f, %.2f; ", random, turns, used));
      agrees &= random > turns && turns > used;
    }
    return new Finding(ours + "figures 4, 5, 6", agrees);
  }

  private static Finding mostByOneFast(Measurements m) {
    StringBuilder ours = new StringBuilder();
    boolean agrees = true;
    for (PolicyType policy : BLIND) {
      double one = overhead(m, Figure.ONE_FAST, policy, HIGH, HARDEST);
      double three = overhead(m, Figure.THREE_FAST, policy, HIGH, HARDEST);
      double linear = overhead(m, Figure.LINEAR, policy, HIGH, HARDEST);
      ours.append(text("%s %.2f, %.2f, %.2f; ", policy, one, three, linear));
      agrees &= one > three && three > linear;
    }
    return new Finding(ours + "figures 4, 5, 6", agrees);
  }

  private static Finding utilisation(Measurements m) {
    double least = 1;
    double most = 0;
    for (Figure figure : HETEROGENEOUS) {
      for (Measured measured : m.of(figure)) {
        if (measured.cell().minCapacity() != LOW) {
          least = Math.min(least, measured.utilisation().mean());
          most = Math.max(most, measured.utilisation().mean());
        }
      }
      valuesOf(m, figure);
    }
    return new Finding(text("%.1f to %.1f %% with q of 333,333 and 500,000", 100 * least, 100 * most),
        least > 0.78 && most < 0.82);
  }
}
