package io.rns.referral;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.error.RnsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SiteTest {
  @ParameterizedTest
  @CsvSource({
      "eu/essen/r7, eu/essen/r7, 0", "eu/essen/r7, eu/essen/r8, 1", "eu/essen/r7, eu/bonn/r7, 2",
      "eu/essen/r7, us/essen/r7, 3",
      "eu/essen/r7, eu/essen, 1", "eu/essen, eu/essen/r7, 0", "eu/essen, eu/essen2, 1", "eu, '', 1", "'', eu/essen, 0",
      "'', '', 0"
  })
  void theDistanceIsTheNumberOfOwnLevelsNotShared(String here, String there, int distance) {
    assertThat(new Site(here).distance(new Site(there))).isEqualTo(distance);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "a/", "/a", "a//b", "a b", "ä", "a\n"})
  void otherFormsAreRejected(String text) {
    assertThatThrownBy(() -> new Site(text)).isInstanceOf(RnsException.class);
  }

  @Test
  void theLengthIsBounded() {
    assertThat(new Site("x".repeat(200)).isNone()).isFalse();
    assertThatThrownBy(() -> new Site("x".repeat(201))).isInstanceOf(RnsException.class);
  }
}
