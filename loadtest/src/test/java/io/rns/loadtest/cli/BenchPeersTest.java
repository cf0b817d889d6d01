package io.rns.loadtest.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.rns.api.CallContext;
import io.rns.api.ListRequest;
import io.rns.api.Target;
import io.rns.client.TestServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
@Tag("server")
class BenchPeersTest {
  @TempDir private Path data;

  private record Ran(int exitCode, String out, String err) {}

  private Ran run(String server, String... more) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    String[] first = {"peers", "--server", server, "--data", data.toString()};
    String[] all = Stream.of(first, more).flatMap(Arrays::stream).toArray(String[]::new);
    int code =
        LoadtestProgram.bench(Path.of("no-launcher")).setOut(new PrintWriter(out)).setErr(new PrintWriter(err))
            .execute(all);
    return new Ran(code, out.toString(), err.toString());
  }

  @Tag("slow")
  @Test
  void comparesWithThePeersThatThereAreAndNamesTheOthers() throws IOException {
    List<ProcessHandle> before = ProcessHandle.current().children().toList();
    try (TestServer server = TestServer.start()) {
      Ran ran =
          run(
              server.address().toString(), "--clients", "2", "--rounds", "1", "--warm-up", "0", "--seconds", "1.5",
              "--paths", "30", "--fan-out",
              "10", "--peer", "zookeeper,etcd,jdbc", "--json");
      assertThat(ran.exitCode()).as(ran.err()).isZero();
      JsonNode document = new JsonMapper().readTree(ran.out());
      JsonNode rows = document.at("/rows");
      assertThat(rows).extracting(row -> row.at("/what").asText()).containsExactly(
          "query: rns", "query: zookeeper", "add: rns", "add: zookeeper", "list: rns", "list: zookeeper");
      for (JsonNode row : rows) {
        assertThat(row.at("/perSecond").asDouble()).as(row.toString()).isPositive();
        assertThat(row.at("/errors").asDouble()).as(ran.out()).isZero();
      }
      double rns = rows.at("/0/perSecond").asDouble();
      assertThat(rows.at("/1/rnsToIt").asDouble() * rows.at("/1/perSecond").asDouble()).isBetween(rns * 0.999,
          rns * 1.001);
      assertThat(document.at("/notes/zookeeper").asText()).contains("forceSync=yes");
      assertThat(document.at("/notes/etcd").asText()).startsWith("left out: ");
      assertThat(document.at("/notes/jdbc").asText()).startsWith("left out: ").contains("--jdbc");
      assertThat(ran.err()).contains("without etcd: ", "without jdbc: ");
      assertThat(server.service().list(CallContext.ANONYMOUS, ListRequest.of(Target.ROOT)).value().orThrow().entries())
          .isEmpty();
      assertThat(data).isEmptyDirectory();
      assertThat(ProcessHandle.current().children().toList()).as("processes left behind").isSubsetOf(before);
    }
  }

  @Test
  void theTableEndsWithWhatTheyAre() throws IOException {
    try (TestServer server = TestServer.start()) {
      Ran ran =
          run(
              server.address().toString(), "--clients", "2", "--rounds", "1", "--warm-up", "0", "--seconds", "0.02",
              "--paths", "3", "--via", "raw",
              "--peer", "etcd,servlet");
      assertThat(ran.exitCode()).as(ran.err()).isZero();
      assertThat(ran.out().lines().map(line -> line.replaceFirst("[ :].*", ""))).containsExactly("", "query", "add",
          "list", "", "rns", "etcd", "servlet");
      assertThat(ran.out()).contains("servlet: left out: not deployed");
    }
  }

  @ParameterizedTest
  @CsvSource({"--clients,0", "--seconds,0", "--rounds,0", "--paths,0", "--fan-out,1001", "--peer,gopher",
      "--warm-up,-1"})
  void refusesWrongValues(String option, String value) {
    Ran ran = run("http://127.0.0.1:1/rns", option, value);
    assertThat(ran.exitCode()).isEqualTo(ErrorReporter.USAGE);
    assertThat(ran.err()).contains(option).doesNotContain("only once");
  }
}
