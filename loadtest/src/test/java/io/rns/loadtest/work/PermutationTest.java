package io.rns.loadtest.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.RandomCases;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PermutationTest {
  @Test
  void meetsEveryNumberOnce() {
    RandomCases.check(
        random -> {
          int size = (int) RandomCases.between(random, 1, 5_000);
          Permutation order = Permutation.of(size, (int) RandomCases.between(random, 0, 10_000) % size);
          assertThat(LongStream.range(0, size).map(order::at).distinct().filter(n -> n >= 0 && n < size).count())
              .isEqualTo(size);
        });
  }
}
