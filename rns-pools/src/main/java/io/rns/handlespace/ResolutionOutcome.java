package io.rns.handlespace;

import io.rns.pool.PolicyType;
import io.rns.pool.SelectionState;
import java.util.List;

/** The answer to a handle resolution. */
public sealed interface ResolutionOutcome {
  /**
   * Elements were selected.
   *
   * @param policy the pool's
   * @param selected the best first; no element twice
   */
  record Resolved(PolicyType policy, List<Selected> selected) implements ResolutionOutcome {
    /** Copies. */
    public Resolved {
      selected = List.copyOf(selected);
    }

    /** The elements alone, the best first. */
    public List<RegisteredElement> elements() {
      return selected.stream().map(Selected::element).toList();
    }
  }

  /**
   * An element of the answer.
   *
   * @param element as it is registered
   * @param standing where it stood for the registrar before this selection: a user that orders what it got anew has to
   *        know what others have been sent
   */
  record Selected(RegisteredElement element, SelectionState standing) {}

  /**
   * The pool has elements, but none can be selected: all have weight 0, or no credit. Ask again later.
   *
   * @param policy the pool's
   * @param size how many elements it has
   */
  record NoneEligible(PolicyType policy, int size) implements ResolutionOutcome {}

  /** No pool has the handle. RFC 5354 cause 9. */
  record UnknownPool() implements ResolutionOutcome {}
}
