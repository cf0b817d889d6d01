package io.rns.handlespace;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.RandomCases;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Random operations on the elements of one home in one pool, with a sorted map as the model. */
class ShareTest {
  @Test
  void behavesLikeASortedMap() {
    RandomCases.check(
        random -> {
          TestMembers made = new TestMembers();
          Owners owners = new Owners();
          NavigableMap<Integer, PoolMember> model = new TreeMap<>(Integer::compareUnsigned);
          int most = 1 + random.nextInt(500);
          while (model.size() < most) {
            change(made, owners, model, random);
          }
          check(made, owners, model, random);
          int least = random.nextInt(most + 1);
          while (model.size() > least) {
            int id = behind(model, random.nextInt());
            owners.remove(model.remove(id));
            owners.checkInvariants();
          }
          check(made, owners, model, random);
        });
  }

  /** Consecutive ids, added in order and removed from both ends. */
  @Test
  void worksWithConsecutiveIds() {
    TestMembers made = new TestMembers();
    Owners owners = new Owners();
    NavigableMap<Integer, PoolMember> model = new TreeMap<>(Integer::compareUnsigned);
    for (int id = -400; id <= 400; id++) {
      if (id != 0) {
        add(made, owners, model, id);
      }
    }
    for (int id = 1; id <= 400; id++) {
      owners.remove(model.remove(id));
      owners.checkInvariants();
    }
    for (int id = -1; id >= -400; id--) {
      owners.remove(model.remove(id));
      owners.checkInvariants();
    }
    assertThat(made.pool().shares()).isEmpty();
  }

  private static int behind(NavigableMap<Integer, PoolMember> model, int id) {
    Integer next = model.ceilingKey(id);
    return next == null ? model.firstKey() : next;
  }

  private static void change(TestMembers made, Owners owners, NavigableMap<Integer, PoolMember> model,
      RandomGenerator random) {
    if (!model.isEmpty() && random.nextInt(3) == 0) {
      owners.remove(model.remove(behind(model, random.nextInt())));
    } else {
      int id = random.nextInt();
      if (id != 0 && !model.containsKey(id)) {
        add(made, owners, model, id);
      }
    }
  }

  private static void add(TestMembers made, Owners owners, NavigableMap<Integer, PoolMember> model, int id) {
    PoolMember member = made.member(id, 0);
    model.put(id, member);
    owners.add(member);
  }

  private static void check(TestMembers made, Owners owners, NavigableMap<Integer, PoolMember> model,
      RandomGenerator random) {
    owners.checkInvariants();
    assertThat(owners.behind(TestMembers.HOME, null, Integer.MAX_VALUE)).containsExactlyElementsOf(model.values());
    for (int i = 0; i < 20; i++) {
      int after = random.nextBoolean() && !model.isEmpty() ? behind(model, random.nextInt()) : random.nextInt();
      int max = 1 + random.nextInt(100);
      List<PoolMember> expected = model.tailMap(after, false).values().stream().limit(max).toList();
      assertThat(owners.behind(TestMembers.HOME, new ElementKey(made.pool().handle(), after), max))
          .containsExactlyElementsOf(expected);
    }
  }
}
