package io.rns.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.error.RnsError;
import org.junit.jupiter.api.Test;

class ExitCodeTest {
  @Test
  void whatServersRefuseIsToldFromServersThatDoNotAnswer() {
    assertThat(ExitCode.of(RnsError.NO_SUCH_ENTRY)).isEqualTo(1);
    assertThat(ExitCode.of(RnsError.DELEGATED)).as("a move to another server group").isEqualTo(1);
    assertThat(ExitCode.of(RnsError.NOT_PRIMARY)).isEqualTo(3);
    assertThat(ExitCode.of(RnsError.UNAVAILABLE)).isEqualTo(3);
    assertThat(ExitCode.of(RnsError.NOT_PERMITTED)).isEqualTo(4);
  }
}
