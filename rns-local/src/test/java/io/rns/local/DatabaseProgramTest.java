package io.rns.local;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Programs of a database that are run until they end. */
@Timeout(60)
class DatabaseProgramTest {
  @TempDir Path directory;

  private void run(String script, Duration bound) throws Exception {
    DatabaseProcess.runToEnd(
        DatabaseProcess.Settings.in(directory), "create its tables", List.of("sh", "-c", script), List.of(), null,
        bound);
  }

  @Test
  void aFailureShowsTheExitCodeAndTheOutput() throws Exception {
    run("exit 0", Duration.ofMinutes(1));
    assertThatThrownBy(() -> run("echo no space; exit 3", Duration.ofMinutes(1)))
        .isInstanceOf(LocalServiceException.class)
        .hasMessage("the database could not create its tables: exit code 3\nno space\n");
  }

  @Test
  void aProgramThatDoesNotEndIsKilledAndTheErrorSaysSo() {
    assertThatThrownBy(() -> run("exec sleep 600", Duration.ofMillis(1)))
        .isInstanceOf(LocalServiceException.class)
        .hasMessageStartingWith("the database could not create its tables: killed after 1 ms\n");
  }
}
