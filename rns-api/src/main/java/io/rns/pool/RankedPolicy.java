package io.rns.pool;

import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;

/** A deterministic policy: the lowest round is next, then the smallest rank, then the lowest sequence number. */
public non-sealed interface RankedPolicy extends Policy {
  /** The rank of an admitted element, 0 or more; a function of the standing only. */
  long rank(SelectionState standing);

  @Override
  default <C extends Candidate> List<C> order(List<C> candidates, RandomGenerator random) {
    return candidates.stream()
        .filter(c -> admits(c.standing()))
        .sorted(
            Comparator.comparingLong((C c) -> c.standing().round())
                .thenComparingLong(c -> rank(c.standing()))
                .thenComparingLong(Candidate::sequence))
        .toList();
  }
}
