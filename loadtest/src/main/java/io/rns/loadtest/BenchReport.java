package io.rns.loadtest;

import io.rns.loadtest.measure.Row;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a benchmark found.
 *
 * @param rows figures
 * @param notes what is to be known beside them, by what it is about
 */
public record BenchReport(List<Row> rows, Map<String, String> notes) {
  /** Copies both, and keeps their orders. */
  public BenchReport {
    rows = List.copyOf(rows);
    notes = Collections.unmodifiableMap(new LinkedHashMap<>(notes));
  }
}
