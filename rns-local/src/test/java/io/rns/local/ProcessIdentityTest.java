package io.rns.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ProcessIdentityTest {
  private Process process;
  private ProcessIdentity identity;

  @BeforeEach
  void start() throws IOException {
    process = new ProcessBuilder("sleep", "600.25").start();
    identity = ProcessIdentity.of("sleeper", process.pid(), "600.25").orElseThrow();
  }

  @AfterEach
  void stop() {
    process.destroyForcibly().onExit().join();
  }

  @Test
  void identifiesTheProcess() {
    assertThat(identity.isAlive()).isTrue();
    assertThat(ProcessIdentity.current("this").isAlive()).isTrue();
  }

  @Test
  void endsWithTheProcess() {
    process.destroyForcibly().onExit().join();
    assertThat(identity.isAlive()).isFalse();
    assertThat(ProcessIdentity.of("sleeper", process.pid(), "600.25")).isEmpty();
  }

  @Test
  void differsForAnotherProcessWithTheSamePid() {
    assertThat(
        new ProcessIdentity("x", identity.pid(), identity.startTicks() - 1, identity.bootId(), "600.25").isAlive())
        .isFalse();
    assertThat(new ProcessIdentity("x", identity.pid(), identity.startTicks(), "another start", "600.25").isAlive())
        .isFalse();
    assertThat(new ProcessIdentity("x", identity.pid(), identity.startTicks(), identity.bootId(), "600.2").isAlive())
        .isFalse();
  }

  @Test
  void isKilledOnlyIfItIsTheIdentifiedProcess() {
    ProcessIdentity another =
        new ProcessIdentity("x", identity.pid(), identity.startTicks() - 1, identity.bootId(), "600.25");
    assertThat(Leftovers.stop(java.util.List.of(another), java.time.Duration.ofSeconds(1))).isEmpty();
    assertThat(process.isAlive()).isTrue();
    assertThat(Leftovers.stop(java.util.List.of(identity), java.time.Duration.ofSeconds(5))).containsExactly("sleeper");
    assertThat(identity.isAlive()).isFalse();
  }
}
