package io.rns.loadtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class PermutationTest {
  @Property
  void meetsEveryNumberOnce(@ForAll @IntRange(min = 1, max = 5_000) int size, @ForAll @IntRange(max = 10_000) int start) {
    Permutation order = Permutation.of(size, start % size);
    assertThat(LongStream.range(0, size).map(order::at).distinct().filter(n -> n >= 0 && n < size).count())
        .isEqualTo(size);
  }
}
