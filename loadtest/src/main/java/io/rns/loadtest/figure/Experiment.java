package io.rns.loadtest.figure;

import io.rns.loadtest.sim.Observation;
import io.rns.loadtest.sim.Scenario;
import io.rns.loadtest.sim.Simulation;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;

/**
 * Many simulations, on as many threads as there are processors.
 *
 * @param seed of everything random; repetition n has the same requests in all cells of the same load
 */
public record Experiment(long seed, int repetitions, double minutes, double warmUpMinutes) {
  /**
   * Runs all cells; the results do not depend on the number of threads. If the calling thread is interrupted, they are
   * those of the cells done by then, and it stays interrupted.
   */
  public Measurements run(List<Cell> cells, IntConsumer progress) {
    int processors = Runtime.getRuntime().availableProcessors();
    ExecutorService workers =
        Executors.newFixedThreadPool(processors, task -> Thread.ofPlatform().daemon().name("sim").unstarted(task));
    List<Measured> done = new ArrayList<>();
    try {
      List<List<Future<Observation>>> running = new ArrayList<>();
      for (Cell cell : cells) {
        running.add(start(cell, workers));
      }
      for (int i = 0; i < cells.size(); i++) {
        done.add(Measured.of(cells.get(i), await(running.get(i))));
        running.set(i, List.of());
        progress.accept(i + 1);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      workers.shutdownNow();
    }
    return new Measurements(done, cells.size());
  }

  private List<Future<Observation>> start(Cell cell, ExecutorService workers) {
    Scenario scenario = cell.figure().scenario(cell, minutes, warmUpMinutes);
    SplittableRandom seeds = new SplittableRandom(seed);
    List<Future<Observation>> futures = new ArrayList<>(repetitions);
    for (int i = 0; i < repetitions; i++) {
      long repetition = seeds.nextLong();
      futures.add(workers.submit(() -> Simulation.run(scenario, repetition)));
    }
    return futures;
  }

  private static List<Observation> await(List<Future<Observation>> futures) throws InterruptedException {
    List<Observation> seen = new ArrayList<>(futures.size());
    for (Future<Observation> future : futures) {
      if (Thread.interrupted()) {
        // get() of what is done already would not look.
        throw new InterruptedException();
      }
      try {
        seen.add(future.get());
      } catch (ExecutionException e) {
        throw new IllegalStateException("a simulation failed", e.getCause());
      }
    }
    return seen;
  }
}
