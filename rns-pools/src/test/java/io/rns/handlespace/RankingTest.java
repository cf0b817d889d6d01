package io.rns.handlespace;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.pool.Distance;
import io.rns.pool.Parameters;
import io.rns.pool.PolicyType;
import io.rns.pool.RankedPolicy;
import io.rns.pool.SelectionState;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RankingTest {
  private static final RankedPolicy POLICY = (RankedPolicy) PolicyType.WEIGHTED_ROUND_ROBIN.policy();

  /** After 2,147,483,648 rounds one element was selected again and again. */
  @Test
  void elementsTakeTurnsHoweverManyRoundsTheyHaveHad() {
    for (long rounds : new long[]{1L << 30, 1L << 31, 1L << 40}) {
      TestMembers members = new TestMembers();
      Ranking ranking = new Ranking(POLICY);
      for (int id = 1; id <= 3; id++) {
        SelectionState standing = new SelectionState(Parameters.PLAIN, Distance.NONE, id, rounds - 3, 0, 0);
        ranking.add(members.member(id, id), standing);
      }
      List<Integer> selected = new ArrayList<>();
      for (int i = 0; i < 30; i++) {
        PoolMember head = ranking.head();
        assertThat(head).isNotNull();
        selected.add(head.element.registration().id());
        ranking.selected(head, POLICY.charge(head.standing));
      }
      ranking.checkInvariants();
      for (int round = 0; round < 10; round++) {
        assertThat(selected.subList(3 * round, 3 * round + 3)).as("round %d behind %d", round, rounds)
            .containsExactlyInAnyOrder(1, 2, 3);
      }
    }
  }
}
