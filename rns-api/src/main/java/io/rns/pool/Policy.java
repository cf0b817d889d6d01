package io.rns.pool;

import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A rule of selection: either {@linkplain RankedPolicy ranked}, where the smallest rank is next, or
 * {@linkplain DrawnPolicy drawn}, by weighted chance.
 */
public sealed interface Policy permits RankedPolicy, DrawnPolicy {
  /** The type of the policy. */
  PolicyType type();

  /** Whether an element can be selected at all; otherwise it waits for its next report. */
  default boolean admits(SelectionState standing) {
    return true;
  }

  /** The state of an element that joins the selectable ones; {@code head} would have been selected next. */
  default SelectionState join(SelectionState fresh, @Nullable SelectionState head) {
    return fresh;
  }

  /** The state of an element after a selection. */
  default SelectionState charge(SelectionState standing) {
    return standing;
  }

  /** The state of an element after a report, that is, after its re-registration. */
  default SelectionState report(SelectionState standing, Parameters report) {
    return standing.reported(report, 0);
  }

  /**
   * The selectable candidates, best first; the others serve as failover targets. A registrar with many elements keeps
   * them ordered instead.
   *
   * @param random the source of randomness of drawn policies
   */
  <C extends Candidate> List<C> order(List<C> candidates, RandomGenerator random);
}
