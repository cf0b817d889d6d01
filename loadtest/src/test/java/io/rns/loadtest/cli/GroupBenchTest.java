package io.rns.loadtest.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.rns.client.TestServer;
import io.rns.error.RnsException;
import io.rns.loadtest.quota.Quota;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Benchmarks of groups, which a script pretends to start: all its members are one server in this process. */
@Timeout(120)
class GroupBenchTest {
  private static final int MANY = 50;

  @TempDir private Path temporary;

  private record Ran(int exitCode, String out, String err) {}

  private static Ran run(Bench bench, String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine command = LoadtestProgram.commandLine(bench);
    return new Ran(command.setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(arguments), out.toString(),
        err.toString());
  }

  private Path launcher(String up) throws IOException {
    Path launcher = temporary.resolve("rns");
    Files.writeString(
        launcher,
        """
        #!/bin/sh
        for argument; do case $argument in --data=*) data=${argument#--data=};; esac; done
        echo "$1 $data" >> '%s'
        [ "$1" = partition ] && cat <<END
        {"epoch": 3, "move": {"phase": "done", "copied": 1000, "waitedMillis": 7}, "moves": [
        {"by": "auto", "path": "/a", "at": "2026-03-01T10:00:09.5Z"},
        {"by": "auto", "path": "/b", "at": "2026-03-01T10:00:09.3Z"},
        {"by": "auto", "path": "/a", "at": "2026-03-01T10:00:09.2Z"},
        {"by": "assign", "path": "/a", "at": "2026-03-01T10:00:09Z"}]}
        END
        [ "$1" = up ] || exit 0
        %s
        """.formatted(temporary.resolve("calls"), up));
    assertThat(launcher.toFile().setExecutable(true)).isTrue();
    return launcher;
  }

  private static boolean mayHold() {
    try {
      return !Quota.check(MANY).isEmpty();
    } catch (RnsException e) {
      return false;
    }
  }

  @Test
  void asksEachReplicaAloneAndBoth() throws IOException {
    try (TestServer server = TestServer.start()) {
      String member =
          String.format(
              Locale.ROOT, "{\"name\":\"server-N\",\"url\":\"%s\",\"glassFishPid\":%d}", server.address(),
              ProcessHandle.current().pid());
      String members = String.join(",", member.replace("N", "1"), member.replace("N", "2"), member.replace("N", "3"));
      Path launcher = launcher("echo '{\"members\":[" + members + "]}' > \"$data/run.json\"");
      boolean mayHold = mayHold();
      Ran ran =
          run(
              new ServiceBenches.ScaleOut(launcher), "--cpus", mayHold ? "" + MANY : "0", "--clients", "2", "--seconds",
              "0.4",
              "--warm-up", "0.1", "--rounds",
              "1", "--json");
      assertThat(ran.exitCode()).as(ran.err()).isZero();
      JsonNode document = new JsonMapper().readTree(ran.out());
      JsonNode rows = document.at("/rows");
      assertThat(rows).extracting(row -> row.at("/what").asText()).containsExactly(
          "server-2 alone", "server-3 alone", "both", "both, round 1", "bar", "paper, one", "paper, two");
      double alone = (rows.at("/0/perSecond").asDouble() + rows.at("/1/perSecond").asDouble()) / 2;
      assertThat(rows.at("/2/ratio").asDouble() * alone).isBetween(rows.at("/2/perSecond").asDouble() * 0.999,
          rows.at("/2/perSecond").asDouble() * 1.001);
      assertThat(rows.at("/2/errors").asDouble()).as(ran.out()).isZero();
      assertThat(document.at("/notes/held").asText())
          .startsWith(mayHold ? "each server to 50.0 processors by cpu." : "no: ");
      assertThat(ran.err()).contains(mayHold ? "2 processes are limited" : "no process is limited");
      String data =
          Files.readString(temporary.resolve("calls")).lines().findFirst().orElseThrow().replaceFirst("up ", "");
      assertThat(Files.readString(temporary.resolve("calls"))).isEqualTo("up " + data + "\ndown " + data + "\n");
      assertThat(Path.of(data)).doesNotExist();
    }
  }

  @Test
  void comparesATreeOfTwoGroupsWithThatOfOne() throws IOException {
    try (TestServer server = TestServer.start()) {
      String member =
          String.format(Locale.ROOT, "{\"name\":\"server-N\",\"url\":\"%s\"}", server.address());
      String up = String.format(
          Locale.ROOT, "echo '{\"url\":\"%s\",\"members\":[%s]}' | tee \"$data/run.json\"", server.address(),
          member + "," + member);
      Ran ran = run(new ServiceBenches.Partitions(launcher(up)), "--cpus", "0", "--clients", "2", "--seconds", "0.2",
          "--warm-up", "0.1", "--rounds", "2", "--entries", "500", "--moves", "1", "--json");
      assertThat(ran.exitCode()).as(ran.err()).isZero();
      JsonNode document = new JsonMapper().readTree(ran.out());
      JsonNode rows = document.at("/rows");
      assertThat(rows).extracting(row -> row.at("/what").asText()).containsExactly(
          "query: single server", "query: two groups, nothing assigned",
          "add: single server", "add: two groups, nothing assigned",
          "add: group 0 has both", "add: group 1 has both", "add: each has one",
          "query: no cut", "query: across a cut", "query: at the other group", "query: forwarded to the other group",
          "query of a new client: no cut", "query of a new client: across a cut",
          "move of a small partition", "move of a large partition",
          "rename to the other group and back", "rename of a small partition", "rename of a large partition");
      assertThat(rows).allSatisfy(row -> assertThat(row.at("/errors").asDouble()).as(row.toString()).isZero());
      assertThat(rows.at("/1/ratio").asDouble()).isPositive();
      JsonNode both = rows.at("/6");
      assertThat(both.at("/ratio").asDouble()).isBetween(both.at("/low").asDouble(), both.at("/high").asDouble());
      JsonNode moved = rows.at("/14");
      assertThat(moved.at("/moves").asInt()).isEqualTo(2);
      assertThat(moved.at("/waitedMillis").asInt()).isEqualTo(7);
      assertThat(moved.at("/entriesPerSecond").asDouble() * moved.at("/seconds").asDouble()).isPositive();
      assertThat(document.at("/notes/additions").asText()).contains("x those of one group; wanted is 1.85 x");
    }
  }

