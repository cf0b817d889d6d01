package io.rns.loadtest.figure;

import io.rns.loadtest.chart.LineChart;
import io.rns.loadtest.chart.LineChart.Point;
import io.rns.loadtest.chart.LineChart.Scale;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Files of one figure in a directory: a table of comma-separated values, and PNG pictures. */
public final class FigureFiles {
  private static final int WIDTH = 900;
  private static final int HEIGHT = 600;
  private static final String HEADER =
      "figure,policy,q,x,repetitions,speed,speed_ci95,utilisation,utilisation_ci95,"
          + "resolutions_per_request,resolutions_ci95,rejected_share,rejected_ci95,failed_share,failed_ci95\n";

  private FigureFiles() {}

  public static void writeTable(Figure figure, List<Measured> measured, Path directory) throws IOException {
    Files.writeString(directory.resolve("figure-" + figure + ".csv"), csv(measured));
  }

  /** Draws {@code figure-F-speed.png} and {@code figure-F-resolutions.png}, with confidence intervals. */
  public static void drawPictures(Figure figure, List<Measured> measured, Path directory) throws IOException {
    byte[] speed = picture(figure, measured, "handling speed, % of mean capacity", Measured::speed, 100);
    Files.write(directory.resolve("figure-" + figure + "-speed.png"), speed);
    byte[] resolutions = picture(figure, measured, "handle resolutions per request", Measured::resolutions, 1);
    Files.write(directory.resolve("figure-" + figure + "-resolutions.png"), resolutions);
  }

  /** With a header and a line per cell; numbers have a decimal point everywhere. */
  static String csv(List<Measured> measured) {
    StringBuilder text = new StringBuilder(HEADER);
    for (Measured m : measured) {
      Cell cell = m.cell();
      text.append(
          String.format(Locale.ROOT, "%s,%s,%.0f,%s,%d", cell.figure(), cell.policy(), cell.minCapacity(), cell.value(),
              m.repetitions()));
      for (Estimate estimate : List.of(m.speed(), m.utilisation(), m.resolutions(), m.rejected(), m.failed())) {
        text.append(String.format(Locale.ROOT, ",%.5f,%.5f", estimate.mean(), estimate.halfWidth()));
      }
      text.append('\n');
    }
    return text.toString();
  }

  private static byte[] picture(
      Figure figure, List<Measured> measured, String label, Function<Measured, Estimate> what, double factor) {
    Scale scale = figure.logarithmic() ? Scale.LOGARITHMIC : Scale.LINEAR;
    LineChart chart = new LineChart("Figure " + figure, figure.quantity(), scale, label, Scale.LINEAR);
    measured.stream()
        .collect(
            Collectors.groupingBy(
                m -> String.format(Locale.ROOT, "%s, q=%,.0f", m.cell().policy(), m.cell().minCapacity()),
                LinkedHashMap::new,
                Collectors.mapping(
                    m -> new Point(m.cell().value(), factor * what.apply(m).mean(), factor * what.apply(m).halfWidth()),
                    Collectors.toList())))
        .forEach((name, points) -> chart.curve(name, true, points));
    return chart.png(WIDTH, HEIGHT);
  }
}
