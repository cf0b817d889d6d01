package io.rns.loadtest.measure;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** Figures of one thing that was measured, by their names with units, in order. */
public record Row(String what, Map<String, Double> figures) {
  public Row {
    figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
  }

  public static Row of(String what) {
    return new Row(what, Map.of());
  }

  public Row with(String name, double figure) {
    Map<String, Double> more = new LinkedHashMap<>(figures);
    more.put(name, figure);
    return new Row(what, more);
  }

  public double figure(String name) {
    Double figure = figures.get(name);
    if (figure == null) {
      throw new IllegalArgumentException("'" + what + "' has no figure '" + name + "'");
    }
    return figure;
  }
}
