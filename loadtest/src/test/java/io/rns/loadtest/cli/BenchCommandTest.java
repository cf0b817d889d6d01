package io.rns.loadtest.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("server")
class BenchCommandTest {
  private record Ran(int exitCode, String out, String err) {}

  private static Ran run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        LoadtestProgram.bench(Path.of("no-launcher")).setOut(new PrintWriter(out)).setErr(new PrintWriter(err))
            .execute(arguments);
    return new Ran(code, out.toString(), err.toString());
  }

  @Test
  void registrarsStayInSyncWhileElementsRenew() throws IOException {
    Ran ran = run("renewal", "--elements", "20", "--interval", "50", "--warm-up", "0", "--seconds", "0.5", "--json");
    assertThat(ran.exitCode()).as(ran.err()).isZero();
    JsonNode rows = new JsonMapper().readTree(ran.out()).at("/rows");
    assertThat(rows).hasSize(2);
    assertThat(rows.at("/0/perSecond").asDouble()).isBetween(0.0, 800.0);
    assertThat(ran.err()).contains("20 elements registered");
  }

  @Test
  void usersMayResolveAtAnotherRegistrar() throws IOException {
    Ran ran = run("renewal", "--elements", "20", "--interval", "50", "--registrars", "3", "--users", "4",
        "--user-interval", "25", "--resolve-at", "3", "--warm-up", "0", "--seconds", "0.5", "--json");
    assertThat(ran.exitCode()).as(ran.err()).isZero();
    JsonNode rows = new JsonMapper().readTree(ran.out()).at("/rows");
    assertThat(rows).extracting(row -> row.at("/what").asText()).containsExactly(
        "registrar, 20 elements, every 50 ms", "registrar 2, 20 elements, every 50 ms",
        "registrar 3, 20 elements, every 50 ms", "resolutions, 4 users");
    assertThat(rows.at("/3/perSecond").asDouble()).as("at most 4 users, 40 times per second each").isBetween(1.0,
        165.0);
  }

  @Tag("slow")
  @Test
  void everyContestHasItsTurns() throws IOException {
    Ran ran =
        run("policies", "--contest", "slow,sinks,credits,dns,web", "--factor", "2", "--rounds", "1", "--warm-up", "0",
            "--seconds", "1", "--users", "2", "--again", "--json");
    assertThat(ran.exitCode()).as(ran.err()).isZero();
    JsonNode rows = new JsonMapper().readTree(ran.out()).at("/rows");
    assertThat(rows).extracting(row -> row.at("/what").asText()).containsExactly(
        "slow, 2 users: round robin", "slow, 2 users: least connections", "slow, 2 users: peak EWMA of two",
        "slow, 2 users: adaptive", "slow, 2 users: adaptive, again",
        "sinks, 2 users: least connections", "sinks, 2 users: adaptive", "sinks, 2 users: adaptive, again",
        "credits: weighted round robin", "credits: weighted least connections", "credits: credits",
        "credits: credits, again",
        "dns, factor 2: weighted round robin", "dns, factor 2: weighted least connections", "dns, factor 2: credits",
        "dns, factor 2: credits, again",
        "web, factor 2: weighted round robin", "web, factor 2: weighted least connections", "web, factor 2: credits",
        "web, factor 2: credits, again");
    assertThat(rows).allSatisfy(row -> assertThat(row.at("/perSecond").asDouble()).isPositive());
    assertThat(rows).last().satisfies(row -> assertThat(row.at("/firstMillis").asDouble()).isPositive()
        .isLessThan(row.at("/meanMillis").asDouble()));
    assertThat(rows.at("/5/sunkPerRequest").asDouble()).as("nobody knows the sinks at first").isPositive();
  }

  @Test
  void usersDoNotSeeThatAnElementIsKilled() throws IOException {
    // So few requests that even those of a second fit into the users' budget for retries.
    Ran ran = run("failover", "--elements", "2", "--rate", "10", "--kills", "1", "--calm", "0.3", "--timeout", "1500",
        "--json");
    assertThat(ran.exitCode()).as(ran.err()).isZero();
    JsonNode row = new JsonMapper().readTree(ran.out()).at("/rows/0");
    assertThat(row.at("/errors").asDouble()).as(row.toString()).isZero();
    assertThat(row.at("/requests").asDouble()).isPositive();
    assertThat(row.at("/detectedMillis").asDouble()).isPositive();
  }

  @ParameterizedTest
  @CsvSource({
      "renewal,--elements,0",
      "renewal,--user-interval,0",
      "policies,--contest,wrestling",
      "policies,--rounds,0",
      "policies,--factor,0",
      "failover,--elements,1",
      "resolution,--asap,70000",
      "resolution,--clients,0"
  })
  void everyBenchRefusesWrongValues(String bench, String option, String value) {
    Ran ran = run(bench, option, value);
    assertThat(ran.exitCode()).isEqualTo(ErrorReporter.USAGE);
    assertThat(ran.err()).contains(option);
  }

  @Test
  void saysThatNoServerIsThere() throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    assertThat(run("resolution", "--server", "http://127.0.0.1:" + port + "/rns").exitCode())
        .isEqualTo(ErrorReporter.NO_SERVER);
  }
}
