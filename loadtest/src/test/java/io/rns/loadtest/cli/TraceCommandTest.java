package io.rns.loadtest.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.rns.access.AccessLine;
import io.rns.client.TestServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

@Timeout(120)
class TraceCommandTest {
  private static final Instant BEGIN = Instant.parse("2026-01-02T03:04:05Z");

  @TempDir private Path directory;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(CommandLine command, String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return command.setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(arguments);
  }

  private int trace(String... arguments) {
    return run(LoadtestProgram.commandLine(new TraceCommand()), arguments);
  }

  private Path log(String name, String... operations) throws IOException {
    List<String> lines = new ArrayList<>(List.of(AccessLine.HEADER, AccessLine.COLUMNS));
    for (String operation : operations) {
      String[] column = operation.split(" ", -1);
      String to = column.length == 5 ? column[4] : "";
      lines.add(
          new AccessLine(BEGIN.plusMillis(Long.parseLong(column[0])), column[1], "", column[2], column[3], to,
              AccessLine.OK, 9).toString());
    }
    return Files.write(directory.resolve(name), lines);
  }

  @Test
  void logsOfTwoServersBecomeATraceThatIsReplayed() throws IOException {
    Path one =
        log("one", "0 a list /top/d", "10 a query /top/d/e", "20 a mkdir /top/ü", "30 a add /top/ü/x",
            "40 a move /top/ü/x /top/d/y", "45 a query /else", "50 a remove /top/d/y");
    Path two = log("two", "5 b query /top/d/e", "15 b update /top/d/e", "55 b watch /top/d", "60 b query [7]/x");
    assertThat(trace("--below", "/top", one.toString(), two.toString())).as(err.toString()).isZero();
    assertThat(err.toString())
        .isEqualToNormalizingNewlines(
            "9 operations of 2 sessions within 0.1 s\nleft out: 1 of an entry by its identity\nleft out: 1 elsewhere\n");
    Path trace = Files.writeString(directory.resolve("trace.tsv"), out.toString());
    try (TestServer server = TestServer.start()) {
      int code =
          run(
              LoadtestProgram.commandLine(new LoadCommand()), "--server", server.address().toString(), "--data",
              "target/no-such-data",
              "--json", "--trace", trace.toString(),
              "--factor", "2");
      assertThat(code).as(err.toString()).isZero();
      JsonNode json = new JsonMapper().readTree(out.toString());
      assertThat(json.path("errors").asLong()).as(out.toString()).isZero();
      assertThat(json.path("requests").asLong()).isEqualTo(18);
    }
  }

  @Test
  void aPartOfTheTimeIsCutOut() throws IOException {
    Path log = log("log", "0 a query /e", "10 a query /f", "20 a query /g");
    assertThat(
        trace("--from", BEGIN.plusMillis(10).toString(), "--to", BEGIN.plusMillis(20).toString(), log.toString()))
        .isZero();
    assertThat(out.toString())
        .isEqualTo("# milliseconds, session, operation, path, new path of a move\n0.000\ta\tquery\t/f\n");
    assertThat(err.toString()).contains("left out: 2 at another time");
  }

  @Test
  void aLogThatHasNothingIsToldAndOneThatIsLongToo() throws IOException {
    assertThat(trace(log("empty").toString())).isEqualTo(1);
    assertThat(err.toString()).startsWith("0 operations of 0 sessions");
    assertThat(trace(log("long", "0 a query /e", "86400001 a query /e").toString())).isZero();
    assertThat(err.toString()).contains("a replay takes a day at most", "--from");
  }

  @Test
  void halfACharacterOfAServerThatWasKilledIsOneBadLine() throws IOException {
    Path log = directory.resolve("log");
    String line = new AccessLine(BEGIN, "s", "", "query", "/e", "", AccessLine.OK, 9).toString();
    Files.writeString(log, AccessLine.HEADER + "\n2026\u00c3\n" + line + "\n", ISO_8859_1);
    assertThat(trace(log.toString())).as(err.toString()).isZero();
    assertThat(err.toString()).contains("1 operations", "left out: 1 unreadable");
  }

  @Test
  void wrongUsageIsToldWithTheFile() throws IOException {
    Path log = log("log", "0 a query /e");
    Path other = Files.writeString(directory.resolve("other"), "0\ta\tquery\t/e\n");
    for (List<String> wrong : List.of(
        List.<String>of(),
        List.of("--from", "today", log.toString()),
        List.of("--below", "relative", log.toString()),
        List.of(directory.resolve("none").toString()),
        List.of(log.toString(), other.toString()))) {
      assertThat(trace(wrong.toArray(String[]::new))).as(wrong.toString()).isEqualTo(2);
      assertThat(out.toString()).isEmpty();
    }
    assertThat(err.toString()).contains(other + " does not begin with '# rns access log 1'");
    int code = run(LoadtestProgram.commandLine(new LoadCommand()), "--server", "http://127.0.0.1:1/rns", "--target",
        "none", "--trace",
        log.toString());
    assertThat(code).isEqualTo(2);
    assertThat(err.toString()).contains("access log of a server", "./rns trace");
  }
}
