package io.rns.loadtest.figure;

import io.rns.loadtest.figure.Measurements.NotMeasuredException;
import io.rns.loadtest.figure.Verdict.Agreement;
import java.util.function.Function;

/**
 * A claim that can be checked.
 *
 * @param check what was measured of it, and whether that agrees
 */
record Claim(String id, String text, String source, String expected, Function<Measurements, Finding> check) {
  /** What a check finds. */
  record Finding(String ours, boolean agrees) {}

  Verdict verdict(Measurements measurements) {
    try {
      Finding finding = check.apply(measurements);
      return new Verdict(id, text, source, expected, finding.ours(), Agreement.of(finding.agrees()));
    } catch (NotMeasuredException e) {
      return new Verdict(id, text, source, expected, "", Agreement.NOT_MEASURED);
    }
  }
}
