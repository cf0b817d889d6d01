package io.rns.loadtest.cli;

import io.rns.loadtest.load.LoadReport;
import io.rns.loadtest.measure.FailureKind;
import io.rns.loadtest.measure.Failures;
import io.rns.loadtest.measure.Measurement;
import io.rns.loadtest.measure.Second;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** What a member process of a load sends as JSON: measurements with whole histograms. */
record TeamReport(boolean interrupted, LoadReport.@Nullable Added added, List<List<Run>> steps) {
  /** A measurement; its histograms are compressed. */
  record Run(
      ByteBuffer latencies, Map<String, ByteBuffer> operations, long answered, long notStarted, List<Second> seconds,
      Map<FailureKind, Long> failures, String firstFailure, long measuredNanos, long reconnects,
      Map<String, Long> usedNanos) {
    static Run of(Measurement measured) {
      return new Run(
          bytes(measured.latencies()), mapped(measured.operations(), TeamReport::bytes), measured.completed(),
          measured.notStarted(), measured.seconds(), measured.failures().counts(),
          measured.failures().first().orElse(""),
          measured.measured().toNanos(), measured.reconnects(), mapped(measured.used(), Duration::toNanos));
    }

    Measurement measurement() {
      Failures all = new Failures();
      failures.forEach((kind, count) -> all.add(kind, count, firstFailure));
      return new Measurement(
          histogram(latencies), mapped(operations, TeamReport::histogram), answered, notStarted, seconds,
          all, Duration.ofNanos(measuredNanos), reconnects, mapped(usedNanos, Duration::ofNanos));
    }
  }

  static TeamReport of(LoadReport report) {
    return new TeamReport(
        report.interrupted(),
        report.added(),
        report.steps().stream().map(step -> step.series().runs().stream().map(Run::of).toList()).toList());
  }

  private static <T, R> Map<String, R> mapped(Map<String, T> values, Function<T, R> function) {
    Map<String, R> mapped = new TreeMap<>();
    values.forEach((name, value) -> mapped.put(name, function.apply(value)));
    return mapped;
  }

  private static ByteBuffer bytes(Histogram histogram) {
    ByteBuffer bytes = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    return ByteBuffer.wrap(bytes.array(), 0, histogram.encodeIntoCompressedByteBuffer(bytes));
  }

  private static Histogram histogram(ByteBuffer bytes) {
    try {
      Histogram whole = Measurement.newHistogram();
      whole.add(Histogram.decodeFromCompressedByteBuffer(bytes, 0));
      return whole;
    } catch (DataFormatException e) {
      throw new IllegalArgumentException("a member process has sent no histogram", e);
    }
  }
}
