package io.rns.handlespace;

import io.rns.pool.DrawnPolicy;
import io.rns.pool.Policy;
import io.rns.pool.RankedPolicy;
import io.rns.pool.SelectionState;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The eligible elements of a pool, organised for its policy. An element gets a new sequence number when it joins, when
 * it is selected, and when a report changes its rank. A renewal without changes keeps its turn; otherwise an element
 * that renews often would never be selected.
 */
sealed interface SelectionRule permits Ranking, Lottery {
  /** An empty rule for a policy. */
  static SelectionRule of(Policy policy) {
    return switch (policy) {
      case RankedPolicy ranked -> new Ranking(ranked);
      case DrawnPolicy drawn -> new Lottery(drawn);
    };
  }

  int size();

  /** The next element to be selected; null if there is none, or if elements are drawn at random. */
  @Nullable
  PoolMember head();

  /** Adds an element with its selection state. */
  void add(PoolMember member, SelectionState standing);

  void remove(PoolMember member);

  /** Updates the selection state of an element. */
  void moved(PoolMember member, SelectionState standing);

  /** Updates the selection state of an element that was selected. */
  void selected(PoolMember member, SelectionState standing);

  /** Up to {@code items} elements, the best first. */
  List<PoolMember> choose(int items, RandomGenerator random);

  /** For tests, O(n). */
  void checkInvariants();
}
