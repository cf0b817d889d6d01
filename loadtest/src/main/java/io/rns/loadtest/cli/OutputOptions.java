package io.rns.loadtest.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.load.LoadReport;
import io.rns.loadtest.page.LoadPage;
import io.rns.loadtest.page.LoadTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options for the report of a load. */
final class OutputOptions {
  private static final double PERCENT = 100;

  @Spec(Spec.Target.MIXEE) private CommandSpec spec = CommandSpec.create();

  @Option(names = "--csv", paramLabel = "FILE", description = "Also write a table: one line per clients, round and operation.") private @Nullable Path csv;

  @Option(names = "--html", paramLabel = "FILE", description = "Also write a page with plots.") private @Nullable Path html;

  @Option(names = "--baseline", paramLabel = "FILE", description = "Compare with the --json report of an earlier run of the same load; exit code 1 if throughput, p50 or "
      + "p99 is worse by more than the spread of both runs' rounds.") private @Nullable Path baseline;

  @Option(names = "--tolerance", paramLabel = "PERCENT", defaultValue = "5", description = "With --baseline: loss that is always accepted (default: ${DEFAULT-VALUE}).") private double tolerance;

  private @Nullable Baseline former;

  /**
   * Checks files before the load starts.
   *
   * @throws ParameterException if a file cannot be written, or a number is out of its bounds
   * @throws RnsException if the baseline cannot be read
   */
  void check(int rounds) {
    if (!(tolerance >= 0 && tolerance <= 90)) {
      throw new ParameterException(spec.commandLine(), "--tolerance " + tolerance + " must be 0 to 90");
    }
    checkWritable("--csv", csv);
    checkWritable("--html", html);
    if (baseline != null) {
      if (rounds < 2) {
        throw new ParameterException(spec.commandLine(),
            "--baseline needs --rounds 2 or more, to know the spread: not " + rounds);
      }
      former = Baseline.read(baseline);
    }
  }

  private void checkWritable(String option, @Nullable Path file) {
    if (file != null && !Files.isDirectory(file.toAbsolutePath().normalize().getParent())) {
      throw new ParameterException(spec.commandLine(), option + " " + file + ": there is no such directory");
    }
  }

  /**
   * Prints and writes a report.
   *
   * @return whether the result is worse than the baseline
   * @throws RnsException {@link RnsError#INVALID_REQUEST} if a file cannot be written, or the baseline is of another
   *         load
   */
  boolean print(LoadReport report, boolean json, PrintWriter out) {
    ObjectNode document = LoadJson.of(report);
    String text = LoadText.of(report);
    boolean worse = false;
    RnsException incomparable = null;
    if (former != null && !report.interrupted()) {
      try {
        List<Baseline.Line> lines = former.compare(report, document, tolerance / PERCENT);
        Baseline.json(lines, document);
        text += Baseline.text(lines);
        worse = Baseline.isRegression(lines);
      } catch (RnsException e) {
        incomparable = e;
      }
    }
    out.println(json ? document.toPrettyString() : text.stripTrailing());
    out.flush();
    write("--csv", csv, LoadTable.csv(report));
    if (html != null) {
      write("--html", html, LoadPage.html(report, text));
    }
    if (incomparable != null) {
      throw incomparable;
    }
    return worse;
  }

  private static void write(String option, @Nullable Path file, String content) {
    if (file != null) {
      try {
        Files.writeString(file, content);
      } catch (IOException e) {
        throw new RnsException(RnsError.INVALID_REQUEST, option + " " + file + " cannot be written: " + e.getMessage(),
            e);
      }
    }
  }
}
