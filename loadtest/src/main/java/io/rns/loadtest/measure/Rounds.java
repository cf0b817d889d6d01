package io.rns.loadtest.measure;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Runs workloads in turns (A B C, B C A, ...), so that what disturbs the machine for a while disturbs all of them, none
 * has always the same one before it, and each round gives a pair to compare.
 */
public final class Rounds {
  private Rounds() {}

  /**
   * The series of the workloads that ran, in order; an interrupted run may have fewer rounds, and a shorter last one.
   */
  public record Outcome(List<Series> series, boolean interrupted) {
    /** The series of a run that was not interrupted. */
    public List<Series> complete() throws InterruptedException {
      if (interrupted) {
        throw new InterruptedException("stopped");
      }
      return series;
    }
  }

  /**
   * Runs every workload once per round, or as far as it gets until the thread is interrupted, which is cleared. Code
   * and caches are still cold in the first round.
   */
  public static Outcome run(
      List<Workload> workloads,
      int rounds,
      Schedule first,
      Schedule later,
      Observer observer,
      Consumer<String> progress) {
    Map<Workload, List<Measurement>> runs = new HashMap<>();
    boolean interrupted = Thread.interrupted();
    for (int round = 0; round < rounds && !interrupted; round++) {
      for (int i = 0; i < workloads.size(); i++) {
        Workload workload = workloads.get((round + i) % workloads.size());
        progress.accept("round " + (round + 1) + " of " + rounds + ": " + workload.name());
        Measurement measured = workload.run(round == 0 ? first : later, observer);
        interrupted = Thread.interrupted();
        if (!interrupted || measured.completed() > 0) {
          runs.computeIfAbsent(workload, any -> new ArrayList<>()).add(measured);
        }
        if (interrupted) {
          break;
        }
      }
    }
    return new Outcome(workloads.stream().filter(runs::containsKey)
        .map(workload -> new Series(workload, List.copyOf(runs.get(workload)))).toList(), interrupted);
  }
}
