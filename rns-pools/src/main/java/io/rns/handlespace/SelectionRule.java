package io.rns.handlespace;

import io.rns.pool.DrawnPolicy;
import io.rns.pool.Policy;
import io.rns.pool.RankedPolicy;
import io.rns.pool.SelectionState;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The elements of a pool that can be selected, as its policy wants them to be found. An element gets a new sequence
 * number when it joins, when it is selected, and when a report changes its rank. One that renews without news keeps its
 * turn; otherwise an element that renews often would never be next.
 */
sealed interface SelectionRule permits Ranking, Lottery {
  /** None yet. */
  static SelectionRule of(Policy policy) {
    return switch (policy) {
      case RankedPolicy ranked -> new Ranking(ranked);
      case DrawnPolicy drawn -> new Lottery(drawn);
    };
  }

  int size();

  /** Who is next, where that is known before; null if there is nobody, or chance decides. */
  @Nullable
  PoolMember head();

  /** Puts in an element with a standing. */
  void add(PoolMember member, SelectionState standing);

  void remove(PoolMember member);

  /** An element that is in stands elsewhere now. */
  void moved(PoolMember member, SelectionState standing);

  /** An element that is in was selected, and stands elsewhere now. */
  void selected(PoolMember member, SelectionState standing);

  /** Up to so many, the best first. */
  List<PoolMember> choose(int items, RandomGenerator random);

  /** For tests, O(n). */
  void checkInvariants();
}
