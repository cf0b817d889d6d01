package io.rns.loadtest.figure;

import static io.rns.loadtest.figure.Findings.ALL_Q;
import static io.rns.loadtest.figure.Findings.HETEROGENEOUS;
import static io.rns.loadtest.figure.Findings.LU;
import static io.rns.loadtest.figure.Findings.text;
import static io.rns.loadtest.figure.Findings.valuesOf;

import io.rns.loadtest.figure.Claim.Finding;
import io.rns.pool.PolicyType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What RNS wants of its policy {@code adaptive}, compared with least used under the same requests. */
final class AdaptiveBars {
  private static final PolicyType OURS = PolicyType.ADAPTIVE;
  private static final String BAR = "bar";

  static final List<Claim> ALL =
      List.of(
          new Claim(
              "A1",
              "adaptive is at least as fast as lu in figures 4-6",
              BAR,
              "ratio 1 or more",
              AdaptiveBars::everywhere),
          new Claim("A2", "adaptive against lu at 100 ms", BAR, "1.3 or more", m -> delayed(m, 100, 1.3)),
          new Claim("A3", "adaptive against lu at 200 ms", BAR, "2 or more", m -> delayed(m, 200, 2)),
          new Claim(
              "A4",
              "adaptive with reports one service time late, against itself with fresh ones",
              BAR,
              "0.75 or more",
              AdaptiveBars::late),
          new Claim("A5", "failures of lu at sinks that adaptive avoids", BAR, "80 % or more", AdaptiveBars::avoided));

  private record Ratio(double value, Cell cell) {}

  private AdaptiveBars() {}

  private static Ratio ratio(Measurements m, Figure figure, double q, double x) {
    Measured ours = m.get(figure, OURS, q, x);
    return new Ratio(ours.speed().mean() / m.get(figure, LU, q, x).speed().mean(), ours.cell());
  }

  private static Finding finding(List<Ratio> ratios, double bar) {
    Ratio least = ratios.stream().min(Comparator.comparingDouble(Ratio::value)).orElseThrow();
    double most = ratios.stream().mapToDouble(Ratio::value).max().orElseThrow();
    long below = ratios.stream().filter(r -> r.value() < bar).count();
    String ours =
        text(
            "%.3f to %.2f; %d of %d cells are below; least in figure %s, q = %,.0f, at %s",
            least.value(), most, below, ratios.size(), least.cell().figure(), least.cell().minCapacity(),
            least.cell().value());
    return new Finding(ours, below == 0);
  }

  private static Finding everywhere(Measurements m) {
    List<Ratio> ratios = new ArrayList<>();
    for (Figure figure : HETEROGENEOUS) {
      for (double q : ALL_Q) {
        for (double x : valuesOf(m, figure)) {
          ratios.add(ratio(m, figure, q, x));
        }
      }
    }
    return finding(ratios, 1);
  }

  private static Finding delayed(Measurements m, double millis, double bar) {
    List<Ratio> ratios = new ArrayList<>();
    for (Figure figure : NetworkClaims.DELAYED) {
      for (double q : ALL_Q) {
        ratios.add(ratio(m, figure, q, millis));
      }
    }
    return finding(ratios, bar);
  }

  private static Finding late(Measurements m) {
    List<Ratio> ratios = new ArrayList<>();
    for (double q : ALL_Q) {
      Measured late = m.get(Figure.LATE, OURS, q, 1);
      ratios.add(new Ratio(late.speed().mean() / m.get(Figure.LATE, OURS, q, 0).speed().mean(), late.cell()));
    }
    return finding(ratios, 0.75);
  }

  private static Finding avoided(Measurements m) {
    List<String> ours = new ArrayList<>();
    boolean agrees = true;
    for (double q : ALL_Q) {
      for (double size : valuesOf(m, Figure.SINKS)) {
        double failed = m.get(Figure.SINKS, OURS, q, size).failed().mean();
        double avoided = 1 - failed / m.get(Figure.SINKS, LU, q, size).failed().mean();
        ours.add(text("%.0f", 100 * avoided));
        agrees &= avoided >= 0.8;
      }
    }
    return new Finding(String.join(", ", ours) + " % (s = 0.1, 1, 5 for each q)", agrees);
  }
}
