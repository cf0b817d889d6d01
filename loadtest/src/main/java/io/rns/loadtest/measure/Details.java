package io.rns.loadtest.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * What one run of a workload gave, in detail.
 *
 * @param operations latencies by the names of operations; empty if the load has one operation only
 * @param answered how many requests were answered well within the measured time, whenever they were due
 * @param notStarted how many were due in the measured time of an open loop and found no free client until its end
 * @param seconds the measured time bit by bit
 */
public record Details(Map<String, Histogram> operations, long answered, long notStarted, List<Second> seconds) {
  /** Copies what can change. */
  public Details {
    operations = new TreeMap<>(operations);
    seconds = List.copyOf(seconds);
  }

  /** Of a run of which nothing else is known. */
  static Details of(Histogram latencies) {
    return new Details(Map.of(), latencies.getTotalCount(), 0, List.of());
  }

  /**
   * This one and another one that came after it.
   *
   * @param seconds how long after the beginning of this one the other one began
   */
  Details and(Details later, double seconds) {
    Map<String, Histogram> both = new TreeMap<>();
    for (Details one : List.of(this, later)) {
      one.operations.forEach((name, latencies) -> both.computeIfAbsent(name, any -> Measurement.newHistogram()).add(latencies));
    }
    List<Second> all = new ArrayList<>(this.seconds);
    later.seconds.forEach(second -> all.add(second.later(seconds)));
    return new Details(both, answered + later.answered, notStarted + later.notStarted, all);
  }
}
