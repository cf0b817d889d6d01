package io.rns.loadtest.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Runs workloads in turns (A B C, A B C, ...), so that what disturbs the machine for a while disturbs all of them, and
 * each round gives a pair to compare.
 */
public final class Rounds {
  private Rounds() {}

  /** The same, without an eye on other processes. */
  public static List<Series> run(
      List<Workload> workloads, int rounds, Schedule first, Schedule later, Consumer<String> progress)
      throws InterruptedException {
    return run(workloads, rounds, first, later, Processors.OWN, progress);
  }

  /**
   * Runs every workload once per round.
   *
   * @param rounds how many, at least 1
   * @param first the schedule of the first round, in which code and caches are still cold
   * @param later the schedule of the others
   * @param processors whose use of the processors is told
   * @param progress is told what runs
   * @return in the order of the workloads
   * @throws InterruptedException if the thread was interrupted; the rest is not run
   */
  public static List<Series> run(
      List<Workload> workloads,
      int rounds,
      Schedule first,
      Schedule later,
      Processors processors,
      Consumer<String> progress)
      throws InterruptedException {
    List<List<Measurement>> runs = new ArrayList<>();
    workloads.forEach(workload -> runs.add(new ArrayList<>()));
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < workloads.size(); i++) {
        progress.accept("round " + (round + 1) + " of " + rounds + ": " + workloads.get(i).name());
        runs.get(i).add(workloads.get(i).run(round == 0 ? first : later, processors));
        if (Thread.interrupted()) {
          throw new InterruptedException("stopped in round " + (round + 1));
        }
      }
    }
    List<Series> series = new ArrayList<>();
    for (int i = 0; i < workloads.size(); i++) {
      series.add(new Series(workloads.get(i), runs.get(i)));
    }
    return series;
  }
}
