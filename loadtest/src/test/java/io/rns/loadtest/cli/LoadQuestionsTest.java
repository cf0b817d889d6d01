package io.rns.loadtest.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code rns load --trace} with questions for DNS. */
@Timeout(120)
class LoadQuestionsTest extends LoadCommandRuns {
  private static final String NOWHERE = "http://127.0.0.1:1/rns";

  @TempDir private Path directory;

  private String trace;

  @BeforeEach
  void write() throws IOException {
    Path file = directory.resolve("dns.log");
    Files.writeString(
        file, "# milliseconds, client, type, name\n1790000000000.000\t1\tA\ta.\n1790000000050.000\t2\tSRV\tb.\n");
    trace = file.toString();
  }

  @Test
  void replaysALogAndReports() throws IOException {
    Ran ran = run(NOWHERE, "--trace", trace, "--dns", "none", "--factor", "3", "--json");
    assertThat(ran.exitCode()).as(ran.err()).isZero();
    JsonNode json = ran.json();
    assertThat(json.path("op").asText()).isEqualTo("trace");
    assertThat(json.path("clients").asInt()).isEqualTo(2);
    assertThat(json.path("factor").asInt()).isEqualTo(3);
    assertThat(json.path("seconds").asDouble()).isEqualTo(0.05);
    assertThat(json.path("requests").asInt()).isEqualTo(6);
    assertThat(json.path("answers").path("NOERROR").asInt()).isEqualTo(6);
    for (String none : List.of("lost", "wrong", "errors")) {
      assertThat(json.path(none).asInt(-1)).as(none).isZero();
    }
    assertThat(json.path("p99Micros").asDouble()).isPositive();
    assertThat(json.path("late").path("maxMicros").isNumber()).isTrue();
    Ran text = run(NOWHERE, "--trace", trace, "--dns", "none");
    assertThat(text.err()).contains("2 questions in 0.1 s");
    assertThat(text.out()).contains("first response", "2 answered: 2 NOERROR; 0 lost, 0 wrong");
  }

  @Test
  void wrongUsageIsTold() throws IOException {
    String operations = Files.writeString(directory.resolve("trace.tsv"), "0\ta\tquery\t/e\n").toString();
    assertThat(run(NOWHERE, "--trace", trace).err()).contains("DNS log", "--dns");
    for (List<String> wrong : List.of(
        List.of("--dns", "none"),
        List.of("--trace", operations, "--dns", "none"),
        List.of("--trace", trace, "--dns", "127.0.0.1"),
        List.of("--trace", trace, "--dns", "127.0.0.1:65536"),
        List.of("--trace", trace, "--dns", "none", "--factor", "0"),
        List.of("--trace", trace, "--dns", "none", "--factor", "100001"),
        List.of("--trace", trace, "--dns", "none", "--csv", directory.resolve("x").toString()),
        List.of("--trace", trace))) {
      Ran ran = run(NOWHERE, wrong.toArray(String[]::new));
      assertThat(ran.exitCode()).as("%s: %s", wrong, ran.err()).isEqualTo(2);
      assertThat(ran.out()).isEmpty();
    }
  }
}
