package io.rns.server.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommandLineTest {
  @TempDir Path temporary;

  @Test
  void refusesWrongUsage() {
    assertThat(CommandErrors.run(new Up(), "--port", "http")).isEqualTo(2);
    assertThat(CommandErrors.run(new Up(), "--replicas", "many")).isEqualTo(2);
    assertThat(CommandErrors.run(new Down(), "now")).isEqualTo(2);
  }

  @Test
  void refusesValuesOutOfBoundsBeforeAnythingIsMade() {
    Path nowhere = temporary.resolve("nowhere");
    for (String option : List.of("--heap=much", "--buffer-pool=512", "--port=65536", "--port=-1", "--replicas=-1", "--replicas=7")) {
      assertThat(CommandErrors.run(new Up(), "--data=" + nowhere, option)).as(option).isEqualTo(2);
      assertThat(CommandErrors.run(new Up(), "--data=" + nowhere, "--detach", option)).as(option).isEqualTo(2);
    }
    for (String option : List.of("--port=65534", "--database-port=65534", "--proxy-port=65531", "--proxy-port=8079", "--database-port=8082")) {
      assertThat(CommandErrors.run(new Up(), "--data=" + nowhere, "--replicas=2", option)).as(option).isEqualTo(2);
    }
    for (String option : List.of("--database-port=9306", "--proxy-port=9100")) {
      assertThat(CommandErrors.run(new Up(), "--data=" + nowhere, option)).as(option).isEqualTo(2);
    }
    for (String option : List.of("--engine=oracle", "--topology=ring", "--topology=group")) {
      assertThat(CommandErrors.run(new Up(), "--data=" + nowhere, "--replicas=2", option)).as(option).isEqualTo(2);
    }
    assertThat(nowhere).doesNotExist();
  }

  @Test
  void teaches() {
    assertThat(printed(() -> CommandErrors.run(new Up(), "--help")))
        .contains("--port", "--database-port", "--proxy-port", "--replicas", "--engine", "--topology", "--data", "--detach")
        .contains("--heap", "--buffer-pool", "--yardstick", "Examples:");
    assertThat(printed(() -> CommandErrors.run(new Down(), "--help"))).contains("--data", "Exit codes:");
  }

  @Test
  void stopsNothingWhereNothingRuns() {
    Path nowhere = temporary.resolve("nowhere");
    assertThat(printed(() -> assertThat(CommandErrors.run(new Down(), "--data", nowhere.toString())).isZero()))
        .contains("nothing runs on " + nowhere);
    assertThat(printed(() -> CommandErrors.run(new Down(), "--json", "--data", nowhere.toString())).strip())
        .isEqualTo("{\"stopped\":[]}");
    assertThat(nowhere).doesNotExist();
  }

  private static String printed(Runnable command) {
    PrintStream before = System.out;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    try {
      command.run();
    } finally {
      System.setOut(before);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
