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

/** Operations through the client library and beside their yardsticks. */
@Timeout(120)
@Tag("server")
@Tag("slow")
class ComparedOperationsTest extends LoadCommandRuns {
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = {"LISTING", "SESSION", "MIX", "TRACE"})
  void measuresEveryOperationThroughTheClientLibrary(LoadOperation operation) throws IOException {
    try (TestServer server = TestServer.start()) {
      Ran ran =
          run(server.address().toString(),
              shortly("--json", "--no-yardsticks", "--via", "client", "--op", operation.toString()));
      assertThat(ran.exitCode()).as(ran.err()).isZero();
      assertThat(ran.json().path("via").asText()).isEqualTo("client");
      assertThat(ran.json().path("errors").asLong()).as(ran.out()).isZero();
      assertThat(ran.json().path("yardsticks").path("raw").path("ratio").asDouble()).isPositive();
      assertNothingLeft(server);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"LOOKUP", "LIST", "SESSION", "MIX"})
  void comparesOperationsWithoutAnEqualWithQueries(LoadOperation operation) throws IOException {
    try (TestServer server = TestServer.start()) {
      JsonNode json = run(server.address().toString(), shortly("--json", "--op", operation.toString())).json();
      assertThat(json.path("yardsticks").path("query").path("ratio").asDouble()).isPositive();
      assertNothingLeft(server);
    }
  }
}
