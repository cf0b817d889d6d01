package io.rns.loadtest.cli;

import io.rns.loadtest.chart.LineChart;
import io.rns.loadtest.chart.LineChart.Point;
import io.rns.loadtest.chart.LineChart.Scale;
import io.rns.loadtest.launcher.Io;
import io.rns.loadtest.load.LoadReport;
import io.rns.loadtest.measure.Second;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/** A report as one HTML page, charts included. */
final class LoadPage {
  private static final int WIDTH = 860;
  private static final int HEIGHT = 380;
  /** A logarithmic axis has no place for 0. */
  private static final double LEAST_MICROS = 0.1;
  private static final double[] PERCENTS = {1, 5, 10, 25, 50, 75, 90, 95, 99, 99.5, 99.9, 99.95, 99.99, 99.999};

  private LoadPage() {}

  static String html(LoadReport report, String text) {
    String title = escaped("rns load: " + report.settings().operation() + ", " + report.settings().serviceUrl());
    return Io.resource(LoadPage.class, "page.html")
        .formatted(title, escaped(text), pictures(report), table(LoadTable.csv(report)));
  }

  private static String pictures(LoadReport report) {
    StringBuilder html = new StringBuilder();
    if (report.steps().size() > 1) {
      html.append(picture("requests per second for each number of clients", throughput(report)));
      html.append(picture("latencies for each number of clients", latencies(report)));
    }
    html.append(picture("latency of all but one in N requests", distribution(report)));
    if (report.steps().stream().anyMatch(step -> !step.series().together().seconds().isEmpty())) {
      html.append(picture("what each second gave", rates(report)));
      html.append(picture("what each second gave", micros(report)));
    }
    return html.toString();
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

  private static LineChart rates(LoadReport report) {
    return bySteps(
        new LineChart("Requests in each second, rounds one after the other", "seconds", Scale.LINEAR, "requests/s",
            Scale.LINEAR),
        report, step -> bySeconds(step, Second::perSecond));
  }

  private static LineChart micros(LoadReport report) {
    return bySteps(
        new LineChart("99th percentile of latency in each second", "seconds", Scale.LINEAR, "microseconds",
            Scale.LOGARITHMIC),
        report, step -> bySeconds(step, second -> Math.max(LEAST_MICROS, second.p99Micros())));
  }

  private static List<Point> bySeconds(LoadReport.Step step, ToDoubleFunction<Second> value) {
    return step.series().together().seconds().stream()
        .map(second -> new Point(second.at(), value.applyAsDouble(second))).toList();
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

  private static String picture(String what, LineChart chart) {
    String png = Base64.getEncoder().encodeToString(chart.png(WIDTH, HEIGHT));
    return "<img alt=\"" + what + "\" src=\"data:image/png;base64," + png + "\">\n";
  }

  private static String table(String csv) {
    StringBuilder html = new StringBuilder("<table>\n");
    String cell = "th>";
    for (String line : csv.lines().toList()) {
      html.append("<tr><").append(cell).append(escaped(line).replace(",", "</" + cell + "<" + cell)).append("</")
          .append(cell).append("</tr>\n");
      cell = "td>";
    }
    return html.append("</table>\n").toString();
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
  }
}
