package io.rns.loadtest.chapter;

import java.util.ArrayList;
import java.util.List;

/**
 * From values to places in a picture.
 *
 * @param least the smallest value that is shown
 * @param most the largest
 * @param begin where the smallest is
 * @param end where the largest is
 */
record Axis(double least, double most, boolean logarithmic, double begin, double end) {
  private static final double[] STEPS = {1, 2, 5, 10};
  private static final int MOST_TICKS = 8;
  private static final int MOST_DECADES = 3;

  /** The axis that shows all of some values; one that is not logarithmic begins at 0. */
  static Axis over(List<Double> values, boolean logarithmic, double begin, double end) {
    double least = values.stream().mapToDouble(Double::doubleValue).min().orElse(0);
    double most = values.stream().mapToDouble(Double::doubleValue).max().orElse(1);
    if (logarithmic) {
      double lower = Math.pow(10, Math.floor(Math.log10(least)));
      double upper = Math.pow(10, Math.ceil(Math.log10(most)));
      return new Axis(lower, upper > lower ? upper : lower * 10, true, begin, end);
    }
    return new Axis(Math.min(0, least), most > Math.min(0, least) ? most : least + 1, false, begin, end);
  }

  double place(double value) {
    double part =
        logarithmic
            ? (Math.log10(value) - Math.log10(least)) / (Math.log10(most) - Math.log10(least))
            : (value - least) / (most - least);
    return begin + part * (end - begin);
  }

  /** Values to write at the axis. */
  List<Double> ticks() {
    List<Double> ticks = new ArrayList<>();
    if (!logarithmic) {
      double step = step();
      for (double value = Math.ceil(least / step) * step; value <= most + step / 1e6; value += step) {
        ticks.add(value);
      }
      return ticks;
    }
    boolean few = Math.log10(most / least) <= MOST_DECADES;
    for (double decade = least; decade <= most * (1 + 1e-9); decade *= 10) {
      for (double part : few ? new double[]{1, 2, 5} : new double[]{1}) {
        if (decade * part <= most * (1 + 1e-9)) {
          ticks.add(decade * part);
        }
      }
    }
    return ticks;
  }

  private double step() {
    double size = Math.pow(10, Math.floor(Math.log10((most - least) / MOST_TICKS)));
    double step = size;
    for (double factor : STEPS) {
      step = size * factor;
      if ((most - least) / step <= MOST_TICKS) {
        break;
      }
    }
    return step;
  }
}
