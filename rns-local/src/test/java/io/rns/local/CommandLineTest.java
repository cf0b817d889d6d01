package io.rns.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommandLineTest {
  @TempDir Path temporary;

  @Test
  void rejectsInvalidUsage() {
    assertThat(CommandErrors.run(new Up(), "--port", "http")).isEqualTo(2);
    assertThat(CommandErrors.run(new Up(), "--replicas", "many")).isEqualTo(2);
    assertThat(CommandErrors.run(new Down(), "now")).isEqualTo(2);
  }

  @Test
  void rejectsValuesOutOfRangeBeforeCreatingAnything() {
    Path nowhere = temporary.resolve("nowhere");
    for (String option : List.of("--heap=much", "--buffer-pool=512", "--port=65536", "--port=-1", "--replicas=-1",
        "--replicas=7", "--groups=0", "--groups=9", "--groups=many", "--fronts=-1", "--fronts=9")) {
      assertThat(CommandErrors.run(new Up(), "--data=" + nowhere, option)).as(option).isEqualTo(2);
      assertThat(CommandErrors.run(new Up(), "--data=" + nowhere, "--detach", option)).as(option).isEqualTo(2);
    }
    for (String option : List.of("--port=65534", "--database-port=65534", "--proxy-port=65531", "--proxy-port=8079",
        "--database-port=8082")) {
      assertThat(CommandErrors.run(new Up(), "--data=" + nowhere, "--replicas=2", option)).as(option).isEqualTo(2);
    }
    for (String option : List.of("--database-port=9306", "--proxy-port=9100")) {
      assertThat(CommandErrors.run(new Up(), "--data=" + nowhere, option)).as(option).isEqualTo(2);
    }
    for (String option : List.of("--engine=oracle", "--topology=ring", "--topology=group", "--binary-log")) {
      assertThat(CommandErrors.run(new Up(), "--data=" + nowhere, "--replicas=2", option)).as(option).isEqualTo(2);
    }
    for (String option : List.of("--port=65535", "--database-port=8081", "--binary-log", "--replicas=7",
        "--engine=mysql")) {
      assertThat(CommandErrors.run(new Up(), "--data=" + nowhere, "--groups=2", option)).as(option).isEqualTo(2);
    }
    for (String last : List.of("65534", "65535")) {
      assertThat(CommandErrors.run(new Up(), "--data=" + nowhere, "--fronts=2", "--port=" + last)).isEqualTo(2);
    }
    assertThat(nowhere).doesNotExist();
  }

  @Test
  void groupsGetTheirNumbersFromTheCommand() {
    Up.checkNumbersOfGroups(Map.of("RNS_GROUP", "0", "RNS_DURABILITY", "local"));
    assertThatThrownBy(() -> Up.checkNumbersOfGroups(Map.of("RNS_ROOT_SERVERS", "http://a/rns")))
        .hasMessage(
            "--groups sets RNS_ROOT_SERVERS of each server; remove it from the environment, where it is"
                + " 'http://a/rns'");
    assertThatThrownBy(() -> Up.checkNumbersOfGroups(Map.of("RNS_GROUP", "3")))
        .hasMessageContaining("RNS_GROUP of each server");
  }

  @Test
  void printsHelp() {
    assertThat(printed(() -> CommandErrors.run(new Up(), "--help")))
        .contains("--port", "--database-port", "--proxy-port", "--replicas", "--groups", "--engine", "--topology",
            "--data",
            "--detach")
        .contains("--heap", "--buffer-pool", "--binary-log", "--yardstick", "Examples:");
    assertThat(printed(() -> CommandErrors.run(new Down(), "--help"))).contains("--data", "Exit codes:");
  }

  @Test
  void listsNoFrontsWhereNothingRuns() {
    String nowhere = temporary.resolve("nowhere").toString();
    assertThat(printed(() -> CommandErrors.run(new FrontCommand(), "ls", "--json", "--data", nowhere)).strip())
        .isEqualTo("{\"fronts\":[]}");
    for (String command : List.of("migrate", "drain front-1")) {
      List<String> words = new java.util.ArrayList<>(List.of(command.split(" ")));
      words.addAll(List.of("--data", nowhere));
      assertThat(CommandErrors.run(new FrontCommand(), words.toArray(String[]::new))).isEqualTo(1);
    }
    assertThat(CommandErrors.run(new FrontCommand(), "drain", "front-1", "--seconds", "-1")).isEqualTo(2);
    assertThat(CommandErrors.run(new FrontCommand(), "migrate", "--to", "a:1")).isEqualTo(2);
    assertThat(CommandErrors.run(new FrontCommand(), "migrate", "--admin", nowhere)).isEqualTo(2);
    assertThat(CommandErrors.run(new FrontCommand(), "migrate", "--to", "a:1", "--admin", nowhere)).isEqualTo(1);
    assertThat(CommandErrors.run(new FrontCommand(), "drain")).isEqualTo(2);
  }

  @Test
  void stopsNothingWhereNothingRuns() {
    Path nowhere = temporary.resolve("nowhere");
    assertThat(printed(() -> assertThat(CommandErrors.run(new Down(), "--data", nowhere.toString())).isZero()))
        .contains("nothing is running on " + nowhere);
    assertThat(printed(() -> CommandErrors.run(new Down(), "--json", "--data", nowhere.toString())).strip())
        .isEqualTo("{\"stopped\":[]}");
    assertThat(nowhere).doesNotExist();
  }

  @Test
  void suggestsWorkingCommands() throws IOException {
    DataDirectory elsewhere = DataDirectory.create(temporary.resolve("group"));
    String server = " --server http://127.0.0.1:8090/rns";
    assertThat(Up.ready("http://127.0.0.1:8090/rns", Up.TRY_GROUP, elsewhere).lines()).containsExactly(
        "RNS ready at http://127.0.0.1:8090/rns", "Try:", "  ./rns status" + server,
        "  ./rns mkdir -p /demo/docs" + server,
        "  ./rns switchover --to server-2 --data " + temporary.toRealPath().resolve("group"));
    elsewhere.secure();
    assertThat(Up.ready("http://127.0.0.1:8090/rns", Up.TRY_GROUP, elsewhere).lines())
        .as("anonymous commands may do nothing").noneMatch(line -> line.contains("--server"));
    assertThat(Up.ready("http://127.0.0.1:8080/rns", Up.TRY_GROUP,
        new DataDirectory(DataDirectory.usual(Map.of()).toAbsolutePath())).lines())
        .endsWith("  ./rns status", "  ./rns mkdir -p /demo/docs", "  ./rns switchover --to server-2");
  }

  @Test
  void logsTheTimeOfEvents() {
    assertThat(printed(() -> {
      Journal journal = new Journal(System.out, () -> Instant.parse("2026-03-01T12:00:07.5Z"));
      journal.accept("server-2: the database ended\nrestarting it");
    })).isEqualTo("2026-03-01T12:00:07Z server-2: the database ended\nrestarting it\n");
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
