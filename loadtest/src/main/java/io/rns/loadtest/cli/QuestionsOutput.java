package io.rns.loadtest.cli;

import static io.rns.loadtest.cli.Json.rounded;

import io.rns.loadtest.dns.QuestionReplay;
import io.rns.loadtest.dns.ReplayReport;
import io.rns.loadtest.measure.Measurement;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The report of a replay of DNS questions, as JSON; times are in microseconds.
 *
 * @param clients of the trace, without copies
 * @param meanCi95 half-width of the 95 % confidence interval of the mean
 * @param inTime whether the questions were sent on time
 */
record QuestionsOutput(
    String op, String dns, int clients, int factor, double seconds, boolean interrupted, long requests,
    @Nullable Double throughput, Map<String, Long> answers, long lost, long wrong, long errors,
    @Nullable Double meanMicros, @Nullable Double meanCi95, @Nullable Double p50Micros, @Nullable Double p99Micros,
    @Nullable Double maxMicros, Late late, boolean inTime) {

  private static final String LATE =
      "more than 1 % of the questions were sent more than 10 ms late: this is not the load of the trace\n";

  /** How late the questions were sent. */
  record Late(@Nullable Double p50Micros, @Nullable Double p99Micros, @Nullable Double maxMicros) {
    static Late of(Histogram lateness) {
      return new Late(micros(lateness, 50), micros(lateness, 99), micros(lateness, 100));
    }
  }

  private static @Nullable Double micros(Histogram times, double percent) {
    return rounded(Measurement.micros(times, percent), 10);
  }

  static QuestionsOutput of(QuestionReplay replay, ReplayReport report) {
    return new QuestionsOutput(
        "trace", place(replay), replay.trace().clients(), replay.factor(), report.measured().toMillis() / 1e3,
        report.interrupted(), report.sent(), rounded(report.perSecond(), 10), report.codes(), report.lost(),
        report.wrong(), report.errors(), rounded(report.meanNanos().mean() / 1e3, 10),
        rounded(report.meanNanos().halfWidth() / 1e3, 10), micros(report.responses(), 50),
        micros(report.responses(), 99), micros(report.responses(), 100), Late.of(report.lateness()),
        report.isInTime());
  }

  private static String place(QuestionReplay replay) {
    return replay.server().getHostString() + ":" + replay.server().getPort();
  }

  /** The same as text. */
  static String text(QuestionReplay replay, ReplayReport report) {
    TextTable table = new TextTable().row("", "mean us", "+-", "p50 us", "p99 us", "max us");
    table.row(
        "first response", whole(report.meanNanos().mean() / 1e3), whole(report.meanNanos().halfWidth() / 1e3),
        whole(Measurement.micros(report.responses(), 50)), whole(Measurement.micros(report.responses(), 99)),
        whole(Measurement.micros(report.responses(), 100)));
    table.row(
        "sent late by", whole(report.lateness().getMean() / 1e3), "",
        whole(Measurement.micros(report.lateness(), 50)), whole(Measurement.micros(report.lateness(), 99)),
        whole(Measurement.micros(report.lateness(), 100)));
    String codes =
        report.codes().entrySet().stream()
            .map(code -> String.format(Locale.ROOT, "%,d %s", code.getValue(), code.getKey()))
            .collect(Collectors.joining(", "));
    return String.format(
        Locale.ROOT,
        "%s%,d questions in %.1f s (%,.0f/s), %d x %d clients, by UDP to %s%n%s%,d answered%s; %,d lost, %,d wrong%n%s",
        report.interrupted() ? "stopped early: results so far\n" : "", report.sent(),
        report.measured().toMillis() / 1e3, report.perSecond(), replay.factor(), replay.trace().clients(),
        place(replay), table, report.answered(),
        codes.isEmpty() ? "" : ": " + codes, report.lost(), report.wrong(),
        report.isInTime() ? "" : LATE);
  }

  private static String whole(double number) {
    return String.format(Locale.ROOT, "%,.0f", number);
  }
}
