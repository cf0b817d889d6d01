package io.rns.loadtest.chapter;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NumbersTest {
  @ParameterizedTest
  @CsvSource(delimiter = ';', value = {"28234; 28,200", "0; 0", "117; 117", "99.96; 100", "23.04; 23.0", "1.6249; 1.62",
      "1; 1.00", "0.0712; 0.0712", "0.5; 0.50", "0.84; 0.84", "0.999; 0.999", "-4.567; -4.57"})
  void threeDigitsAreShown(double value, String shown) {
    assertThat(Numbers.of(value)).isEqualTo(shown);
  }

  @Test
  void whatIsNoNumberIsNotShown() {
    assertThat(Numbers.of(Double.NaN)).isEmpty();
    assertThat(Numbers.count(43_884.0)).isEqualTo("43,884");
  }

  @Test
  void plainNumbersHaveTheDigitsThatAreNeeded() {
    assertThat(Numbers.plain(1)).isEqualTo("1");
    assertThat(Numbers.plain(0.95)).isEqualTo("0.95");
  }
}
