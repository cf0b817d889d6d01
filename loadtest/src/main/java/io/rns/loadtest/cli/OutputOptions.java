package io.rns.loadtest.cli;

import static io.rns.loadtest.cli.LoadtestCommand.reject;
import static io.rns.loadtest.cli.LoadtestCommand.require;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.launcher.Io;
import io.rns.loadtest.load.LoadReport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for the report of a load. */
final class OutputOptions {
  private static final double PERCENT = 100;

  @Option(names = "--csv", paramLabel = "FILE", description = "Also write a table: one line per clients, round and operation.") private @Nullable Path csv;

  @Option(names = "--html", paramLabel = "FILE", description = "Also write a page with plots.") private @Nullable Path html;

  @Option(names = "--baseline", paramLabel = "FILE", description = "Compare with the --json report of an earlier run of the same load; exit code 1 if throughput, p50 or "
      + "p99 is worse by more than the spread of both runs' rounds.") private @Nullable Path baseline;

  @Option(names = "--tolerance", paramLabel = "PERCENT", defaultValue = "5", description = "With --baseline: loss that is always accepted (default: ${DEFAULT-VALUE}).") private double tolerance;

  private @Nullable Baseline former;

  /** Whether the report is wanted in other forms, too, or compared. */
  boolean isMore() {
    return csv != null || html != null || baseline != null;
  }

  /** Checks files before the load starts. */
  void check(int rounds) {
    require("--tolerance " + tolerance, tolerance >= 0 && tolerance <= 90, "0 to 90");
    checkWritable("--csv", csv);
    checkWritable("--html", html);
    if (baseline != null) {
      reject(rounds < 2, "--baseline needs --rounds 2 or more, to know the spread: not " + rounds);
      former = Baseline.read(baseline);
    }
  }

  private static void checkWritable(String option, @Nullable Path file) {
    reject(
        file != null && !Files.isDirectory(file.toAbsolutePath().normalize().getParent()),
        option + " " + file + ": there is no such directory");
  }

  /** Prints and writes a report; returns whether it is worse than the baseline. */
  boolean print(LoadReport report, boolean json, Consumer<String> out) {
    ObjectNode document = Json.MAPPER.valueToTree(LoadJson.of(report));
    String text = LoadText.of(report);
    boolean worse = false;
    RnsException incomparable = null;
    if (former != null && !report.interrupted()) {
      try {
        List<Baseline.Line> lines = former.compare(report, document, tolerance / PERCENT);
        worse = Baseline.isRegression(lines);
        addBaseline(lines, document);
        text += Baseline.text(lines);
      } catch (RnsException e) {
        incomparable = e;
      }
    }
    out.accept(json ? Json.pretty(document) : text);
    write("--csv", csv, LoadTable.csv(report));
    if (html != null) {
      write("--html", html, LoadPage.html(report, text));
    }
    if (incomparable != null) {
      throw incomparable;
    }
    return worse;
  }

  static void addBaseline(List<Baseline.Line> lines, ObjectNode document) {
    document.set("baseline", Json.MAPPER.valueToTree(lines));
    document.put("regression", Baseline.isRegression(lines));
  }

  private static void write(String option, @Nullable Path file, String content) {
    if (file != null) {
      Io.run(RnsError.INVALID_REQUEST, option + " " + file + " cannot be written",
          () -> Files.writeString(file, content));
    }
  }
}
