package io.rns.loadtest.page;

import io.rns.loadtest.load.LoadReport;
import io.rns.loadtest.measure.Measurement;
import io.rns.loadtest.measure.Second;
import java.awt.Color;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import javax.imageio.ImageIO;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.Circle;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** The plots of a report, as PNG pictures. */
final class Plots {
  private static final int WIDTH = 860;
  private static final int HEIGHT = 380;
  private static final double LEAST_MICROS = 0.1;
  private static final List<Color> COLOURS =
      List.of(
          new Color(0x0072b2),
          new Color(0xd55e00),
          new Color(0x009e73),
          new Color(0xcc79a7),
          new Color(0x56b4e9),
          Color.BLACK);
  private static final double[] PERCENTS = {1, 5, 10, 25, 50, 75, 90, 95, 99, 99.5, 99.9, 99.95, 99.99, 99.999};

  private Plots() {}

  /** Requests per second for each number of clients. */
  static byte[] throughput(LoadReport report) {
    XYChart chart = chart("Requests per second", "clients", "requests/s", false);
    chart.getStyler().setYAxisMin(0.0);
    curve(chart, "median of the rounds", clients(report), steps(report, step -> step.series().throughput()), true);
    return png(chart);
  }

  /** Latencies for each number of clients. */
  static byte[] latencies(LoadReport report) {
    XYChart chart = chart("Latency", "clients", "microseconds", true);
    for (double percent : new double[]{50, 90, 99, 99.9}) {
      double[] micros = steps(report, step -> atLeast(step.series().together().micros(percent)));
      curve(chart, "p" + (percent == 99.9 ? "99.9" : (int) percent), clients(report), micros, true);
    }
    return png(chart);
  }

  /** Which part of the requests took how long at most; on the abscissa 10 is 90 %, 100 is 99 %, 1,000 is 99.9 %. */
  static byte[] distribution(LoadReport report) {
    XYChart chart = chart("Latency of all but one in N requests", "N", "microseconds", true);
    chart.getStyler().setXAxisLogarithmic(true);
    for (LoadReport.Step step : report.steps()) {
      Measurement together = step.series().together();
      double[] x = new double[PERCENTS.length];
      double[] y = new double[PERCENTS.length];
      for (int i = 0; i < PERCENTS.length; i++) {
        x[i] = 100 / (100 - PERCENTS[i]);
        y[i] = atLeast(together.micros(PERCENTS[i]));
      }
      curve(chart, step.clients() + " clients", x, y, false);
    }
    return png(chart);
  }

  /** What each second gave, all rounds one after the other; empty if no run lasted a second. */
  static List<byte[]> seconds(LoadReport report) {
    XYChart rates = chart("Requests in each second, rounds one after the other", "seconds", "requests/s", false);
    rates.getStyler().setYAxisMin(0.0);
    XYChart micros = chart("99th percentile of latency in each second", "seconds", "microseconds", true);
    boolean any = false;
    for (LoadReport.Step step : report.steps()) {
      List<Second> seconds = step.series().together().details().seconds();
      if (!seconds.isEmpty()) {
        any = true;
        double[] x = seconds.stream().mapToDouble(Second::at).toArray();
        curve(rates, step.clients() + " clients", x, seconds.stream().mapToDouble(Second::perSecond).toArray(), false);
        double[] p99 = seconds.stream().mapToDouble(second -> atLeast(second.p99Micros())).toArray();
        curve(micros, step.clients() + " clients", x, p99, false);
      }
    }
    return any ? List.of(png(rates), png(micros)) : List.of();
  }

  /** A logarithmic axis has no place for 0. */
  private static double atLeast(double micros) {
    return Math.max(LEAST_MICROS, micros);
  }

  private static double[] clients(LoadReport report) {
    return steps(report, LoadReport.Step::clients);
  }

  private static double[] steps(LoadReport report, ToDoubleFunction<LoadReport.Step> figure) {
    List<LoadReport.Step> ordered = new ArrayList<>(report.steps());
    ordered.sort((a, b) -> Integer.compare(a.clients(), b.clients()));
    return ordered.stream().mapToDouble(figure).toArray();
  }

  private static XYChart chart(String title, String x, String y, boolean logarithmic) {
    XYChart chart = new XYChartBuilder().width(WIDTH).height(HEIGHT).title(title).xAxisTitle(x).yAxisTitle(y).build();
    chart.getStyler().setLegendPosition(LegendPosition.OutsideE).setChartBackgroundColor(Color.WHITE);
    chart.getStyler().setYAxisLogarithmic(logarithmic).setSeriesColors(COLOURS.toArray(Color[]::new));
    return chart;
  }

  private static void curve(XYChart chart, String name, double[] x, double[] y, boolean marked) {
    XYSeries series = chart.addSeries(name, x, y);
    series.setMarker(marked ? new Circle() : SeriesMarkers.NONE);
  }

  private static byte[] png(XYChart chart) {
    try (ByteArrayOutputStream out = new ByteArrayOutputStream()) {
      ImageIO.write(BitmapEncoder.getBufferedImage(chart), "png", out);
      return out.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
