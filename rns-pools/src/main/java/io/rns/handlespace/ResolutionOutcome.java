package io.rns.handlespace;

import io.rns.pool.PolicyType;
import io.rns.pool.SelectionState;
import java.util.List;

/** The outcome of a handle resolution. */
public sealed interface ResolutionOutcome {
  /**
   * Elements were selected.
   *
   * @param policy the policy of the pool
   * @param selected the best first; without duplicates
   */
  record Resolved(PolicyType policy, List<Selected> selected) implements ResolutionOutcome {
    /** Copies. */
    public Resolved {
      selected = List.copyOf(selected);
    }

    /** The elements, the best first. */
    public List<RegisteredElement> elements() {
      return selected.stream().map(Selected::element).toList();
    }
  }

  /**
   * A selected element.
   *
   * @param element its registration
   * @param standing its selection state before this selection: a user that reorders the elements needs to know how many
   *        selections they have been charged
   */
  record Selected(RegisteredElement element, SelectionState standing) {}

  /**
   * The pool has elements, but none can be selected now: all have weight 0 or no credit.
   *
   * @param policy the policy of the pool
   * @param size the number of its elements
   */
  record NoneEligible(PolicyType policy, int size) implements ResolutionOutcome {}

  /** No pool has the handle. RFC 5354 cause 9. */
  record UnknownPool() implements ResolutionOutcome {}
}
