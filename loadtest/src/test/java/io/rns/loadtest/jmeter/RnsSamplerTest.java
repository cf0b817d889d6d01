package io.rns.loadtest.jmeter;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.Consistency;
import io.rns.client.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.apache.jmeter.config.Arguments;
import org.apache.jmeter.protocol.java.sampler.JavaSamplerContext;
import org.apache.jmeter.samplers.SampleResult;
import org.apache.jmeter.util.JMeterUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Samples of a server over a socket, made as JMeter makes them. */
@Timeout(60)
class RnsSamplerTest {
  private final TestServer server = TestServer.start();
  private final SamplerConnections connections = new SamplerConnections();
  private final RnsSampler sampler = new RnsSampler(connections);

  /** JMeter says of every property that it has its default, unless it was given some. */
  @BeforeAll
  static void giveProperties(@TempDir Path directory) throws IOException {
    JMeterUtils.loadJMeterProperties(Files.createFile(directory.resolve("jmeter.properties")).toString());
  }

  @AfterEach
  void close() {
    sampler.teardownTest(context(Map.of()));
    server.close();
  }

  /** The parameters of a sampler in a plan: its defaults, and what the plan says. */
  private JavaSamplerContext context(Map<String, String> said) {
    Map<String, String> all = sampler.getDefaultParameters().getArgumentsAsMap();
    all.put("server", server.address().toString());
    all.putAll(said);
    Arguments arguments = new Arguments();
    all.forEach(arguments::addArgument);
    return new JavaSamplerContext(arguments);
  }

  private SampleResult sample(String operation, String path, String reference) {
    return sampler.runTest(context(Map.of("operation", operation, "path", path, "reference", reference)));
  }

  private static void assertDone(SampleResult result, String answer) {
    assertThat(result.getResponseDataAsString()).isEqualTo(answer);
    assertThat(result.isSuccessful()).isTrue();
    assertThat(result.getResponseCode()).isEqualTo("200");
    assertThat(result.getResponseMessage()).isEqualTo("OK");
  }

  private static void assertFailed(SampleResult result, String code, String messagePart) {
    assertThat(result.getResponseCode()).isEqualTo(code);
    assertThat(result.getResponseMessage()).contains(messagePart);
    assertThat(result.getResponseDataAsString()).isEqualTo(result.getResponseMessage());
    assertThat(result.isSuccessful()).isFalse();
    assertThat(result.getStartTime()).isPositive();
    assertThat(result.getEndTime()).isGreaterThanOrEqualTo(result.getStartTime());
  }

  @Test
  void everyOperationDoesWhatItSays() {
    assertDone(sample("add", "/load/a/x", "http://one.example.org/"), "junction x http://one.example.org/");
    assertDone(sample("add", "/load/a/y", ""), "directory y");
    assertDone(sample("list", "/load/a", ""), "junction x http://one.example.org/\ndirectory y");
    assertDone(sample("update", "/load/a/x", "http://two.example.org/"), "junction x http://two.example.org/");
    assertDone(sample("query", "/load/a/x", ""), "junction x http://two.example.org/");
    assertDone(sample("remove", "/load/a/x", ""), "junction x http://two.example.org/");
    assertFailed(sample("query", "/load/a/x", ""), "NO_SUCH_ENTRY", "/load/a/x");
    assertFailed(sample("remove", "/load", ""), "NOT_EMPTY", "/load");
    assertDone(sample("remove-tree", "/load", ""), "directory load");
    assertDone(sample("list", "/", ""), "");
  }

  @Test
  void credentialsAndAuthoritiesAreFiles(@TempDir Path directory) throws IOException {
    Path token = Files.writeString(directory.resolve("token"), "abc\n");
    SampleResult done = sampler.runTest(context(Map.of("operation", "list", "tokenFile", token.toString())));
    assertDone(done, "");
    SampleResult other = sampler.runTest(context(Map.of("operation", "list")));
    assertDone(other, "");
    assertThat(connections.count()).as("the former one is closed").isEqualTo(1);
    for (String parameter : new String[]{"tokenFile", "accountFile", "ca"}) {
      assertFailed(
          sampler.runTest(context(Map.of("operation", "list", parameter, directory.resolve("none").toString()))),
          "INVALID_REQUEST", "none");
    }
  }

  @Test
  void whatFailsTellsTheNameOfTheError() {
    assertFailed(sample("query", "/nowhere", ""), "NO_SUCH_ENTRY", "/nowhere");
    assertFailed(sample("list", "/nowhere", ""), "NO_SUCH_ENTRY", "/nowhere");
    assertDone(sample("add", "/there", "http://one.example.org/"), "junction there http://one.example.org/");
    assertFailed(sample("add", "/there", "http://one.example.org/"), "ENTRY_EXISTS", "/there");
    assertFailed(sample("list", "/there", ""), "NOT_DIRECTORY", "/there");
  }

  @Test
  void whatMakesNoRequestFailsToo() {
    assertFailed(sample("look", "/", ""), "INVALID_REQUEST",
        "operation 'look' is none of add, list, query, update, remove, remove-tree");
    assertFailed(sample("query", "relative", ""), "INVALID_PATH", "relative");
    assertFailed(sample("update", "/there", ""), "INVALID_REQUEST", "needs a reference");
    assertFailed(sampler.runTest(context(Map.of("consistency", "much"))), "INVALID_REQUEST", "consistency 'much'");
    assertFailed(sampler.runTest(context(Map.of("server", "http://no server/"))), "INVALID_REQUEST", "no server");
    assertFailed(sampler.runTest(context(Map.of("server", "ftp://127.0.0.1/"))), "INVALID_REQUEST", "ftp://127.0.0.1/");
    assertThat(server.calls()).isEmpty();
  }

  @Test
  void theSampleShowsWhatWasAsked() {
    SampleResult result =
        sampler.runTest(context(Map.of("operation", "query", "path", "/", "consistency", "bounded(500ms)")));
    assertDone(result, "directory /");
    assertThat(result.getSamplerData())
        .isEqualTo("query /\nserver: " + server.address() + "\nconsistency: bounded(500ms)");
    assertThat(server.calls())
        .singleElement()
        .satisfies(call -> assertThat(call.consistency()).isEqualTo(Consistency.bounded(Duration.ofMillis(500))));
  }

  @Test
  void samplersShareAConnectionUntilTheLastIsDone() {
    RnsSampler other = new RnsSampler(connections);
    assertDone(sample("query", "/", ""), "directory /");
    assertDone(other.runTest(context(Map.of())), "directory /");
    assertThat(connections.count()).isEqualTo(1);
    other.teardownTest(context(Map.of()));
    other.teardownTest(context(Map.of()));
    assertDone(sample("query", "/", ""), "directory /");
    try (TestServer second = TestServer.start()) {
      assertDone(sampler.runTest(context(Map.of("server", second.address().toString()))), "directory /");
      assertThat(connections.count()).isEqualTo(1);
      assertThat(second.calls()).hasSize(1);
    }
    sampler.teardownTest(context(Map.of()));
    assertThat(connections.count()).isZero();
  }
}
