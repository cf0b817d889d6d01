package io.rns.loadtest.figure;

import io.rns.loadtest.figure.Measurements.NotMeasuredException;
import io.rns.loadtest.figure.Verdict.Agreement;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A claim that can be checked. */
record Claim(String id, String text, String source, String expected, Function<Measurements, Finding> check) {
  record Finding(String ours, boolean agrees) {
    /** Formats the figure, with a decimal point everywhere. */
    @SuppressWarnings("AnnotateFormatMethod") // the annotation would be a dependency
    static Finding of(boolean agrees, String format, Object... arguments) {
      return new Finding(String.format(Locale.ROOT, format, arguments), agrees);
    }

    /** Several figures in one, all of which have to agree. */
    static Finding all(String prefix, Stream<Finding> parts, String suffix) {
      List<Finding> all = parts.toList();
      String ours = all.stream().map(Finding::ours).collect(Collectors.joining("; ", prefix, suffix));
      return new Finding(ours, all.stream().allMatch(Finding::agrees));
    }
  }

  Verdict verdict(Measurements measurements) {
    try {
      Finding finding = check.apply(measurements);
      return new Verdict(id, text, source, expected, finding.ours(), Agreement.of(finding.agrees()));
    } catch (NotMeasuredException e) {
      return new Verdict(id, text, source, expected, "", Agreement.NOT_MEASURED);
    }
  }
}
