package io.rns.replication.simulation;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What came of many histories. Thread-safe. */
final class HistorySummary {
  private final Map<Long, HistoryPlan> unsafe = new TreeMap<>();
  private final Map<Long, HistoryPlan> stuck = new TreeMap<>();
  private int histories;
  private int forgetful;
  private int waiting;
  private long acknowledgements;
  private long reads;
  private long epochs;

  synchronized void add(HistoryPlan plan, GroupHistory.Result result) {
    histories++;
    acknowledgements += result.acknowledgements();
    reads += result.reads();
    epochs += result.epochs();
    Optional<InvariantViolated> broken = broken(plan, result);
    broken.ifPresent(
        violated -> (violated.broken() == InvariantViolated.Kind.SAFETY ? unsafe : stuck).put(plan.seed(), plan));
    if (broken.isEmpty() && result.violation().isPresent()) {
      if (result.violation().get().broken() == InvariantViolated.Kind.DURABLE_PROGRESS) {
        forgetful++;
      } else {
        waiting++;
      }
    }
  }

  /** What a history broke, unless its plan excuses that. */
  static Optional<InvariantViolated> broken(HistoryPlan plan, GroupHistory.Result result) {
    return result.violation()
        .filter(violated -> violated.broken() == InvariantViolated.Kind.SAFETY || plan.keepsEnough());
  }

  /** Histories that were not safe, by seed. */
  synchronized List<HistoryPlan> unsafe() {
    return List.copyOf(unsafe.values());
  }

  /** Histories that should have ended with a primary, and did not. */
  synchronized List<HistoryPlan> stuck() {
    return List.copyOf(stuck.values());
  }

  @Override
  public synchronized String toString() {
    return String.format(
        Locale.ROOT,
        "%,d histories: %,d acknowledged writes, %,d reads, %,d epochs; %d unsafe, %d without a primary; after faults "
            + "that may lose writes, %,d wait for databases that were restarted and %,d for another reason",
        histories, acknowledgements, reads, epochs, unsafe.size(), stuck.size(), forgetful, waiting);
  }
}
