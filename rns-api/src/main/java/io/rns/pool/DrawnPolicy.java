package io.rns.pool;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * A random policy: an element is next with the probability of its weight among all selectable elements; drawn without
 * replacement.
 */
public non-sealed interface DrawnPolicy extends Policy {
  /** The weight of an admitted element, 1 to {@link Parameters#FULL}. */
  long weight(SelectionState standing);

  /** Draws all candidates without replacement. */
  @Override
  default <C extends Candidate> List<C> order(List<C> candidates, RandomGenerator random) {
    // The smallest of several exponential waiting times belongs to each element with the probability of its rate, and
    // likewise among the rest: one sort replaces n draws.
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
