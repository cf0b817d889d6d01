package io.rns.loadtest.figure;

import io.rns.pool.PolicyType;
import java.awt.BasicStroke;
import java.awt.Color;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import javax.imageio.ImageIO;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.Circle;
import org.knowm.xchart.style.markers.Diamond;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.Square;

/** Figures as PNG pictures: a colour per policy, a kind of line per q, and confidence intervals. */
public final class Plots {
  private static final int WIDTH = 900;
  private static final int HEIGHT = 600;
  private static final List<Color> COLOURS =
      List.of(new Color(0x0072b2), new Color(0xd55e00), new Color(0x009e73), new Color(0xcc79a7), new Color(0x56b4e9),
          Color.BLACK);
  private static final List<Marker> MARKERS = List.of(new Circle(), new Square(), new Diamond());
  private static final List<float[]> DASHES = List.of(new float[]{2, 4}, new float[]{8, 4}, new float[]{1});

  private Plots() {}

  /**
   * Draws the handling speed.
   *
   * @throws UncheckedIOException if the file cannot be written
   */
  public static void speed(Figure figure, List<Measured> measured, Path file) {
    draw(figure, measured, "handling speed, % of mean capacity", Measured::speed, 100, file);
  }

  /**
   * Draws the questions to the registrar per request.
   *
   * @throws UncheckedIOException if the file cannot be written
   */
  public static void resolutions(Figure figure, List<Measured> measured, Path file) {
    draw(figure, measured, "handle resolutions per request", Measured::resolutions, 1, file);
  }

  private static void draw(
      Figure figure, List<Measured> measured, String label, Function<Measured, Estimate> what, double factor,
      Path file) {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title("Figure " + figure)
            .xAxisTitle(figure.quantity())
            .yAxisTitle(label)
            .build();
    chart.getStyler().setLegendPosition(LegendPosition.OutsideE).setChartBackgroundColor(Color.WHITE);
    chart.getStyler().setXAxisLogarithmic(figure.isLogarithmic()).setYAxisMin(0.0);
    List<PolicyType> policies = measured.stream().map(m -> m.cell().policy()).distinct().toList();
    List<Double> minCapacities = measured.stream().map(m -> m.cell().minCapacity()).distinct().toList();
    curves(measured).forEach(
        (name, curve) -> {
          double[] x = values(curve, m -> m.cell().value());
          double[] y = values(curve, m -> factor * what.apply(m).mean());
          XYSeries series = chart.addSeries(name, x, y, values(curve, m -> factor * what.apply(m).halfWidth()));
          Cell first = curve.get(0).cell();
          style(series, policies.indexOf(first.policy()), minCapacities.indexOf(first.minCapacity()));
        });
    try (OutputStream out = Files.newOutputStream(file)) {
      ImageIO.write(BitmapEncoder.getBufferedImage(chart), "png", out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<String, List<Measured>> curves(List<Measured> measured) {
    Map<String, List<Measured>> curves = new LinkedHashMap<>();
    for (Measured m : measured) {
      String name = String.format(Locale.ROOT, "%s, q=%,.0f", m.cell().policy(), m.cell().minCapacity());
      curves.computeIfAbsent(name, any -> new ArrayList<>()).add(m);
    }
    return curves;
  }

  private static void style(XYSeries series, int policy, int minCapacity) {
    Color colour = COLOURS.get(policy % COLOURS.size());
    float[] dash = DASHES.get(minCapacity % DASHES.size());
    series.setMarker(MARKERS.get(minCapacity % MARKERS.size())).setMarkerColor(colour);
    series.setLineColor(colour);
    series.setLineStyle(
        dash.length == 1 ? new BasicStroke(2)
            : new BasicStroke(2, BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER, 10, dash, 0));
  }

  private static double[] values(List<Measured> curve, ToDoubleFunction<Measured> value) {
    return curve.stream().mapToDouble(value).toArray();
  }
}
