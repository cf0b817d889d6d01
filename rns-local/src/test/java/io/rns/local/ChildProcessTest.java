package io.rns.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

class ChildProcessTest {
  private static final Duration BOUND = Duration.ofSeconds(30);
  private static final String SECONDS = "86401";

  @TempDir private Path directory;

  static boolean isPerlThere() {
    return Files.isExecutable(Path.of("/usr/bin/perl"));
  }

  /**
   * With a session of its own each process had the same share of the processors, and migrations took four times as
   * long.
   */
  @Test
  @EnabledIf("isPerlThere")
  void aProcessHasItsOwnGroupInTheSessionOfItsSupervisor() throws IOException {
    ChildProcess child = sleeping();
    try {
      long pid = child.identity().pid();
      child.await("it sleeps", () -> command(pid).startsWith("sleep"), BOUND, () -> "");
      assertThat(ids(pid).getFirst()).isEqualTo(Long.toString(pid));
      assertThat(ids(pid).getLast()).isEqualTo(ids(ProcessHandle.current().pid()).getLast());
      assertThat(child.identity().isAlive()).isTrue();
    } finally {
      child.kill();
    }
    assertThat(directory.resolve("log")).isEmptyFile();
  }

  private ChildProcess sleeping() {
    return ChildProcess.start(
        new ChildProcess.Plan(
            "sleep", List.of("sleep", SECONDS), SECONDS, Map.of(), directory, directory.resolve("log")));
  }

  private static String command(long pid) {
    try {
      return Files.readString(Path.of("/proc/" + pid + "/cmdline"));
    } catch (IOException e) {
      return "";
    }
  }

  /** The group and the session of a process. */
  private static List<String> ids(long pid) throws IOException {
    String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
    return List.of(stat.substring(stat.lastIndexOf(')') + 2).split(" ")).subList(2, 4);
  }
}
