package io.rns.loadtest.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rns.api.Consistency;
import io.rns.client.CredentialSource;
import io.rns.client.http.TlsTrust;
import io.rns.loadtest.load.LoadOperation;
import io.rns.loadtest.load.LoadReport;
import io.rns.loadtest.load.LoadSettings;
import io.rns.loadtest.load.Work;
import io.rns.loadtest.measure.RequestArrivals;
import io.rns.loadtest.measure.Failures;
import io.rns.loadtest.measure.Measurement;
import io.rns.loadtest.measure.Series;
import io.rns.loadtest.measure.Workload;
import io.rns.loadtest.service.LoadTransport;
import io.rns.loadtest.work.Keys;
import io.rns.loadtest.work.Mix;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Reports of loads that go nowhere. */
@Timeout(120)
class LoadOutputTest {
  private static final JsonMapper MAPPER = new JsonMapper();

  @TempDir private Path directory;

  private record Ran(int exitCode, String out, String err) {}

  private static Ran run(Object... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--target", "none", "--op", "mixed", "--clients", "1,2", "--seconds", "0.2", "--warm-up", "0",
                "--rounds", "2", "--paths", "100"));
    for (Object one : more) {
      arguments.add(one.toString());
    }
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine command =
        LoadtestProgram.commandLine(new LoadCommand()).setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    command.setOverwrittenOptionsAllowed(true);
    return new Ran(command.execute(arguments.toArray(String[]::new)), out.toString(), err.toString());
  }

  @Test
  void writesATableAndAPage() throws IOException {
    Path csv = directory.resolve("load.csv");
    Path html = directory.resolve("load.html");
    Ran ran = run("--csv", csv, "--html", html);
    assertThat(ran.exitCode()).as(ran.err()).isZero();
    List<String> lines = Files.readAllLines(csv);
    assertThat(lines.get(0)).startsWith("clients,round,operation,requests,");
    assertThat(lines.subList(1, lines.size())).extracting(line -> line.replaceAll("(mixed).*", "$1"))
        .containsExactly("1,1,mixed", "1,2,mixed", "2,1,mixed", "2,2,mixed");
    int columns = lines.get(0).split(",").length;
    assertThat(lines).allSatisfy(line -> assertThat(line.split(",", -1)).hasSize(columns));
    String page = Files.readString(html);
    assertThat(page).contains("<img alt=\"latencies for each number of clients\" src=\"data:image/png;base64,")
        .endsWith("</html>\n");
    assertThat(page).doesNotContain("src=\"http").contains(ran.out().lines().skip(1).findFirst().orElseThrow().strip());
  }

  @Test
  void theTableTellsOperationsOfAMix() throws IOException {
    Path csv = directory.resolve("load.csv");
    Ran ran = run("--csv", csv, "--op", "mix", "--mix", "query=50,list=50", "--clients", "1", "--seconds", "2");
    assertThat(ran.exitCode()).as(ran.err()).isZero();
    assertThat(Files.readAllLines(csv)).extracting(line -> line.split(",", -1)[2])
        .containsExactly("operation", "mix", "mix:list", "mix:query", "mix", "mix:list", "mix:query");
  }

  /** A report of some rounds with so many requests of so many microseconds in a second. */
  private static LoadReport report(LoadOperation operation, long micros, long... requestsPerSecond) {
    List<Measurement> runs = new ArrayList<>();
    for (long requests : requestsPerSecond) {
      Histogram latencies = Measurement.newHistogram();
      latencies.recordValueWithCount(micros * 1_000, requests);
      runs.add(new Measurement(latencies, new Failures(), Duration.ofSeconds(1), 0, Map.of()));
    }
    Work work = new Work(Mix.parse("hdfs"), 100, 4, 100, Keys.UNIFORM, 0, Consistency.SESSION);
    Duration second = Duration.ofSeconds(1);
    LoadSettings settings =
        new LoadSettings(
            operation, LoadTransport.RAW, "http://127.0.0.1:1/rns", TlsTrust.SYSTEM, CredentialSource.NONE,
            LoadSettings.Server.RNS,
            List.of(4),
            RequestArrivals.AT_ONCE,
            runs.size(), second, second,
            work, false, Optional.empty(), Map.of(), second);
    Series series = new Series(new Workload("query", 1, List::of, second), runs);
    return new LoadReport(settings, List.of(new LoadReport.Step(4, series)), List.of(), Map.of(), Map.of(), null,
        false);
  }

  private Path saved(LoadReport report) throws IOException {
    Path file = directory.resolve("before.json");
    Files.writeString(file, Json.line(LoadJson.of(report)));
    return file;
  }

  private List<Baseline.Line> compared(LoadReport before, LoadReport now) throws IOException {
    return Baseline.read(saved(before)).compare(now, Json.MAPPER.valueToTree(LoadJson.of(now)), 0.05);
  }

  @Test
  void comparesWithAFormerReport() throws IOException {
    LoadReport before = report(LoadOperation.QUERY, 100, 1_000, 1_010, 990);
    assertThat(Baseline.isRegression(compared(before, report(LoadOperation.QUERY, 100, 1_005, 995, 1_000)))).isFalse();
    List<Baseline.Line> slower = compared(before, report(LoadOperation.QUERY, 100, 800, 810, 790));
    assertThat(slower).filteredOn(Baseline.Line::regression).extracting(Baseline.Line::figure)
        .containsExactly("throughput");
    assertThat(Baseline.text(slower)).containsPattern("throughput +800\\.0 +1,000\\.0 +0\\.800 +lower .*WORSE");
    List<Baseline.Line> longer = compared(before, report(LoadOperation.QUERY, 120, 1_000, 1_010, 990));
    assertThat(longer).filteredOn(Baseline.Line::regression).extracting(Baseline.Line::figure)
        .containsExactly("p50Micros", "p99Micros");
    ObjectNode document = Json.MAPPER.valueToTree(LoadJson.of(before));
    OutputOptions.addBaseline(longer, document);
    assertThat(document.path("regression").asBoolean()).isTrue();
    assertThat(document.path("baseline").path(1).path("ratio").asDouble()).isEqualTo(1.2, within(0.01));
  }

  @Test
  void comparesOnlyWhatCanBeCompared() throws IOException {
    LoadReport before = report(LoadOperation.QUERY, 100, 1_000, 1_010);
    assertThatThrownBy(() -> compared(before, report(LoadOperation.LOOKUP, 100, 1_000, 1_010)))
        .hasMessageContaining("op \"query\" instead of \"lookup\"");
    assertThatThrownBy(() -> compared(before, report(LoadOperation.QUERY, 100, 1_000)))
        .hasMessageContaining("1 runs are too few");
    assertThat(compared(before, report(LoadOperation.QUERY, 0, 1_000, 1_010))).extracting(Baseline.Line::figure)
        .containsExactly("throughput");
  }

  @Test
  void failsWhenItIsWorseThanTheBaseline() throws IOException {
    // In half a second a busy machine may not get to one request, and nothing is compared with 0.
    Object[] slowly = {"--think", "1", "--clients", "1", "--seconds", "3", "--json"};
    JsonNode before = MAPPER.readTree(run(slowly).out());
    for (JsonNode round : before.path("steps").path(0).path("rounds")) {
      ((ObjectNode) round).put("throughput", 1e30);
    }
    Path file = directory.resolve("before.json");
    Files.writeString(file, before.toString());
    List<Object> again = new ArrayList<>(List.of(slowly));
    again.addAll(List.of("--baseline", file));
    Ran worse = run(again.toArray());
    assertThat(worse.exitCode()).as(worse.out() + worse.err()).isEqualTo(1);
    assertThat(MAPPER.readTree(worse.out()).path("regression").asBoolean()).isTrue();
  }

  @Test
  void refusesABaselineOfAnotherLoadAndPrintsTheReportAllTheSame() throws IOException {
    Ran ran = run("--baseline", saved(report(LoadOperation.LOOKUP, 100, 1_000, 1_010)), "--op", "query");
    assertThat(ran.exitCode()).isEqualTo(2);
    assertThat(ran.err()).contains("op \"lookup\" instead of \"query\"");
    assertThat(ran.out()).contains("query by raw");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
      "--csv no/such/directory/x.csv | --csv no/such/directory/x.csv",
      "--html no/such/directory/x.html | --html no/such/directory/x.html",
      "--baseline no-such-file.json | --baseline no-such-file.json",
      "--baseline pom.xml | --baseline pom.xml",
      "--tolerance 91 | --tolerance 91.0 must be 0 to 90",
      "--baseline pom.xml --rounds 1 | --rounds 2 or more",
      "--clients 0 | '0' must be 1 to 10000",
      "--clients 1..10001 | '10001' must be 1 to 10000",
      "--clients 3..1 | '3..1' must rise",
      "--clients 1..65 | at most 64",
      "--clients 1,,2 | '' is neither a number",
      "--rate -1 | --rate -1.0 must be 0 to 1000000",
      "--think 1e9 | --think 1.0E9 must be 0 to 3600000",
      "--rate 5 --think 1 | exclude each other",
      "--keys some | --keys: 'some' is none of",
      "--depth 65 | --depth 65 must be 3 to 64",
      "--fan-out 0 | --fan-out 0 must be 1 to 1000000",
      "--epr-bytes 60001 | --epr-bytes 60001 must be 0 to 60000",
      "--op mix --consistency some | --consistency: consistency 'some' is none of",
      "--op mix --mix query=1 | --mix: the parts of a mix add up to 1 instead of 100"
  })
  void namesOptionLimitAndValue(String arguments, String complaint) {
    Ran ran = run((Object[]) arguments.split(" "));
    assertThat(ran.exitCode()).isEqualTo(2);
    assertThat(ran.err()).contains(complaint);
    assertThat(ran.out()).isEmpty();
  }
}
