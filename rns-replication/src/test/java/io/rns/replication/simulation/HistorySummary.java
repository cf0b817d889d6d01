package io.rns.replication.simulation;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What came of many histories. Thread-safe. */
final class HistorySummary {
  private final Map<Long, HistoryPlan> unsafe = new TreeMap<>();
  private final Map<Long, HistoryPlan> waiting = new TreeMap<>();
  private int histories;
  private long acknowledgements;
  private long reads;
  private long epochs;

  synchronized void add(HistoryPlan plan, GroupHistory.Result result) {
    histories++;
    acknowledgements += result.acknowledgements();
    reads += result.reads();
    epochs += result.epochs();
    broken(plan, result).ifPresent(
        violated -> (violated.broken() == InvariantViolated.Kind.SAFETY ? unsafe : waiting).put(plan.seed(), plan));
  }

  /** What a history broke, if it has to keep that. */
  static Optional<InvariantViolated> broken(HistoryPlan plan, GroupHistory.Result result) {
    return result.violation()
        .filter(violated -> violated.broken() == InvariantViolated.Kind.SAFETY || plan.mustProgress());
  }

  /** Histories that were not safe, by seed. */
  synchronized List<HistoryPlan> unsafe() {
    return List.copyOf(unsafe.values());
  }

  /** Histories that should have ended with a primary, and did not. */
  synchronized List<HistoryPlan> waiting() {
    return List.copyOf(waiting.values());
  }

  @Override
  public synchronized String toString() {
    return String.format(
        Locale.ROOT, "%,d histories: %,d acknowledged writes, %,d reads, %,d epochs; %d unsafe, %d without a primary",
        histories, acknowledgements, reads, epochs, unsafe.size(), waiting.size());
  }
}
