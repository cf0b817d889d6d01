package io.rns.loadtest.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.loadtest.drill.MoveDrillReport;
import io.rns.loadtest.history.Promise;
import io.rns.loadtest.history.Violation;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MoveDrillCommandTest {
  @ParameterizedTest
  @CsvSource({"--rounds,0", "--first,0", "--entries,-1"})
  void refusesWrongValues(String option, String value) {
    StringWriter err = new StringWriter();
    int code =
        LoadtestProgram.commandLine(new MoveDrillCommand(Path.of("no-launcher")))
            .setOut(new PrintWriter(new StringWriter())).setErr(new PrintWriter(err)).execute(option, value);
    assertThat(code).isEqualTo(ErrorReporter.USAGE);
    assertThat(err.toString()).contains(option);
  }

  private static String text(List<Violation> violations, List<String> incomplete) {
    return MoveDrillCommand.text(
        new MoveDrillReport(
            3, Map.of("completed", 2L), Map.of("writes", 17L), violations, incomplete,
            Optional.of(Path.of("kept-logs"))));
  }

  @Test
  void tellsABrokenPromiseFromSlowness() {
    assertThat(text(List.of(), List.of())).contains("rounds", "completed", "17", "PASSED");
    assertThat(text(List.of(), List.of("server-1 does not come back"))).contains("server-1 does not", "INCOMPLETE");
    assertThat(text(List.of(new Violation(Promise.NOTHING_LOST, "the write of /a")), List.of()))
        .contains("the write of /a", "kept-logs", "FAILED");
  }
}