  @Test
  void measuresThePartsThatAreWanted() throws IOException {
    try (TestServer server = TestServer.start()) {
      String member =
          String.format(Locale.ROOT, "{\"name\":\"server-N\",\"url\":\"%s\"}", server.address());
      String up = String.format(
          Locale.ROOT, "echo '{\"members\":[%s]}' | tee \"$data/run.json\"", member + "," + member);
      Ran ran = run(new ServiceBenches.Partitions(launcher(up)), "--part", "additions", "--cpus", "0", "--clients", "2",
          "--seconds", "0.2", "--warm-up", "0.1", "--rounds", "1", "--json");
      assertThat(ran.exitCode()).as(ran.err()).isZero();
      assertThat(new JsonMapper().readTree(ran.out()).at("/rows")).extracting(row -> row.at("/what").asText())
          .containsExactly("add: group 0 has both", "add: group 1 has both", "add: each has one");
    }
  }

  @Test
  void saysWhyThereIsNoGroup() throws IOException {
    Path launcher = launcher("echo no space left; exit 1");
    for (Bench bench : new Bench[]{new ServiceBenches.ScaleOut(launcher), new ServiceBenches.Sites(launcher),
        new ServiceBenches.Partitions(launcher)}) {
      Ran ran = bench instanceof ServiceBenches.Sites ? run(bench) : run(bench, "--cpus", "0");
      assertThat(ran.exitCode()).isEqualTo(ErrorReporter.NO_SERVER);
      assertThat(ran.err()).contains("'rns up' ended with 1: no space left");
    }
  }

  @ParameterizedTest
  @CsvSource({"--cpus,0.001", "--cpus,-1", "--clients,0", "--seconds,0", "--warm-up,0", "--rounds,0"})
  void scaleOutRefusesWrongValues(String option, String value) {
    Ran ran = run(new ServiceBenches.ScaleOut(temporary.resolve("nothing")), option, value);
    assertThat(ran.exitCode()).isEqualTo(ErrorReporter.USAGE);
    assertThat(ran.err()).contains(option);
  }

  @ParameterizedTest
  @CsvSource({"--cpus,0.001", "--clients,0", "--entries,0", "--moves,0", "--warm-up,0", "--rounds,0"})
  void partitionsRefuseWrongValues(String option, String value) {
    Ran ran = run(new ServiceBenches.Partitions(temporary.resolve("nothing")), option, value);
    assertThat(ran.exitCode()).isEqualTo(ErrorReporter.USAGE);
    assertThat(ran.err()).contains(option);
  }

  @Test
  void followsTheLoadFromSubtreeToSubtree() throws IOException {
    try (TestServer server = TestServer.start()) {
      String member =
          String.format(Locale.ROOT, "{\"name\":\"server-N\",\"url\":\"%s\"}", server.address());
      String up = String.format(
          Locale.ROOT, "echo '{\"members\":[%s]}' | tee \"$data/run.json\"", member + "," + member + "," + member);
      Ran ran = run(new ServiceBenches.Skew(launcher(up)), "--cpus", "0", "--clients", "2", "--phases", "2",
          "--seconds", "0.6", "--warm-up", "0.1", "--json");
      assertThat(ran.exitCode()).as(ran.err()).isZero();
      JsonNode document = new JsonMapper().readTree(ran.out());
      JsonNode rows = document.at("/rows");
      assertThat(rows).extracting(row -> row.at("/what").asText()).containsExactly(
          "static: one group has all", "static: spread over all groups", "auto",
          "auto against the slower static map");
      assertThat(rows.at("/2/errors").asDouble()).as(ran.out()).isZero();
      assertThat(rows.at("/2/moves").asInt()).isEqualTo(3);
      assertThat(rows.at("/2/movedAgain").asInt()).as("within a phase").isEqualTo(1);
      double slower = Math.min(rows.at("/0/perSecond").asDouble(), rows.at("/1/perSecond").asDouble());
      assertThat(rows.at("/3/slower").asDouble()).isEqualTo(slower);
      assertThat(rows.at("/3/ratio").asDouble() * slower)
          .isBetween(rows.at("/2/perSecond").asDouble() * 0.999, rows.at("/2/perSecond").asDouble() * 1.001);
    }
  }

  @ParameterizedTest
  @CsvSource({"--cpus,-1", "--clients,0", "--phases,0", "--seconds,0", "--warm-up,0"})
  void skewRefusesWrongValues(String option, String value) {
    Ran ran = run(new ServiceBenches.Skew(temporary.resolve("nothing")), option, value);
    assertThat(ran.exitCode()).isEqualTo(ErrorReporter.USAGE);
    assertThat(ran.err()).contains(option);
  }

  @ParameterizedTest
  @CsvSource({"--delay,-1", "--clients,0", "--rate,0", "--seconds,0", "--warm-up,-1", "--rounds,0"})
  void sitesRefusesWrongValues(String option, String value) {
    Ran ran = run(new ServiceBenches.Sites(temporary.resolve("nothing")), option, value);
    assertThat(ran.exitCode()).isEqualTo(ErrorReporter.USAGE);
    assertThat(ran.err()).contains(option);
  }
}
