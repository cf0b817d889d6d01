package io.rns.loadtest.drill;

import io.rns.loadtest.history.Violation;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a drill of moves has found.
 *
 * @param rounds those that were gone through
 * @param outcomes how often each thing happened: kills of each process, moves completed and undone
 * @param checked how many requests and entries were compared with what there had to be
 * @param incomplete what kept the drill from proving anything; empty if it went through
 */
public record MoveDrillReport(
    int rounds, Map<String, Long> outcomes, Map<String, Long> checked, List<Violation> violations,
    List<String> incomplete, Optional<Path> logs) {
  public MoveDrillReport {
    violations = List.copyOf(violations);
    incomplete = List.copyOf(incomplete);
  }

  /** Whether every promise was kept in every round. */
  public boolean isPassed() {
    return violations.isEmpty() && incomplete.isEmpty();
  }
}
