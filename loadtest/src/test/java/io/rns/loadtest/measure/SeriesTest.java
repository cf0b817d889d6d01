package io.rns.loadtest.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SeriesTest {
  @Test
  void theMedianIsTheValueInTheMiddleWhateverTheOrder() {
    assertThat(Series.median(3, 1, 2)).isEqualTo(2);
    assertThat(Series.median(1, 2)).isEqualTo(1.5);
    assertThat(Series.median()).isNaN();
  }
}
