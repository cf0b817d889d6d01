package io.rns.loadtest.cli;

import static io.rns.loadtest.cli.Json.rounded;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.databind.JsonNode;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.launcher.Io;
import io.rns.loadtest.load.LoadReport;
import io.rns.loadtest.measure.Comparison;
import io.rns.loadtest.measure.Measurement;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** An earlier report of {@code --json}, to compare with. */
record Baseline(Path file, JsonNode former) {
  private static final List<String> SAME =
      List.of("op", "via", "target", "rate", "spacing", "thinkMillis", "mix", "keys", "paths", "depth", "fanOut",
          "eprBytes", "consistency");

  private record Figure(String key, boolean moreIsBetter, ToDoubleFunction<Measurement> value) {}

  private static final List<Figure> FIGURES =
      List.of(
          new Figure("throughput", true, Measurement::throughput),
          new Figure("p50Micros", false, run -> run.micros(50)),
          new Figure("p99Micros", false, run -> run.micros(99)));

  /**
   * A figure for a number of clients, in text and JSON.
   *
   * @param bound a ratio of now to before that is worse than this is a regression
   */
  record Line(
      int clients, String figure, @Nullable Double now, @Nullable Double before, @Nullable Double ratio,
      @Nullable Double bound, boolean regression, @JsonIgnore boolean moreIsBetter) {
    static Line of(int clients, String figure, Comparison of) {
      return new Line(
          clients, figure, rounded(of.now(), 10), rounded(of.before(), 10), rounded(of.ratio(), 10_000),
          rounded(of.bound(), 10_000), of.isRegression(), of.moreIsBetter());
    }
  }

  static Baseline read(Path file) {
    JsonNode former = Io.get(RnsError.INVALID_REQUEST, "--baseline " + file + " cannot be read",
        () -> Json.MAPPER.readTree(file.toFile()));
    Baseline baseline = new Baseline(file, former);
    if (former.path("steps").isEmpty()) {
      throw baseline.refused(" is not a report of rns load --json");
    }
    return baseline;
  }

  private RnsException refused(String why) {
    return new RnsException(RnsError.INVALID_REQUEST, "--baseline " + file + why);
  }

  /** Compares each number of clients that both reports have. The tolerance is the accepted loss, as a part of 1. */
  List<Line> compare(LoadReport report, JsonNode now, double tolerance) {
    for (String setting : SAME) {
      if (!Objects.equals(former.get(setting), now.get(setting))) {
        throw refused(
            " is of another load: " + setting + " " + former.get(setting) + " instead of " + now.get(setting));
      }
    }
    List<Line> lines = new ArrayList<>();
    for (LoadReport.Step step : report.steps()) {
      for (JsonNode other : former.path("steps")) {
        if (other.path("clients").asInt() == step.clients()) {
          FIGURES.forEach(figure -> compare(figure, step, other, tolerance, lines));
        }
      }
    }
    if (lines.isEmpty()) {
      throw refused(" has no run with the same number of clients");
    }
    return lines;
  }

  private void compare(Figure figure, LoadReport.Step step, JsonNode other, double tolerance, List<Line> lines) {
    List<Double> before = new ArrayList<>();
    other.path("rounds").forEach(round -> before.add(round.path(figure.key).asDouble()));
    List<Double> now = step.series().runs().stream().map(figure.value::applyAsDouble).toList();
    if (!figure.moreIsBetter && (before.contains(0.0) || now.contains(0.0))) {
      return; // below the resolution of a report
    }
    try {
      Comparison comparison = Comparison.of(before, now, tolerance, figure.moreIsBetter);
      lines.add(Line.of(step.clients(), figure.key, comparison));
    } catch (IllegalArgumentException e) {
      throw refused(", " + figure.key + " of " + step.clients() + " clients: " + e.getMessage());
    }
  }

  static boolean isRegression(List<Line> lines) {
    return lines.stream().anyMatch(Line::regression);
  }

  static String text(List<Line> lines) {
    TextTable table = new TextTable().row("compared with the baseline:", "now", "before", "ratio", "bound", "");
    for (Line line : lines) {
      table.row(
          "  " + line.clients + " clients, " + line.figure, number("%,.1f", line.now), number("%,.1f", line.before),
          number("%.3f", line.ratio), number((line.moreIsBetter ? "lower" : "upper") + " %.3f", line.bound),
          line.regression ? "WORSE" : "ok");
    }
    return table.toString();
  }

  private static String number(String format, @Nullable Double number) {
    return number == null ? "-" : String.format(Locale.ROOT, format, number);
  }
}
