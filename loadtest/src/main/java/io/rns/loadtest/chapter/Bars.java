package io.rns.loadtest.chapter;

import java.util.ArrayList;
import java.util.List;

/** What was wanted, what was measured, and whether that is enough. */
final class Bars {
  static final List<String> HEADER = List.of("work", "bar", "measured", "");
  private final List<Bar> bars = new ArrayList<>();

  /** Whether a bar is met. */
  enum Verdict {
    MET("met"), MISSED("**missed**"), NOT_MEASURED("not measured"),
    /** There is no bar. */
    NONE("");

    private final String text;

    Verdict(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  /** One of them. */
  record Bar(String work, String wanted, String measured, Verdict verdict) {
    List<String> cells() {
      return List.of(work, wanted, measured, verdict.toString());
    }
  }

  /** At least so much is wanted of {@code value}; {@code measured} tells of it, empty if it was not measured. */
  Bars atLeast(String work, String wanted, double least, double value, String measured) {
    return add(work, wanted, measured, value, value >= least);
  }

  /** At most so much. */
  Bars atMost(String work, String wanted, double most, double value, String measured) {
    return add(work, wanted, measured, value, value <= most);
  }

  /** Without a bar, published. */
  Bars told(String work, String measured) {
    bars.add(new Bar(work, "", measured, measured.isEmpty() ? Verdict.NOT_MEASURED : Verdict.NONE));
    return this;
  }

  private Bars add(String work, String wanted, String measured, double value, boolean met) {
    Verdict verdict = !Double.isFinite(value) ? Verdict.NOT_MEASURED : met ? Verdict.MET : Verdict.MISSED;
    bars.add(new Bar(work, wanted, Double.isFinite(value) ? measured : "", verdict));
    return this;
  }

  List<Bar> all() {
    return List.copyOf(bars);
  }
}
