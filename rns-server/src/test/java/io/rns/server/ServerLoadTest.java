package io.rns.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ServerLoadTest {
  @Test
  void isAPercentageThatTakenPlacesRaise() {
    assertThat(new ServerLoad(() -> 0).percent()).isBetween(0, 100);
    assertThat(new ServerLoad(() -> 100).percent()).isEqualTo(100);
    assertThat(new ServerLoad(() -> 4_711).percent()).isEqualTo(100);
  }
}
