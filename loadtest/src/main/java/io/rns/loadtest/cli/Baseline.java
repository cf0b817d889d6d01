package io.rns.loadtest.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.load.LoadReport;
import io.rns.loadtest.measure.Comparison;
import io.rns.loadtest.measure.Measurement;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** An earlier report of {@code --json}, to compare with. */
final class Baseline {
  private static final List<String> SAME =
      List.of(
          "op",
          "via",
          "target",
          "rate",
          "spacing",
          "thinkMillis",
          "mix",
          "keys",
          "paths",
          "depth",
          "fanOut",
          "eprBytes",
          "consistency");
  private static final JsonMapper MAPPER = new JsonMapper();

  private final Path file;
  private final JsonNode former;

  private Baseline(Path file, JsonNode former) {
    this.file = file;
    this.former = former;
  }

  /** The compared figures. */
  private enum Figure {
    THROUGHPUT("throughput", true), P50("p50Micros", false), P99("p99Micros", false);

    private final String key;
    private final boolean moreIsBetter;

    Figure(String key, boolean moreIsBetter) {
      this.key = key;
      this.moreIsBetter = moreIsBetter;
    }

    double of(Measurement run) {
      return switch (this) {
        case THROUGHPUT -> run.throughput();
        case P50 -> run.micros(50);
        case P99 -> run.micros(99);
      };
    }
  }

  /**
   * A figure for a number of clients.
   *
   * @param clients the number of clients
   * @param figure its name in JSON
   * @param comparison with the baseline
   */
  record Line(int clients, String figure, Comparison comparison) {}

  /**
   * Reads a file.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST} if it is not a report of a load
   */
  static Baseline read(Path file) {
    try {
      JsonNode former = MAPPER.readTree(file.toFile());
      if (former.path("steps").isEmpty()) {
        throw new RnsException(RnsError.INVALID_REQUEST, "--baseline " + file + " is not a report of rns load --json");
      }
      return new Baseline(file, former);
    } catch (IOException e) {
      throw new RnsException(RnsError.INVALID_REQUEST, "--baseline " + file + " cannot be read: " + e.getMessage(), e);
    }
  }

  /**
   * Compares each number of clients that both reports have.
   *
   * @param now the report as JSON, without the comparison
   * @param tolerance the accepted loss, as a part of 1
   * @throws RnsException {@link RnsError#INVALID_REQUEST} if the loads differ, or there are too few rounds
   */
  List<Line> compare(LoadReport report, ObjectNode now, double tolerance) {
    for (String setting : SAME) {
      if (!Objects.equals(former.get(setting), now.get(setting))) {
        throw new RnsException(
            RnsError.INVALID_REQUEST,
            "--baseline " + file + " is of another load: "
                + setting + " " + former.get(setting) + " instead of " + now.get(setting));
      }
    }
    List<Line> lines = new ArrayList<>();
    for (LoadReport.Step step : report.steps()) {
      for (JsonNode other : former.path("steps")) {
        if (other.path("clients").asInt() == step.clients()) {
          compare(step, other, tolerance, lines);
        }
      }
    }
    if (lines.isEmpty()) {
      throw new RnsException(RnsError.INVALID_REQUEST,
          "--baseline " + file + " has no run with the same number of clients");
    }
    return lines;
  }

  private void compare(LoadReport.Step step, JsonNode other, double tolerance, List<Line> lines) {
    for (Figure figure : Figure.values()) {
      List<Double> before = new ArrayList<>();
      other.path("rounds").forEach(round -> before.add(round.path(figure.key).asDouble()));
      List<Double> now = step.series().runs().stream().map(figure::of).toList();
      if (!figure.moreIsBetter && (before.contains(0.0) || now.contains(0.0))) {
        continue; // below the resolution of a report
      }
      try {
        lines.add(new Line(step.clients(), figure.key, Comparison.of(before, now, tolerance, figure.moreIsBetter)));
      } catch (IllegalArgumentException e) {
        throw new RnsException(
            RnsError.INVALID_REQUEST,
            "--baseline " + file + ", " + figure.key + " of " + step.clients() + " clients: " + e.getMessage(),
            e);
      }
    }
  }

  /** Whether any figure got worse. */
  static boolean isRegression(List<Line> lines) {
    return lines.stream().anyMatch(line -> line.comparison().isRegression());
  }

  /** The comparison for people. */
  static String text(List<Line> lines) {
    StringBuilder text = new StringBuilder("compared with the baseline:\n");
    for (Line line : lines) {
      Comparison comparison = line.comparison();
      text.append(
          String.format(
              Locale.ROOT,
              "  %5d clients  %-10s %,12.1f  before %,12.1f  ratio %.3f  %s bound %.3f  %s%n",
              line.clients(),
              line.figure(),
              comparison.now(),
              comparison.before(),
              comparison.ratio(),
              comparison.moreIsBetter() ? "lower" : "upper",
              comparison.bound(),
              comparison.isRegression() ? "WORSE" : "ok"));
    }
    return text.toString();
  }

  /** The comparison for scripts. */
  static void json(List<Line> lines, ObjectNode document) {
    ArrayNode compared = document.putArray("baseline");
    for (Line line : lines) {
      ObjectNode node = compared.addObject();
      node.put("clients", line.clients());
      node.put("figure", line.figure());
      LoadJson.put(node, "now", line.comparison().now(), 10);
      LoadJson.put(node, "before", line.comparison().before(), 10);
      LoadJson.put(node, "ratio", line.comparison().ratio(), 10_000);
      LoadJson.put(node, "bound", line.comparison().bound(), 10_000);
      node.put("regression", line.comparison().isRegression());
    }
    document.put("regression", isRegression(lines));
  }
}
