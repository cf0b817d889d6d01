package io.rns.replication.simulation;

import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;

/** Looks for histories that break a promise, and for the fewest faults that do. */
final class HistorySearch {
  private final GroupHistory history;

  HistorySearch(Set<Defect> defects) {
    this.history = new GroupHistory(defects, note -> {});
  }

  /** What a plan breaks, if it has to keep that. */
  Optional<InvariantViolated> broken(HistoryPlan plan) {
    return history.run(plan).violation()
        .filter(violated -> violated.broken() == InvariantViolated.Kind.SAFETY || plan.mustProgress());
  }

  /** The first of these seeds whose history is not safe. */
  Optional<HistoryPlan> firstUnsafe(LongStream seeds) {
    return seeds.mapToObj(HistoryPlan::of)
        .filter(
            plan -> broken(plan)
                .filter(violated -> violated.broken() == InvariantViolated.Kind.SAFETY).isPresent())
        .findFirst();
  }

  /** Leaves out faults as long as the same promise is broken. */
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
