package io.rns.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.error.RnsException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConsistencyTest {
  @ParameterizedTest
  @ValueSource(strings = {"primary", "session", "any", "bounded(1)", "bounded(86400000)"})
  void textFormSurvivesParsing(String text) {
    assertThat(Consistency.parse(text)).hasToString(text);
  }

  @Test
  void boundMayHaveAUnit() {
    assertThat(Consistency.parse("bounded(500ms)")).isEqualTo(Consistency.bounded(Duration.ofMillis(500)));
    assertThat(Consistency.parse("bounded(2s)")).isEqualTo(Consistency.bounded(Duration.ofSeconds(2)));
    assertThat(Consistency.parse("bounded(3m)")).isEqualTo(Consistency.bounded(Duration.ofMinutes(3)));
    assertThat(Consistency.parse("bounded(24h)")).isEqualTo(Consistency.bounded(Duration.ofDays(1)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Primary", "bounded", "bounded()", "bounded(0)", "bounded(-1)", "bounded(86400001)",
      "bounded(9999999999)",
      "bounded(s)", "bounded(0s)", "bounded(25h)", "bounded(999999999h)", "bounded(1d)", "bounded(1 s)"})
  void otherTextIsRejectedAndQuoted(String text) {
    assertThatThrownBy(() -> Consistency.parse(text))
        .isInstanceOf(RnsException.class)
        .hasMessageContaining("consistency");
  }
}
