package io.rns.front;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostAndPortTest {
  @Test
  void readsHostAndPort() {
    assertThat(HostAndPort.of("--to", "10.0.0.2:1").toString()).endsWith("/10.0.0.2:1");
    assertThat(HostAndPort.of("--to", "[::1]:65535").toString()).endsWith("/[0:0:0:0:0:0:0:1]:65535");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", ":1", "127.0.0.1:0", "127.0.0.1:65536", "127.0.0.1:-1", "::1:80", "a b:1"})
  void refusesAnythingElse(String text) {
    assertThatThrownBy(() -> HostAndPort.of("--to", text)).hasMessageContaining("--to must be HOST:PORT");
  }
}
