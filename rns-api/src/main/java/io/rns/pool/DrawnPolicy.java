package io.rns.pool;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * A policy of chance: an element is next with the probability of its weight among all that can be selected; none comes
 * twice.
 */
public non-sealed interface DrawnPolicy extends Policy {
  /** The weight, 1 to {@link Parameters#FULL} for an element that is admitted. */
  long weight(SelectionState standing);

  /** Draws one after the other, without putting back. */
  @Override
  default <C extends Candidate> List<C> order(List<C> candidates, RandomGenerator random) {
    // The smallest of exponential waiting times belongs to an element with the probability of its rate, and so does the
    // smallest of the rest: one sort does the work of drawing n times.
    record Waiting<T>(T candidate, double time) {}
    List<Waiting<C>> waiting = new ArrayList<>(candidates.size());
    for (C candidate : candidates) {
      if (admits(candidate.standing())) {
        double time = -Math.log(1 - random.nextDouble()) / weight(candidate.standing());
        waiting.add(new Waiting<>(candidate, time));
      }
    }
    waiting.sort(Comparator.comparingDouble(Waiting::time));
    return waiting.stream().map(Waiting::candidate).toList();
  }
}
