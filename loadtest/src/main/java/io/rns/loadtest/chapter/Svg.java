package io.rns.loadtest.chapter;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Plots as SVG with text that stays text: small, and the same for the same figures, so that versions of them can be
 * compared. The library that draws the plots of reports draws letters as outlines.
 */
final class Svg {
  private static final int WIDTH = 860;
  private static final int HEIGHT = 400;
  private static final int LEFT = 70;
  private static final int RIGHT = 620;
  private static final int TOP = 36;
  private static final int BOTTOM = 346;
  private static final int LEGEND = RIGHT + 16;
  private static final int LINE = 18;
  private static final int TICK_DIGITS = 6;
  private static final List<String> COLOURS =
      List.of("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#8c6d1f", "#000000");
  private static final List<String> DASHES = List.of("none", "8 4", "2 3");

  private final StringBuilder text = new StringBuilder();
  private final Plot plot;
  private final Axis x;
  private final Axis y;

  private Svg(Plot plot) {
    this.plot = plot;
    List<Double> xs = new ArrayList<>();
    List<Double> ys = new ArrayList<>(plot.marks().stream().map(Plot.Mark::y).toList());
    for (Plot.Curve curve : plot.curves()) {
      curve.points().forEach(point -> xs.add(point.x()));
      curve.points().forEach(point -> ys.add(point.y()));
    }
    x = Axis.over(xs, plot.logarithmicX(), LEFT, RIGHT);
    y = Axis.over(ys, plot.logarithmicY(), BOTTOM, TOP);
  }

  static String of(Plot plot) {
    Svg svg = new Svg(plot);
    svg.frame();
    svg.curves();
    svg.marks();
    return svg.text.append("</svg>\n").toString();
  }

  private void frame() {
    put(
        String.format(
            Locale.ROOT,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">",
            WIDTH, HEIGHT));
    put(
        String.format(
            Locale.ROOT,
            "<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>",
            WIDTH, HEIGHT));
    label((LEFT + RIGHT) / 2.0, 20, "middle", " font-size=\"15\"", plot.title());
    for (double tick : x.ticks()) {
      line(x.place(tick), TOP, x.place(tick), BOTTOM, "#e4e4e4", "none");
      label(x.place(tick), BOTTOM + 16, "middle", "", number(tick));
    }
    for (double tick : y.ticks()) {
      line(LEFT, y.place(tick), RIGHT, y.place(tick), "#e4e4e4", "none");
      label(LEFT - 6, y.place(tick) + 4, "end", "", number(tick));
    }
    put(
        String.format(
            Locale.ROOT,
            "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#444\"/>",
            LEFT, TOP, RIGHT - LEFT, BOTTOM - TOP));
    label((LEFT + RIGHT) / 2.0, BOTTOM + 38, "middle", "", plot.x());
    double middle = (TOP + BOTTOM) / 2.0;
    label(16, middle, "middle", " transform=\"rotate(-90 16 " + place(middle) + ")\"", plot.y());
  }

  private void curves() {
    int at = TOP + LINE / 2;
    for (Plot.Curve curve : plot.curves()) {
      String colour = COLOURS.get(curve.colour() % COLOURS.size());
      String dash = DASHES.get(curve.style() % DASHES.size());
      StringBuilder points = new StringBuilder();
      for (Plot.Point point : curve.points()) {
        points.append(points.isEmpty() ? "" : " ").append(place(x.place(point.x()))).append(',')
            .append(place(y.place(point.y())));
      }
      put(
          String.format(
              Locale.ROOT,
              "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\" stroke-dasharray=\"%s\"/>",
              points, colour, dash));
      for (Plot.Point point : curve.points()) {
        put(
            String.format(
                Locale.ROOT,
                "<circle cx=\"%s\" cy=\"%s\" r=\"3\" fill=\"%s\"/>",
                place(x.place(point.x())), place(y.place(point.y())), colour));
      }
      line(LEGEND, at, LEGEND + 26, at, colour, dash);
      label(LEGEND + 32, at + 4, "start", "", curve.name());
      at += LINE;
    }
  }

  private void marks() {
    for (Plot.Mark mark : plot.marks()) {
      line(LEFT, y.place(mark.y()), RIGHT, y.place(mark.y()), "#777777", "4 4");
      label(LEFT + 6, y.place(mark.y()) - 4, "start", " fill=\"#555555\"", mark.name());
    }
  }

  private void line(double x1, double y1, double x2, double y2, String colour, String dash) {
    String ends =
        " x1=\"" + place(x1) + "\" y1=\"" + place(y1) + "\" x2=\"" + place(x2) + "\" y2=\"" + place(y2) + "\"";
    put("<line" + ends + " stroke=\"" + colour + "\" stroke-dasharray=\"" + dash + "\"/>");
  }

  private void label(double atX, double atY, String anchor, String more, String words) {
    put(
        String.format(
            Locale.ROOT,
            "<text x=\"%s\" y=\"%s\" text-anchor=\"%s\"%s>%s</text>",
            place(atX), place(atY), anchor, more, escaped(words)));
  }

  private void put(String element) {
    text.append(element).append('\n');
  }

  private static String place(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  private static String number(double value) {
    BigDecimal rounded = new BigDecimal(value).round(new MathContext(TICK_DIGITS)).stripTrailingZeros();
    return String.format(Locale.ROOT, "%,." + Math.max(0, rounded.scale()) + "f", rounded);
  }

  private static String escaped(String words) {
    return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
  }
}
