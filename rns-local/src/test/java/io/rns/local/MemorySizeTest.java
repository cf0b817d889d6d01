package io.rns.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MemorySizeTest {
  @ParameterizedTest
  @ValueSource(strings = {"128m", "131072k", "129M", "1g", "1024G", "1048575m"})
  void acceptsHeapsWithinTheLimits(String size) {
    assertThatCode(() -> MemorySize.HEAP.check(size)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(strings = {"127m", "131071k", "1025g", "1048577m", "999999999g", "1000000000g", "1024", "0g", "much",
      "1 g", "-1g", "", "1t", "1gb", "01g"})
  void rejectsHeapsNamingOptionLimitsAndValue(String size) {
    assertThatThrownBy(() -> MemorySize.HEAP.check(size))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("--heap must be a number and k, m or g, from 128m to 1024g, not '" + size + "'");
  }

  @ParameterizedTest
  @CsvSource({"128m, 134217728", "131072k, 134217728", "129M, 135266304", "1g, 1073741824", "1024G, 1099511627776"})
  void convertsToBytes(String size, long bytes) {
    assertThat(MemorySize.HEAP.bytes(size)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"8m", "8193k", "9m", "1024g"})
  void acceptsBufferPoolsWithinTheLimits(String size) {
    assertThatCode(() -> MemorySize.BUFFER_POOL.check(size)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(strings = {"7m", "8191k", "1025g"})
  void rejectsBufferPoolsNamingOptionLimitsAndValue(String size) {
    assertThatThrownBy(() -> MemorySize.BUFFER_POOL.check(size))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("--buffer-pool must be a number and k, m or g, from 8m to 1024g, not '" + size + "'");
  }
}
