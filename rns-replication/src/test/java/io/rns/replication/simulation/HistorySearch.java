package io.rns.replication.simulation;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** Looks for histories that break a promise, on all processors, and for the fewest faults that do. */
final class HistorySearch {
  private final Set<Defect> defects;

  HistorySearch(Set<Defect> defects) {
    this.defects = defects;
  }

  /** What a plan breaks, if it has to keep that. */
  Optional<InvariantViolated> broken(HistoryPlan plan) {
    return HistorySummary.broken(plan, new GroupHistory(defects, null).run(plan));
  }

  /** Runs the histories of so many seeds. */
  HistorySummary run(long first, int count) {
    HistorySummary summary = new HistorySummary();
    run(summary, first, count, () -> false);
    return summary;
  }

  /** One of so many seeds whose history is not safe. */
  Optional<HistoryPlan> anyUnsafe(long first, int count) {
    HistorySummary summary = new HistorySummary();
    run(summary, first, count, () -> !summary.unsafe().isEmpty());
    return summary.unsafe().stream().findFirst();
  }

  /** On virtual threads, as those of a history are: one hands over to another without a system call. */
  private void run(HistorySummary summary, long first, int count, BooleanSupplier enough) {
    AtomicLong next = new AtomicLong(first);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<CompletableFuture<Void>> shares = Stream.generate(() -> CompletableFuture.runAsync(() -> {
        GroupHistory history = new GroupHistory(defects, null);
        for (long seed = next.getAndIncrement(); seed < first + count && !enough.getAsBoolean(); seed =
            next.getAndIncrement()) {
          HistoryPlan plan = HistoryPlan.of(seed);
          summary.add(plan, history.run(plan));
        }
      }, threads)).limit(Runtime.getRuntime().availableProcessors()).toList();
      shares.forEach(CompletableFuture::join);
    }
  }

  /** Leaves out faults as long as a promise is broken. */
  HistoryPlan shrunk(HistoryPlan plan) {
    HistoryPlan smallest = plan;
    for (int i = smallest.faults().size() - 1; i >= 0; i--) {
      HistoryPlan fewer = smallest.without(i);
      if (broken(fewer).isPresent()) {
        smallest = fewer;
      }
    }
    return smallest;
  }
}
