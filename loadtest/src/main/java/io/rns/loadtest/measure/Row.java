package io.rns.loadtest.measure;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Figures of one thing that was measured, for a table or a document.
 *
 * @param what was measured
 * @param figures by their names, in order; units are in the names
 */
public record Row(String what, Map<String, Double> figures) {
  /** Copies, and keeps the order. */
  public Row {
    figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
  }

  /** Without figures yet. */
  public static Row of(String what) {
    return new Row(what, Map.of());
  }

  /** The same with one more figure behind the others. */
  public Row with(String name, double figure) {
    Map<String, Double> more = new LinkedHashMap<>(figures);
    more.put(name, figure);
    return new Row(what, more);
  }

  /**
   * One of the figures.
   *
   * @throws IllegalArgumentException if there is none of that name
   */
  public double figure(String name) {
    Double figure = figures.get(name);
    if (figure == null) {
      throw new IllegalArgumentException("'" + what + "' has no figure '" + name + "'");
    }
    return figure;
  }
}
