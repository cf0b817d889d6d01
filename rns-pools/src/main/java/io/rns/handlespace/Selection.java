package io.rns.handlespace;

import io.rns.pool.DrawnPolicy;
import io.rns.pool.Policy;
import io.rns.pool.RankedPolicy;
import io.rns.pool.Standing;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The elements of a pool that can be selected, as its policy wants them to be found. An element gets a new sequence
 * number when it joins, when it is selected, and when a report changes its rank. One that renews without news keeps its
 * turn; otherwise an element that renews often would never be next.
 */
sealed interface Selection permits Ranking, Lottery {
  /** None yet. */
  static Selection of(Policy policy) {
    return switch (policy) {
      case RankedPolicy ranked -> new Ranking(ranked);
      case DrawnPolicy drawn -> new Lottery(drawn);
    };
  }

  int size();

  /** Who is next, where that is known before; null if there is nobody, or chance decides. */
  @Nullable
  Member head();

  /** Puts in an element with a standing. */
  void add(Member member, Standing standing);

  void remove(Member member);

  /** An element that is in stands elsewhere now. */
  void moved(Member member, Standing standing);

  /** An element that is in was selected, and stands elsewhere now. */
  void selected(Member member, Standing standing);

  /** Up to so many, the best first. */
  List<Member> choose(int items, RandomGenerator random);

  /** For tests, O(n). */
  void checkInvariants();
}
