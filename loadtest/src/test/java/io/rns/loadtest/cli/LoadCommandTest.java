package io.rns.loadtest.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.rns.api.Consistency;
import io.rns.client.TestServer;
import io.rns.loadtest.yardstick.NullOperation;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
@Tag("server")
class LoadCommandTest extends LoadCommandRuns {
  @TempDir private Path directory;

  /** What the null operation of the yardsticks answers. */
  private static byte[] nothing(byte[] request) {
    String text = new String(request, StandardCharsets.UTF_8).replaceAll("(?s).*(<y:text>.*</y:text>).*", "$1");
    String body = "<y:nothingResponse xmlns:y=\"" + NullOperation.NAMESPACE + "\">" + text + "</y:nothingResponse>";
    String envelope =
        "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body>" + body + "</s:Body></s:Envelope>";
    return envelope.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void comparesWithItsYardsticksAndSaysWhichAreMissing() throws IOException {
    try (TestServer server = TestServer.start()) {
      server.serve("/yardstick/echo", UnaryOperator.identity()).serve("/yardstick/null", LoadCommandTest::nothing);
      JsonNode json = run(server.address().toString(), shortly("--json", "--op", "query")).json();
      for (String name : List.of("echo", "nullOperation")) {
        JsonNode yardstick = json.path("yardsticks").path(name);
        assertThat(yardstick.path("throughput").asDouble()).isPositive();
        assertThat(yardstick.path("ratio").asDouble()).isPositive();
        assertThat(yardstick.path("errors").asLong()).isZero();
      }
      assertThat(json.path("missingYardsticks").path("jdbcSelect").asText()).contains("--jdbc");
    }
  }

  @Test
  void goesOnWithoutYardsticksThatAreNotDeployed() throws IOException {
    try (TestServer server = TestServer.start()) {
      Ran ran = run(server.address().toString(), shortly("--op", "query"));
      assertThat(ran.exitCode()).as(ran.err()).isZero();
      assertThat(ran.out())
          .contains("query by raw, 2 clients, 1 rounds")
          .contains("without the yardstick echo: not deployed")
          .doesNotContain(" \n");
      assertThat(ran.err()).contains("round 1 of 1: query");
    }
  }

  @Tag("slow")
  @Test
  void comparesBigWithSmall() throws IOException {
    try (TestServer server = TestServer.start()) {
      String[] size = {
          "--op", "size", "--entries", "20000", "--seconds", "0.2", "--warm-up", "0.05", "--rounds", "2", "--clients",
          "2"
      };
      Ran kept = run(server.address().toString(), with(size, "--json", "--keep"));
      assertThat(kept.exitCode()).as(kept.err()).isZero();
      JsonNode json = kept.json();
      assertThat(json.path("entries").asLong()).isEqualTo(20_000);
      assertThat(json.path("errors").asLong()).as(kept.out()).isZero();
      assertThat(json.path("entriesPerSecond").path("big").asDouble()).isPositive();
      assertThat(json.path("pages").path("ratio").asDouble()).isGreaterThanOrEqualTo(1);
      assertThat(json.path("queries").path("ratio").asDouble()).isPositive();
      assertThat(json.path("queries").path("pagesListed").asLong()).isPositive();
      assertThat(json.path("cold").path("small").path("requests").asLong()).isEqualTo(10_000);
      assertThat(json.path("cold").path("large").path("requests").asLong()).isEqualTo(10_000);
      assertThat(json.path("cold").path("ratio").asDouble()).isPositive();

      Ran again = run(server.address().toString(), with(size, "--reuse", json.path("directory").asText()));
      assertThat(again.exitCode()).as(again.err()).isZero();
      assertThat(again.out()).contains("20,000 entries in one directory").contains("kept: /rns-load-");
    }
  }

  @Test
  void loadsAtAFixedRateAndCountsFromWhenRequestsWereDue() throws IOException {
    try (TestServer server = TestServer.start()) {
      Ran ran =
          run(server.address().toString(),
              shortly("--json", "--no-yardsticks", "--op", "query", "--rate", "100", "--spacing", "poisson"));
      assertThat(ran.exitCode()).as(ran.err()).isZero();
      JsonNode json = ran.json();
      assertThat(json.path("rate").asDouble()).isEqualTo(100);
      assertThat(json.path("spacing").asText()).isEqualTo("poisson");
      assertThat(json.path("throughput").asDouble()).isBetween(1.0, 400.0);
      assertThat(json.path("errors").asLong()).as(ran.out()).isZero();
    }
  }

  @Test
  void showsWhatTheGeneratorItselfCanDoForEachNumberOfClients() throws IOException {
    Ran ran =
        run("http://127.0.0.1:1/rns", "--json", "--op", "mixed", "--target", "none", "--clients", "1..2,4", "--seconds",
            "0.2", "--warm-up", "0", "--rounds", "2");
    assertThat(ran.exitCode()).as(ran.err()).isZero();
    JsonNode steps = ran.json().path("steps");
    assertThat(steps).extracting(step -> step.path("clients").asInt()).containsExactly(1, 2, 4);
    assertThat(steps)
        .allSatisfy(
            step -> {
              assertThat(step.path("throughput").asDouble()).isPositive();
              assertThat(step.path("rounds")).hasSize(2);
            });
    assertThat(ran.json().path("interrupted").asBoolean()).isFalse();
  }

  @Test
  void showsWhatTheGeneratorCanDoWithAServerThatDoesNothing() throws IOException {
    List<ProcessHandle> before = ProcessHandle.current().children().toList();
    Ran ran =
        run("http://127.0.0.1:1/rns", "--json", "--op", "query", "--target", "socket", "--clients", "2", "--seconds",
            "0.3", "--warm-up", "0", "--rounds", "1");
    assertThat(ran.exitCode()).as(ran.err()).isZero();
    assertThat(ran.json().path("target").asText()).isEqualTo("socket");
    assertThat(ran.json().path("throughput").asDouble()).isPositive();
    assertThat(ran.json().path("errors").asLong()).as(ran.out()).isZero();
    assertThat(ran.json().path("processorMicrosPerRequest").fieldNames()).toIterable().containsExactly("generator",
        "socket");
    assertThat(ProcessHandle.current().children().toList()).as("processes left behind").isSubsetOf(before);
  }

  @ParameterizedTest
  @ValueSource(strings = {"raw", "client"})
  void mixesOperations(String via) throws IOException {
    try (TestServer server = TestServer.start()) {
      Ran ran =
          run(
              server.address().toString(),
              "--json", "--no-yardsticks", "--via", via, "--clients", "2", "--seconds", "2", "--rounds", "1",
              "--warm-up", "0", "--paths", "200",
              "--mix", "query=20,list=10,add=20,mkdir=10,update=10,move=10,remove=10,watch=rest",
              "--keys", "zipf", "--depth", "5", "--fan-out", "7", "--epr-bytes", "300", "--consistency", "any");
      assertThat(ran.exitCode()).as(ran.err()).isZero();
      JsonNode json = ran.json();
      assertThat(json.path("op").asText()).isEqualTo("mix");
      assertThat(json.path("errors").asLong()).as(ran.out()).isZero();
      JsonNode operations = json.path("steps").path(0).path("operations");
      assertThat(operations.fieldNames()).toIterable()
          .contains("query", "list", "add", "mkdir", "update", "move", "remove", "watch");
      assertThat(server.calls()).anySatisfy(call -> assertThat(call.consistency()).isEqualTo(Consistency.ANY));
      assertNothingLeft(server);
    }
  }

  @Test
  void severalProcessesLoadTogether() throws IOException {
    Ran ran =
        run("http://127.0.0.1:1/rns", "--json", "--op", "query", "--target", "none", "--clients", "2,4", "--processes",
            "2", "--seconds", "1",
            "--warm-up", "0", "--rounds", "2", "--paths", "200");
    assertThat(ran.exitCode()).as(ran.err()).isZero();
    JsonNode json = ran.json();
    assertThat(json.path("errors").asLong()).as(ran.out()).isZero();
    assertThat(json.path("steps")).extracting(step -> step.path("clients").asInt()).containsExactly(2, 4);
    assertThat(json.path("steps")).allSatisfy(step -> assertThat(step.path("rounds")).hasSize(2));
    assertThat(json.path("throughput").asDouble()).isPositive();
    assertThat(json.path("interrupted").asBoolean()).isFalse();
  }

  @Test
  void tellsThatAProcessHasFailed() {
    Ran ran = run("http://127.0.0.1:1/rns", "--op", "query", "--processes", "2");
    assertThat(ran.exitCode()).as(ran.err()).isEqualTo(3);
    assertThat(ran.err()).contains("a process of the load has failed");
  }

  @ParameterizedTest
  @ValueSource(strings = {"raw", "client"})
  void replaysATraceSoManyTimes(String via) throws IOException {
    Path file = directory.resolve("trace.tsv");
    Files.writeString(
        file,
        """
        0\ta\tquery\t/d/e
        1\ta\tadd\t/d/new
        2\tb\tlist\t/d
        30\ta\tupdate\t/d/new
        60\ta\tmove\t/d/new\t/d/moved
        90\ta\tremove\t/d/moved
        91\tb\tmkdir\t/m
        92\tb\twatch\t/d
        120\tb\tadd\t/m/x
        """);
    try (TestServer server = TestServer.start()) {
      Ran ran = run(server.address().toString(), "--json", "--via", via, "--trace", file.toString(), "--factor", "3");
      assertThat(ran.exitCode()).as(ran.err()).isZero();
      JsonNode json = ran.json();
      assertThat(json.path("op").asText()).isEqualTo("trace");
      assertThat(json.path("clients").asInt()).isEqualTo(6);
      assertThat(json.path("errors").asLong()).as(ran.out()).isZero();
      assertThat(json.path("requests").asLong()).isEqualTo(27);
      JsonNode operations = json.path("steps").path(0).path("operations");
      assertThat(operations.path("first response").path("requests").asLong()).isEqualTo(6);
      assertThat(operations.path("add").path("requests").asLong()).isEqualTo(6);
      assertNothingLeft(server);
    }
  }

  @Test
  void recordsATraceThatCanBeReplayed() throws IOException {
    Path file = directory.resolve("trace.tsv");
    Ran recorded =
        run("http://127.0.0.1:1/rns", "--target", "none", "--mix", "hdfs", "--clients", "2", "--think", "1",
            "--seconds", "0.3", "--rounds", "1",
            "--warm-up", "0", "--paths", "200", "--record", file.toString());
    assertThat(recorded.exitCode()).as(recorded.err()).isZero();
    assertThat(run("http://127.0.0.1:1/rns", "--target", "none", "--trace", file.toString()).exitCode()).isZero();
    long events = Files.readAllLines(file).stream().filter(line -> !line.startsWith("#")).count();
    assertThat(events).isPositive();
    try (TestServer server = TestServer.start()) {
      Ran ran = run(server.address().toString(), "--json", "--trace", file.toString());
      assertThat(ran.exitCode()).as(ran.err()).isZero();
      assertThat(ran.json().path("errors").asLong()).as(ran.out()).isZero();
      assertThat(ran.json().path("requests").asLong()).isEqualTo(events);
    }
  }

  @Test
  void printsWhatWasMeasuredWhenItIsInterrupted() throws IOException {
    Thread caller = Thread.currentThread();
    AtomicInteger echoes = new AtomicInteger();
    try (TestServer server = TestServer.start()) {
      server
          .serve("/yardstick/null", LoadCommandTest::nothing)
          .serve(
              "/yardstick/echo",
              message -> {
                if (echoes.incrementAndGet() == 20) {
                  caller.interrupt();
                }
                return message;
              });
      Ran ran =
          run(server.address().toString(), "--json", "--op", "query", "--clients", "3", "--seconds", "200", "--rounds",
              "1000", "--warm-up", "0");
      assertThat(Thread.interrupted()).isFalse();
      assertThat(ran.exitCode()).as(ran.err()).isEqualTo(130);
      assertThat(ran.json().path("interrupted").asBoolean()).isTrue();
      assertThat(ran.json().path("requests").asLong()).isPositive();
      assertThat(ran.json().path("steps").path(0).path("rounds")).hasSize(1);
      assertThat(ran.json().path("yardsticks").has("nullOperation")).isFalse();
      assertNothingLeft(server);
    }
  }

  private static String[] with(String[] arguments, String... more) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  @ParameterizedTest
  @ValueSource(strings = {
      "--op=swim",
      "--op=query --clients=0",
      "--op=query --clients=12..1",
      "--op=query --clients=1..100",
      "--op=query --rate=-1",
      "--op=query --rate=5 --think=1",
      "--op=query --target=none --via=client",
      "--op=session --target=none",
      "--op=query --target=socket --via=client",
      "--mix=hdfs --target=socket",
      "--op=query --mix=hdfs",
      "--mix=query=5",
      "--op=trace",
      "--op=query --processes=5",
      "--op=query --processes=0",
      "--op=size --processes=2",
      "--trace=no-such-file.tsv",
      "--trace=pom.xml",
      "--op=query --record=target/trace.tsv",
      "--mix=hdfs --trace=pom.xml",
      "--op=query --keys=all",
      "--op=query --depth=2",
      "--op=query --consistency=any",
      "--op=query --epr-bytes=60001",
      "--op=session --target=none",
      "--op=query --seconds=0",
      "--op=query --rounds=0",
      "--op=query --via=pigeon",
      "--op=size --entries=1",
      "--clients=2"
  })
  void refusesWrongUse(String arguments) {
    Ran ran = run("http://127.0.0.1:1/rns", arguments.split(" "));
    assertThat(ran.exitCode()).isEqualTo(2);
    assertThat(ran.err()).isNotBlank();
    assertThat(ran.out()).isEmpty();
  }

  @Test
  void saysThatNoServerIsThere() throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    Ran ran = run("http://127.0.0.1:" + port + "/rns", "--op=query");
    assertThat(ran.exitCode()).isEqualTo(3);
    assertThat(ran.err()).contains("rns load: ");
  }

  @Test
  void teachesWithItsHelp() {
    Ran ran = run("http://127.0.0.1:1/rns", "--help");
    assertThat(ran.exitCode()).isZero();
    assertThat(ran.out()).contains("query-batch", "--[no-]yardsticks", "Examples:");
  }
}
