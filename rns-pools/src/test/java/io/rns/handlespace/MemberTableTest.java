package io.rns.handlespace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Random operations on tables of elements, with a map as the model. Where an id belongs differs from table to table.
 */
class MemberTableTest {
  private static final int TABLES = 200;
  private static final int OPERATIONS = 400;
  private static final int IDS = 100;

  private final TestMembers made = new TestMembers();

  @Test
  void findsWhoIsInAndNobodyElse() {
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < TABLES; i++) {
      MemberTable table = new MemberTable();
      Map<Integer, PoolMember> model = new HashMap<>();
      // Also tables that grow and shrink again.
      int bias = i % 2 == 0 ? IDS / 2 : IDS;
      for (int operation = 0; operation < OPERATIONS; operation++) {
        int id = random.nextInt(operation < OPERATIONS / 2 ? IDS : bias) - IDS / 2;
        if (id != 0) {
          change(table, model, id);
        }
        assertThat(table.size()).isEqualTo(model.size());
      }
      for (int id = -IDS; id <= IDS; id++) {
        assertThat(table.find(id)).isSameAs(model.get(id));
      }
    }
  }

  private void change(MemberTable table, Map<Integer, PoolMember> model, int id) {
    PoolMember known = model.remove(id);
    if (known != null) {
      table.remove(known);
    } else {
      PoolMember added = made.member(id, id);
      model.put(id, added);
      table.add(added);
    }
  }
}
