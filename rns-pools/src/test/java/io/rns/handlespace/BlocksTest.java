package io.rns.handlespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.rns.api.RandomCases;
import java.util.Comparator;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Random operations on blocks, with a sorted set as the model. */
class BlocksTest {
  private record Pair(long key, long tie) {
    static final Comparator<Pair> ORDER = Comparator.comparingLong(Pair::key).thenComparingLong(Pair::tie);
  }

  private final Blocks<Pair> blocks = new Blocks<>();
  private final NavigableSet<Pair> model = new TreeSet<>(Pair.ORDER);

  private void add(long key, long tie) {
    Pair pair = new Pair(key, tie);
    model.add(pair);
    blocks.add(key, tie, pair);
  }

  private void remove(Pair pair) {
    model.remove(pair);
    blocks.remove(pair.key(), pair.tie());
  }

  private void check(long key, long tie, int max) {
    blocks.checkInvariants();
    assertThat(blocks.size()).isEqualTo(model.size());
    assertThat(blocks.first()).isEqualTo(model.isEmpty() ? null : model.first());
    assertThat(blocks.behind(key, tie, max))
        .containsExactlyElementsOf(model.tailSet(new Pair(key, tie), false).stream().limit(max).toList());
  }

  /** An element at or near a random position. */
  private Pair any(RandomGenerator random, int keys) {
    Pair drawn = new Pair(random.nextInt(keys), random.nextInt(1_000));
    Pair ceiling = model.ceiling(drawn);
    return ceiling == null ? model.last() : ceiling;
  }

  @Test
  void behaveLikeASortedSet() {
    RandomCases.check(
        random -> {
          BlocksTest tested = new BlocksTest();
          // Few keys, so that many are equal.
          int keys = 1 + random.nextInt(40);
          int most = random.nextInt(600);
          for (int i = 0; i < 2 * most; i++) {
            boolean grows = i < most ? random.nextInt(5) > 0 : random.nextInt(5) == 0;
            Pair drawn = new Pair(random.nextInt(keys), random.nextInt(1_000));
            if (grows && !tested.model.contains(drawn)) {
              tested.add(drawn.key(), drawn.tie());
            } else if (!grows && !tested.model.isEmpty()) {
              tested.remove(tested.any(random, keys));
            }
            if (i % 16 == 0) {
              tested.check(random.nextInt(keys), random.nextInt(1_000), 1 + random.nextInt(200));
            }
          }
          tested.check(Long.MIN_VALUE, Long.MIN_VALUE, Integer.MAX_VALUE);
        });
  }

  /** As round robin does: take from the front, append. */
  @Test
  void staySmallInRoundRobin() {
    for (int i = 0; i < 20_000; i++) {
      add(0, i);
      if (i >= 1_000) {
        remove(model.first());
      }
    }
    check(0, 19_500, 300);
    assertThat(blocks.size()).isEqualTo(1_000);
  }

  @Test
  void areEmptiedFromEitherEnd() {
    for (int i = -500; i < 500; i++) {
      add(i, -i);
    }
    for (int i = 0; i < 500; i++) {
      remove(model.last());
      check(-500 + i, 0, 70);
    }
    while (!model.isEmpty()) {
      remove(model.first());
      check(Long.MIN_VALUE, Long.MIN_VALUE, 70);
    }
    for (int i = 0; i < 200; i++) {
      add(-i, i);
      check(-i, 0, 70);
    }
  }

  @Test
  void rejectDuplicatesAndMissingElements() {
    add(1, 1);
    assertThatIllegalStateException().isThrownBy(() -> blocks.add(1, 1, new Pair(1, 1)))
        .withMessageContaining("Pair[key=1, tie=1]");
    assertThatIllegalStateException().isThrownBy(() -> blocks.remove(1, 2)).withMessageContaining("1 and 2");
    check(0, 0, 9);
  }
}
