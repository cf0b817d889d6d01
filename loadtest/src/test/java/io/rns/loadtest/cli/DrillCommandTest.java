package io.rns.loadtest.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.rns.loadtest.drill.DrillReport;
import io.rns.loadtest.drill.DrillReport.Struck;
import io.rns.loadtest.drill.DrillReport.WarmUp;
import io.rns.loadtest.drill.DrillSettings;
import io.rns.loadtest.drill.DrillFault;
import io.rns.loadtest.history.Promise;
import io.rns.loadtest.history.Violation;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class DrillCommandTest {
  @TempDir private Path temporary;

  private record Ran(int exitCode, String err) {}

  private static Ran run(Path launcher, String... arguments) {
    StringWriter err = new StringWriter();
    CommandLine command =
        LoadtestProgram.commandLine(new DrillCommand(launcher)).setOut(new PrintWriter(new StringWriter()))
            .setErr(new PrintWriter(err));
    return new Ran(command.execute(arguments), err.toString());
  }

  private static DrillReport report(List<Violation> violations) {
    return report(violations, List.of());
  }

  private static DrillReport report(List<Violation> violations, List<String> incomplete) {
    DrillSettings settings =
        new DrillSettings(
            Path.of("rns"),
            2,
            "mariadb",
            "source-replica",
            500,
            2,
            List.of(DrillFault.KILL_SERVER),
            Duration.ofSeconds(1),
            Duration.ofSeconds(1),
            Duration.ofSeconds(60),
            1,
            Optional.empty());
    return new DrillReport(
        settings,
        Optional.of(new WarmUp(60, 1_234.5, 400, false)),
        List.of(
            new Struck(DrillFault.KILL_SERVER, 1, "server-1", 1_000, 20, 10, 9_000),
            new Struck(DrillFault.KILL_SERVER, 2, "server-2", 3_000, 40, 12, 8_000)),
        Map.of("session reads", 7L),
        Map.of("p50", 1.0),
        violations,
        incomplete,
        Optional.empty(),
        violations.isEmpty() ? Optional.empty() : Optional.of(Path.of("kept-logs")));
  }

  @ParameterizedTest
  @CsvSource({"--rate,0", "--rounds,0", "--replicas,1", "--pause,0", "--calm,0", "--warm-up,-1", "--fault,flood"})
  void refusesWrongValues(String option, String value) {
    Ran ran = run(Path.of("no-launcher"), option, value);
    assertThat(ran.exitCode()).isEqualTo(ErrorReporter.USAGE);
    assertThat(ran.err()).contains(option);
  }

  @ParameterizedTest
  @ValueSource(strings = {"cut-off", "cut-off-server", "cut-off-database", "unreachable-target"})
  void databasesThatChooseByThemselvesCannotBeCutOff(String fault) {
    Ran ran = run(Path.of("no-launcher"), "--topology", "group", "--fault", fault);
    assertThat(ran.exitCode()).isEqualTo(ErrorReporter.USAGE);
    assertThat(ran.err()).contains("--fault " + fault + " is not for --topology group");
  }

  @Test
  void saysWhyTheGroupDoesNotStart() throws IOException {
    Path launcher = temporary.resolve("rns");
    Files.writeString(launcher, "#!/bin/sh\n[ \"$1\" = up ] || exit 0\necho no space left\nexit 1\n");
    assertThat(launcher.toFile().setExecutable(true)).isTrue();
    Ran ran = run(launcher);
    assertThat(ran.exitCode()).isEqualTo(ErrorReporter.NO_SERVER);
    assertThat(ran.err()).contains("'rns up' ended with 1: no space left");
  }

  @Test
  void tellsMedianAndMostOfEachFault() {
    assertThat(DrillOutput.text(report(List.of()))).contains("2,000 / 3,000", "30 / 40", "11 / 12", "8,500 / 9,000",
        "PASSED");
    JsonNode json = Json.MAPPER.valueToTree(DrillOutput.of(report(List.of())));
    assertThat(json.at("/passed").asBoolean()).isTrue();
    assertThat(json.at("/faults/kill-server/writeOutageMillis/median").asInt()).isEqualTo(2_000);
    assertThat(json.at("/faults/kill-server/writeOutageMillis/max").asInt()).isEqualTo(3_000);
    assertThat(json.at("/checked/sessionReads").asInt()).isEqualTo(7);
  }

  @Test
  void saysThatTheGroupWasNotWarmBeforeTheFirstFault() {
    DrillReport report = report(List.of());
    assertThat(DrillOutput.text(report))
        .contains("still not warm after 60 s: no write for 1235 ms, no session read for 400 ms");
    assertThat(Json.MAPPER.valueToTree(DrillOutput.of(report)).at("/warmUp/warm").isBoolean()).isTrue();
  }

  @Test
  void tellsSlownessFromABrokenPromise() {
    DrillReport report = report(List.of(), List.of("the servers do not all serve again within 240 s"));
    assertThat(report.isPassed()).isFalse();
    assertThat(DrillOutput.text(report)).contains("INCOMPLETE: no promise was broken").doesNotContain("FAILED");
    assertThat(Json.MAPPER.valueToTree(DrillOutput.of(report)).at("/verdict").asText()).isEqualTo("incomplete");
  }

  @Test
  void failsOnAViolation() {
    DrillReport report = report(List.of(new Violation(Promise.NOTHING_LOST, "the write of /a")));
    assertThat(report.isPassed()).isFalse();
    assertThat(DrillOutput.text(report)).contains("FAILED", "acknowledged but missing: the write of /a",
        "logs: kept-logs");
    JsonNode json = Json.MAPPER.valueToTree(DrillOutput.of(report));
    assertThat(json.at("/violations/nothingLost").asInt()).isEqualTo(1);
    assertThat(json.at("/violations/onePrimary").asInt()).isZero();
    assertThat(json.at("/logs").asText()).isEqualTo("kept-logs");
  }
}
