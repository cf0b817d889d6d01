package io.rns.loadtest.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.rns.client.TestServer;
import io.rns.loadtest.load.LoadOperation;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Each operation that can be measured. A class of its own, so that its time passes beside others.
 */
@Timeout(120)
@Tag("server")
class LoadOperationsTest extends LoadCommandRuns {
  /** The test server has no iterators; .ci/run lists from a service that has. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = {"LISTING", "TRACE"})
  void measuresEveryOperation(LoadOperation operation) throws IOException {
    try (TestServer server = TestServer.start()) {
      Ran ran = run(server.address().toString(), shortly("--json", "--no-yardsticks", "--op", operation.toString()));
      assertThat(ran.exitCode()).as(ran.err()).isZero();
      JsonNode json = ran.json();
      assertThat(json.path("op").asText()).isEqualTo(operation.toString());
      assertThat(json.path("clients").asInt()).isEqualTo(2);
      assertThat(json.path("throughput").asDouble()).isPositive();
      assertThat(json.path("p50Micros").asDouble()).isPositive();
      assertThat(json.path("p99Micros").asDouble()).isPositive();
      assertThat(json.path("errors").asLong()).as(ran.out()).isZero();
      assertThat(json.path("yardsticks").isObject()).isTrue();
      assertThat(json.path("yardsticks")).isEmpty();
      assertThat(json.has("itemsPerSecond")).isEqualTo(operation.items() > 1);
      if (json.has("added")) {
        assertThat(json.path("added").path("acknowledged").asLong()).isPositive();
        assertThat(json.path("added").path("found").asLong())
            .isEqualTo(json.path("added").path("acknowledged").asLong());
        assertThat(json.path("added").path("lost").asLong()).isZero();
      }
      assertNothingLeft(server);
    }
  }
}
