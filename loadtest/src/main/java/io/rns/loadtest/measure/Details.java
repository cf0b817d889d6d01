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

  private static void addAll(Map<String, Histogram> some, Map<String, Histogram> to) {
    some.forEach((name, latencies) -> to.computeIfAbsent(name, any -> Measurement.newHistogram()).add(latencies));
  }

  /** Of a run of which nothing else is known. */
  static Details of(Histogram latencies) {
    return new Details(Map.of(), latencies.getTotalCount(), 0, List.of());
  }

  /** Those of runs that were made at the same time, as one. */
  static Details simultaneous(List<Details> runs) {
    Map<String, Histogram> operations = new TreeMap<>();
    long answered = 0;
    long notStarted = 0;
    for (Details run : runs) {
      addAll(run.operations, operations);
      answered += run.answered;
      notStarted += run.notStarted;
    }
    int length = runs.stream().mapToInt(run -> run.seconds.size()).min().orElse(0);
    List<Second> seconds = new ArrayList<>();
    for (int number = 0; number < length; number++) {
      int at = number;
      seconds.add(runs.stream().map(run -> run.seconds.get(at)).reduce(Second::beside).orElseThrow());
    }
    return new Details(operations, answered, notStarted, seconds);
  }

  /**
   * This one and another one that came after it.
   *
   * @param seconds how long after the beginning of this one the other one began
   */
  Details and(Details later, double seconds) {
    Map<String, Histogram> both = new TreeMap<>();
    for (Details one : List.of(this, later)) {
      addAll(one.operations, both);
    }
    List<Second> all = new ArrayList<>(this.seconds);
    later.seconds.forEach(second -> all.add(second.later(seconds)));
    return new Details(both, answered + later.answered, notStarted + later.notStarted, all);
  }
}
