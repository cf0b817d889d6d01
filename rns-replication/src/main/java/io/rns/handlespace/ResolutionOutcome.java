package io.rns.handlespace;

import io.rns.pool.PolicyType;
import java.util.List;

/** The answer to a handle resolution. */
public sealed interface ResolutionOutcome {
  /**
   * Elements were selected.
   *
   * @param policy the pool's
   * @param elements the best first; no element twice
   */
  record Resolved(PolicyType policy, List<PoolElement> elements) implements ResolutionOutcome {
    /** Copies. */
    public Resolved {
      elements = List.copyOf(elements);
    }
  }

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
