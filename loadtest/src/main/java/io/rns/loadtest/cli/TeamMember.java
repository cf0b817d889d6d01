package io.rns.loadtest.cli;

import io.rns.loadtest.launcher.Io;
import io.rns.loadtest.load.LoadReport;
import io.rns.loadtest.measure.FailureKind;
import io.rns.loadtest.measure.Failures;
import io.rns.loadtest.measure.Measurement;
import io.rns.loadtest.measure.Second;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * A member process of a load, in its protocol with the starting process: before each run it sends {@value #READY} and
 * waits for {@value #GO}; at the end it sends {@value #REPORT} and its measurements. For one thread.
 */
final class TeamMember {
  static final String READY = "ready";
  static final String GO = "go";
  static final String REPORT = "report ";

  private final BufferedReader in;
  private final PrintWriter out;

  TeamMember(InputStream in, PrintWriter out) {
    this.in = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    this.out = out;
  }

  /** Waits for the common start. Interrupts the calling thread if the starting process is gone. */
  void awaitBegin() {
    out.println(READY);
    out.flush();
    if (!GO.equals(Io.<@Nullable String>get("the starting process is gone", in::readLine))) {
      Thread.currentThread().interrupt();
    }
  }

  void send(LoadReport report) {
    out.println(REPORT + Json.line(Report.of(report)));
    out.flush();
  }

  /** What a member process of a load sends as JSON: measurements with whole histograms. */
  record Report(boolean interrupted, LoadReport.@Nullable Added added, List<List<Run>> steps) {
    /** A measurement; its histograms are compressed. */
    record Run(
        ByteBuffer latencies, Map<String, ByteBuffer> operations, long answered, long notStarted, List<Second> seconds,
        Map<FailureKind, Long> failures, String firstFailure, long measuredNanos, long reconnects,
        Map<String, Long> usedNanos) {
      static Run of(Measurement measured) {
        return new Run(
            bytes(measured.latencies()), mapped(measured.operations(), Report::bytes), measured.completed(),
            measured.notStarted(), measured.seconds(), measured.failures().counts(),
            measured.failures().first().orElse(""),
            measured.measured().toNanos(), measured.reconnects(), mapped(measured.used(), Duration::toNanos));
      }

      Measurement measurement() {
        Failures all = new Failures();
        failures.forEach((kind, count) -> all.add(kind, count, firstFailure));
        return new Measurement(
            histogram(latencies), mapped(operations, Report::histogram), answered, notStarted, seconds,
            all, Duration.ofNanos(measuredNanos), reconnects, mapped(usedNanos, Duration::ofNanos));
      }
    }

    static Report of(LoadReport report) {
      return new Report(
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
}
