package io.rns.loadtest.page;

import io.rns.loadtest.chart.LineChart;
import io.rns.loadtest.chart.LineChart.Point;
import io.rns.loadtest.chart.LineChart.Scale;
import io.rns.loadtest.load.LoadReport;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/** A report as one HTML page, charts included. */
public final class LoadPage {
  private static final String STYLE =
      "body{font:15px/1.5 system-ui,sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;color:#222}"
          + "pre{overflow-x:auto;background:#f6f6f6;padding:1rem;font-size:12px}"
          + "img{max-width:100%;display:block;margin:1.5rem 0}"
          + "table{border-collapse:collapse;font-size:13px}"
          + "td,th{padding:.2rem .7rem;text-align:right;border-bottom:1px solid #ddd}";
  private static final int WIDTH = 860;
  private static final int HEIGHT = 380;
  /** A logarithmic axis has no place for 0. */
  private static final double LEAST_MICROS = 0.1;
  private static final double[] PERCENTS = {1, 5, 10, 25, 50, 75, 90, 95, 99, 99.5, 99.9, 99.95, 99.99, 99.999};

  private final StringBuilder html = new StringBuilder();

  private LoadPage() {}

  public static String html(LoadReport report, String text) {
    LoadPage page = new LoadPage();
    String title = "rns load: " + report.settings().operation() + ", " + report.settings().serviceUrl();
    page.html.append("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>").append(escaped(title));
    page.html.append("</title><style>").append(STYLE).append("</style></head><body>\n<h1>").append(escaped(title));
    page.html.append("</h1>\n<pre>").append(escaped(text)).append("</pre>\n");
    if (report.steps().size() > 1) {
      page.picture("requests per second for each number of clients", throughput(report));
      page.picture("latencies for each number of clients", latencies(report));
    }
    page.picture("latency of all but one in N requests", distribution(report));
    page.seconds(report);
    page.table(LoadTable.csv(report));
    return page.html.append("</body></html>\n").toString();
  }

  private static LineChart throughput(LoadReport report) {
    return new LineChart("Requests per second", "clients", Scale.LINEAR, "requests/s", Scale.LINEAR)
        .curve("median of the rounds", true, byClients(report, step -> step.series().throughput()));
  }

  private static LineChart latencies(LoadReport report) {
    LineChart chart = new LineChart("Latency", "clients", Scale.LINEAR, "microseconds", Scale.LOGARITHMIC);
    for (String percent : List.of("50", "90", "99", "99.9")) {
      double p = Double.parseDouble(percent);
      chart.curve("p" + percent, true,
          byClients(report, step -> Math.max(LEAST_MICROS, step.series().together().micros(p))));
    }
    return chart;
  }

  /** On the abscissa 10 is 90 %, 100 is 99 %, 1,000 is 99.9 %. */
  private static LineChart distribution(LoadReport report) {
    return bySteps(
        new LineChart("Latency of all but one in N requests", "N", Scale.LOGARITHMIC, "microseconds",
            Scale.LOGARITHMIC),
        report,
        step -> DoubleStream.of(PERCENTS)
            .mapToObj(p -> new Point(100 / (100 - p), Math.max(LEAST_MICROS, step.series().together().micros(p))))
            .toList());
  }

  /** Draws the rate and latency of each second, unless no run lasted a second. */
  private void seconds(LoadReport report) {
    LineChart rates =
        bySteps(
            new LineChart("Requests in each second, rounds one after the other", "seconds", Scale.LINEAR, "requests/s",
                Scale.LINEAR),
            report,
            step -> step.series().together().seconds().stream()
                .map(second -> new Point(second.at(), second.perSecond())).toList());
    LineChart micros =
        bySteps(
            new LineChart("99th percentile of latency in each second", "seconds", Scale.LINEAR, "microseconds",
                Scale.LOGARITHMIC),
            report,
            step -> step.series().together().seconds().stream()
                .map(second -> new Point(second.at(), Math.max(LEAST_MICROS, second.p99Micros()))).toList());
    if (!rates.isEmpty()) {
      picture("what each second gave", rates);
      picture("what each second gave", micros);
    }
  }

  private static List<Point> byClients(LoadReport report, ToDoubleFunction<LoadReport.Step> value) {
    return report.steps().stream().sorted(Comparator.comparingInt(LoadReport.Step::clients))
        .map(step -> new Point(step.clients(), value.applyAsDouble(step))).toList();
  }

  /** With a curve for each number of clients. */
  private static LineChart bySteps(
      LineChart chart, LoadReport report, Function<LoadReport.Step, List<Point>> points) {
    report.steps().forEach(step -> chart.curve(step.clients() + " clients", false, points.apply(step)));
    return chart;
  }

  private void picture(String what, LineChart chart) {
    html.append("<img alt=\"").append(what).append("\" src=\"data:image/png;base64,");
    html.append(Base64.getEncoder().encodeToString(chart.png(WIDTH, HEIGHT))).append("\">\n");
  }

  private void table(String csv) {
    html.append("<table>\n");
    String cell = "th";
    for (String line : csv.lines().toList()) {
      html.append("<tr>");
      for (String value : line.split(",", -1)) {
        html.append('<').append(cell).append('>').append(escaped(value)).append("</").append(cell).append('>');
      }
      html.append("</tr>\n");
      cell = "td";
    }
    html.append("</table>\n");
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
  }
}
