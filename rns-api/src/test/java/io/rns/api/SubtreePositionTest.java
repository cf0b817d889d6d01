package io.rns.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.SubtreeRequest.Order;
import io.rns.error.RnsError;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SubtreePositionTest {
  private static List<SubtreePosition> positions(String... texts) {
    return List.of(texts).stream().map(SubtreePosition::parse).toList();
  }

  @Test
  void theTextFormKeepsWhatIsBehind() {
    for (SubtreePosition position : positions("/a", "/a/", "/a//", "/a/b c//")) {
      assertThat(SubtreePosition.parse(position.toString())).isEqualTo(position);
    }
    assertThat(SubtreePosition.parse("/a//")).isEqualTo(SubtreePosition.past(RnsPath.parse("/a")));
    assertThat(SubtreePosition.parse("/a/")).isEqualTo(new SubtreePosition(RnsPath.parse("/a"), true));
    for (String wrong : List.of("/", "//", "///", "/a///", "a", "")) {
      Refused.with(RnsError.INVALID_CURSOR, () -> SubtreePosition.parse(wrong));
    }
  }

  @Test
  void behindADirectoryComesItsContentAndThenWhatIsPastIt() {
    List<SubtreePosition> names = positions("/a/", "/a/b/", "/a/b/c", "/a/b//", "/a/d", "/a//", "/a!", "/ab");
    List<SubtreePosition> lines = positions("/a!", "/a/", "/a/b/", "/a/b/c", "/a/b//", "/a/d", "/a//", "/ab");
    assertThat(sorted(names, Order.NAMES)).isEqualTo(names);
    assertThat(sorted(names, Order.LINES)).isEqualTo(lines);
  }

  private static List<SubtreePosition> sorted(List<SubtreePosition> positions, Order order) {
    List<SubtreePosition> sorted = new ArrayList<>(positions);
    Collections.shuffle(sorted, new Random(3));
    sorted.sort(order::compare);
    return sorted;
  }

  @Test
  void isCountedFromAnyDirectoryAboveIt() {
    SubtreePosition position = SubtreePosition.parse("/a/b//");
    assertThat(position.from(1)).hasToString("/b//");
    assertThat(position.from(1).below(RnsPath.parse("/x/y"))).hasToString("/x/y/b//");
  }
}
