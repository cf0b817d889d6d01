package io.rns.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CallerTest {
  private static final RnsPath DATA = RnsPath.parse("/data");
  private static final RnsPath RUN = RnsPath.parse("/data/run1");
  private static final RnsPath OTHER = RnsPath.parse("/database");

  @Test
  void withoutLimitsEverythingIsWithinThem() {
    for (Right right : Right.values()) {
      assertThat(new Caller("local:alice", Set.of()).isWithinLimits(right, RnsPath.ROOT)).isTrue();
    }
  }

  @Test
  void oneScopeOfALimitSuffices() {
    Caller caller =
        limited(List.of(Set.of(new Scope(DATA, Set.of(Right.READ)), new Scope(OTHER, Set.of(Right.ADD)))));

    assertThat(caller.isWithinLimits(Right.READ, RUN)).isTrue();
    assertThat(caller.isWithinLimits(Right.ADD, OTHER)).isTrue();
    assertThat(caller.isWithinLimits(Right.ADD, RUN)).isFalse();
    assertThat(caller.isWithinLimits(Right.READ, OTHER)).as("a name that begins alike is no subtree").isFalse();
    assertThat(caller.isWithinLimits(Right.READ, RnsPath.ROOT)).isFalse();
  }

  @Test
  void aFurtherLimitOnlyNarrows() {
    Set<Scope> data = Set.of(new Scope(DATA, Set.of(Right.READ, Right.LIST)));
    Caller caller = limited(List.of(data, Set.of(new Scope(RnsPath.ROOT, Set.of(Right.READ, Right.ADD)))));

    assertThat(caller.isWithinLimits(Right.READ, RUN)).isTrue();
    assertThat(caller.isWithinLimits(Right.LIST, RUN)).isFalse();
    assertThat(caller.isWithinLimits(Right.ADD, RUN)).isFalse();
    assertThat(limited(List.of(data, Set.of())).isWithinLimits(Right.READ, RUN)).as("an empty limit").isFalse();
  }

  @Test
  void rightsAreFoundByTheirWords() {
    for (Right right : Right.values()) {
      assertThat(Right.parse(right.text())).contains(right);
    }
    assertThat(Right.parse("LIST")).isEmpty();
    assertThat(Right.parse("write")).isEmpty();
  }

  private static Caller limited(List<Set<Scope>> limits) {
    return new Caller("local:alice", Set.of(), limits);
  }
}
