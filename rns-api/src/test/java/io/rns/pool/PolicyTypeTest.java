package io.rns.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class PolicyTypeTest {
  @ParameterizedTest
  @EnumSource
  void isFoundByItsCodeAndNameAndKnowsItsPolicy(PolicyType type) {
    assertThat(PolicyType.ofCode(type.code())).contains(type);
    assertThat(PolicyType.ofName(type.toString())).contains(type);
    assertThat(type.policy().type()).isSameAs(type);
  }

  @Test
  void codesMatchTheSpecification() {
    assertThat(PolicyType.ROUND_ROBIN.code()).isEqualTo(1);
    assertThat(PolicyType.PRIORITY.code()).isEqualTo(5);
    assertThat(PolicyType.RANDOMISED_LEAST_USED.code()).isEqualTo(0x40000004);
    assertThat(PolicyType.ofCode(0x40000005)).isEmpty();
    assertThat(PolicyType.ofName("")).isEmpty();
  }

  static Stream<LongFunction<Parameters>> numbers() {
    Parameters plain = Parameters.PLAIN;
    return Stream.of(
        plain::withWeight,
        plain::withPriority,
        plain::withLoad,
        plain::withLoadDegradation,
        plain::withDistanceFactor,
        n -> plain.withOccupancy(new Occupancy(n, 0, 0, 0)),
        n -> plain.withOccupancy(new Occupancy(0, 0, n, 0)),
        n -> plain.withOccupancy(new Occupancy(0, 0, 0, n)));
  }

  @ParameterizedTest
  @MethodSource("numbers")
  void parametersAreOf32Bits(LongFunction<Parameters> with) {
    assertThat(with.apply(Parameters.FULL)).isNotNull();
    assertThat(with.apply(0)).isNotNull();
    for (long bad : new long[]{-1, Parameters.FULL + 1}) {
      assertThatExceptionOfType(RnsException.class)
          .isThrownBy(() -> with.apply(bad))
          .withMessageContaining(String.valueOf(bad))
          .satisfies(e -> assertThat(e.error()).isEqualTo(RnsError.INVALID_REQUEST));
    }
  }

  @Test
  void creditIsNeverNegative() {
    assertThat(new Occupancy(1, 0, 7, 3).credit()).isZero();
    assertThat(new Occupancy(1, 0, 3, 7).credit()).isEqualTo(4);
  }
}
