package io.rns.pool;

import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;

/** A policy without chance: the lowest round, then the smallest rank, then the lowest sequence number is next. */
public non-sealed interface RankedPolicy extends Policy {
  /** The rank, from 0, of an element that is admitted; depends on nothing but the standing. */
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
