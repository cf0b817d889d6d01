package io.rns.loadtest.cli;

import io.rns.loadtest.load.LoadReport;
import io.rns.loadtest.measure.Measurement;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * A report as comma-separated values with a header: a line for each number of clients and round, and one for each
 * operation of it if there are several. Numbers have a decimal point everywhere.
 */
final class LoadTable {
  private static final String HEADER =
      "clients,round,operation,requests,requests_per_second,p50_us,p90_us,p99_us,p999_us,max_us,errors,not_started\n";

  private LoadTable() {}

  static String csv(LoadReport report) {
    StringBuilder text = new StringBuilder(HEADER);
    String operation = report.settings().operation().toString();
    for (LoadReport.Step step : report.steps()) {
      int round = 0;
      for (Measurement run : step.series().runs()) {
        round++;
        String head = step.clients() + "," + round + ",";
        double seconds = run.measured().toNanos() / 1e9;
        line(text, head + operation, run.latencies(), run.completed(), seconds);
        text.append(",").append(run.failures().total()).append(",").append(run.notStarted()).append('\n');
        run.operations()
            .forEach(
                (name, latencies) -> {
                  line(text, head + operation + ":" + name, latencies, latencies.getTotalCount(), seconds);
                  text.append(",,\n");
                });
      }
    }
    return text.toString();
  }

  private static void line(StringBuilder text, String head, Histogram latencies, long requests, double seconds) {
    text.append(
        String.format(
            Locale.ROOT,
            "%s,%d,%.1f,%.1f,%.1f,%.1f,%.1f,%.1f",
            head,
            requests,
            requests / seconds,
            Measurement.micros(latencies, 50),
            Measurement.micros(latencies, 90),
            Measurement.micros(latencies, 99),
            Measurement.micros(latencies, 99.9),
            Measurement.micros(latencies, 100)));
  }
}
