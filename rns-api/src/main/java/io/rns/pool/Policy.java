package io.rns.pool;

import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A rule of selection. It is either {@linkplain RankedPolicy ranked}: the smallest rank is next; or
 * {@linkplain DrawnPolicy drawn}: chance decides, by weights.
 */
public sealed interface Policy permits RankedPolicy, DrawnPolicy {
  /** Which one it is. */
  PolicyType type();

  /** Whether an element can be selected at all; one that cannot waits for its next report. */
  default boolean admits(SelectionState standing) {
    return true;
  }

  /** Where an element stands that joins those that can be selected, before which {@code head} would have been next. */
  default SelectionState join(SelectionState fresh, @Nullable SelectionState head) {
    return fresh;
  }

  /** Where an element stands after it was selected. */
  default SelectionState charge(SelectionState standing) {
    return standing;
  }

  /** Where an element stands after it reported, that is, after its re-registration. */
  default SelectionState report(SelectionState standing, Parameters report) {
    return standing.reported(report, 0);
  }

  /**
   * The candidates that can be selected, the best first: the others are there to fail over to. A registrar with many
   * elements keeps them in order instead.
   *
   * @param random decides where chance decides
   */
  <C extends Candidate> List<C> order(List<C> candidates, RandomGenerator random);
}
