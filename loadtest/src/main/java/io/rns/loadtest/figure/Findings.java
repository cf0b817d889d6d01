package io.rns.loadtest.figure;

import io.rns.pool.PolicyType;
import java.util.List;
import java.util.Locale;

/** What several claims need: the policies and q of the paper, and figures as text. */
final class Findings {
  static final PolicyType LU = PolicyType.LEAST_USED;
  static final PolicyType RR = PolicyType.ROUND_ROBIN;
  static final PolicyType RAND = PolicyType.RANDOM;
  static final List<PolicyType> BLIND = List.of(RR, RAND);
  static final List<PolicyType> OF_PAPER = List.of(LU, RR, RAND);
  static final double LOW = 1e4;
  static final double MIDDLE = 333_333;
  static final double HIGH = 5e5;
  static final List<Double> ALL_Q = List.of(LOW, MIDDLE, HIGH);
  static final List<Figure> HETEROGENEOUS = List.of(Figure.ONE_FAST, Figure.THREE_FAST, Figure.LINEAR);

  private Findings() {}

  /** With a decimal point everywhere. */
  @SuppressWarnings("AnnotateFormatMethod") // the annotation would be a dependency
  static String text(String format, Object... arguments) {
    return String.format(Locale.ROOT, format, arguments);
  }

  /** In percent, such as {@code 31.7 ± 0.4 %}. */
  static String percent(Estimate estimate) {
    return text("%.1f ± %.1f %%", 100 * estimate.mean(), 100 * estimate.halfWidth());
  }

  /** A figure of a policy, such as {@code rr 31.7 ± 0.4 %}. */
  static String percent(PolicyType policy, Estimate estimate) {
    return policy + " " + percent(estimate);
  }

  /** The values of the quantity of a figure that were measured, in order. */
  static List<Double> valuesOf(Measurements measurements, Figure figure) {
    List<Double> values = measurements.of(figure).stream().map(m -> m.cell().value()).distinct().sorted().toList();
    if (values.isEmpty()) {
      throw new Measurements.NotMeasuredException();
    }
    return values;
  }
}
