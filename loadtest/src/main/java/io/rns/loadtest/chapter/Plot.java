package io.rns.loadtest.chapter;

import java.util.ArrayList;
import java.util.List;

/**
 * Curves over one quantity.
 *
 * @param name of its file, without the extension
 * @param x what the abscissa has
 * @param y what the ordinate has
 * @param logarithmicX whether the abscissa is logarithmic
 * @param logarithmicY whether the ordinate is
 * @param curves each with a name
 * @param marks values of the ordinate that lines are drawn at
 */
record Plot(
    String name, String title, String x, String y, boolean logarithmicX, boolean logarithmicY, List<Curve> curves,
    List<Mark> marks) {
  /** A point of a curve. */
  record Point(double x, double y) {}

  /** A named curve; those of one {@code style} have the same kind of line. */
  record Curve(String name, int colour, int style, List<Point> points) {
    Curve {
      points = List.copyOf(points);
    }
  }

  /** A value to compare with. */
  record Mark(String name, double y) {}

  Plot {
    curves = List.copyOf(curves);
    marks = List.copyOf(marks);
  }

  static Plot of(String name, String title, String x, String y) {
    return new Plot(name, title, x, y, false, false, List.of(), List.of());
  }

  Plot withLogarithmicX() {
    return new Plot(name, title, x, y, true, logarithmicY, curves, marks);
  }

  Plot withLogarithmicY() {
    return new Plot(name, title, x, y, logarithmicX, true, curves, marks);
  }

  /** With one more curve, in a colour of its own. */
  Plot with(String curve, List<Point> points) {
    return with(curve, curves.size(), 0, points);
  }

  /** With one more curve, unless it has no point that can be drawn. */
  Plot with(String curve, int colour, int style, List<Point> points) {
    List<Point> drawn =
        points.stream()
            .filter(point -> isDrawn(point.x(), logarithmicX) && isDrawn(point.y(), logarithmicY))
            .toList();
    List<Curve> more = new ArrayList<>(curves);
    if (!drawn.isEmpty()) {
      more.add(new Curve(curve, colour, style, drawn));
    }
    return new Plot(name, title, x, y, logarithmicX, logarithmicY, more, marks);
  }

  /** With a line to compare with. */
  Plot mark(String mark, double value) {
    List<Mark> more = new ArrayList<>(marks);
    more.add(new Mark(mark, value));
    return new Plot(name, title, x, y, logarithmicX, logarithmicY, curves, more);
  }

  private static boolean isDrawn(double value, boolean logarithmic) {
    return Double.isFinite(value) && (!logarithmic || value > 0);
  }
}
