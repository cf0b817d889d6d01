package io.rns.loadtest.chapter;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rns.loadtest.measure.Series;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** What the commands of a chapter have printed, when, where, and what they were. Grows while the chapter runs. */
public final class Results {
  static final JsonMapper MAPPER = new JsonMapper();
  private static final String RUNS = "runs";
  private static final String REASON = "incomplete";
  private static final String TRIED = "tried";

  private final ObjectNode document;

  private Results(ObjectNode document) {
    this.document = document;
  }

  /** None yet. */
  static Results begun(String chapter, Length length, Instant now) {
    ObjectNode document = MAPPER.createObjectNode();
    document.put("chapter", chapter);
    document.put("version", Machine.version());
    document.put("date", now.truncatedTo(ChronoUnit.MINUTES).toString());
    document.put("quick", length == Length.QUICK);
    document.set("machine", Machine.told());
    document.putArray(RUNS);
    return new Results(document);
  }

  /** Those of a chapter that was never run. */
  static Results none(String chapter) {
    ObjectNode document = MAPPER.createObjectNode();
    document.put("chapter", chapter);
    document.putArray(RUNS);
    return new Results(document);
  }

  static Results of(JsonNode kept) {
    return new Results((ObjectNode) kept);
  }

  ObjectNode document() {
    return document;
  }

  String chapter() {
    return document.path("chapter").asText();
  }

  /** Adds what a command has printed. What a service tells of itself is left out: it has passwords. */
  void add(Step step, double seconds, JsonNode printed) {
    ObjectNode run = document.withArray("/" + RUNS).addObject();
    run.put("label", step.label());
    run.put("command", step.line());
    run.put("seconds", Math.round(seconds));
    if (!step.startsService()) {
      run.set("result", printed);
    }
  }

  /** Says why there are no more. */
  void incomplete(String reason) {
    document.put(REASON, reason);
  }

  /** These, or, if they are incomplete and the former ones were not, the former ones with the reason. */
  Results orFormer(Results former) {
    if (!document.has(REASON) || former.isEmpty() || (former.document.has(REASON) && !former.document.has(TRIED))) {
      return this;
    }
    ObjectNode both = former.document.deepCopy();
    both.put(REASON, document.path(REASON).asText());
    both.put(TRIED, document.path("date").asText());
    return new Results(both);
  }

  /** Whether the chapter was run to its end. */
  public boolean isComplete() {
    return !document.has(REASON);
  }

  boolean isEmpty() {
    return document.path(RUNS).isEmpty();
  }

  boolean isQuick() {
    return document.path("quick").asBoolean();
  }

  /** A text about all of it, such as the date; empty if it is not known. */
  String about(String pointer) {
    return document.at(pointer).asText();
  }

  /** The command lines, each once. */
  List<String> commands() {
    List<String> lines = new ArrayList<>();
    document.path(RUNS).forEach(run -> lines.add(run.path("command").asText()));
    return lines.stream().distinct().toList();
  }

  double seconds() {
    double sum = 0;
    for (JsonNode run : document.path(RUNS)) {
      sum += run.path("seconds").asDouble();
    }
    return sum;
  }

  /** What the commands with a label have printed, in order. */
  List<JsonNode> all(String label) {
    List<JsonNode> found = new ArrayList<>();
    for (JsonNode run : document.path(RUNS)) {
      if (run.path("label").asText().equals(label)) {
        found.add(run.path("result"));
      }
    }
    return found;
  }

  /** What the command with a label has printed; nothing if it was not run. */
  JsonNode of(String label) {
    return all(label).stream().findFirst().orElse(MAPPER.missingNode());
  }

  /** A number; of several runs with that label the median. Not a number if there is none. */
  double number(String label, String pointer) {
    double[] numbers =
        all(label).stream().mapToDouble(node -> number(node.at(pointer))).filter(Double::isFinite).toArray();
    return Series.median(numbers);
  }

  /** How many times one number is the other, of the runs that took turns: the median. Not a number if there is none. */
  double ratio(String label, String other, String pointer) {
    List<JsonNode> ours = all(label);
    List<JsonNode> theirs = all(other);
    double[] ratios = new double[Math.min(ours.size(), theirs.size())];
    Arrays.setAll(ratios, i -> number(ours.get(i).at(pointer)) / number(theirs.get(i).at(pointer)));
    return Series.median(ratios);
  }

  /** A row of a benchmark's document. */
  JsonNode row(String label, String what) {
    for (JsonNode row : of(label).path("rows")) {
      if (row.path("what").asText().startsWith(what)) {
        return row;
      }
    }
    return MAPPER.missingNode();
  }

  /** What a benchmark says beside its figures, as a list: of these things, or of all if none is named. */
  String notes(String label, String... about) {
    List<String> notes = new ArrayList<>();
    for (Map.Entry<String, JsonNode> note : of(label).path("notes").properties()) {
      if (about.length == 0 || List.of(about).contains(note.getKey())) {
        notes.add("- `" + note.getKey() + "`: " + note.getValue().asText());
      }
    }
    return String.join("\n", notes);
  }

  static double number(JsonNode node) {
    return node.isNumber() ? node.asDouble() : Double.NaN;
  }

  /** How many requests failed, of all commands. */
  long errors() {
    long errors = 0;
    for (JsonNode run : document.path(RUNS)) {
      errors += run.at("/result/errors").asLong();
    }
    return errors;
  }

  /** The names and values of the first object of that name, as text; empty if there is none. */
  String find(String name) {
    List<String> parts = new ArrayList<>();
    for (JsonNode found : document.path(RUNS).findValues(name)) {
      if (parts.isEmpty()) {
        found.properties().forEach(field -> parts.add(field.getKey() + " " + field.getValue().asText()));
      }
    }
    return String.join(", ", parts);
  }

  void summarise(ObjectNode node) {
    node.put("seconds", seconds());
    node.put("errors", errors());
    if (document.has(REASON)) {
      node.put(REASON, document.path(REASON).asText());
    }
  }

  /** As text: a line for each run. */
  String text() {
    StringBuilder text = new StringBuilder("{\n");
    for (Map.Entry<String, JsonNode> field : document.properties()) {
      text.append(text.length() > 2 ? ",\n" : "").append("\"").append(field.getKey()).append("\": ");
      if (field.getValue() instanceof ArrayNode runs) {
        List<String> lines = new ArrayList<>();
        runs.forEach(run -> lines.add(Tidy.of(run).toString()));
        text.append("[\n").append(String.join(",\n", lines)).append("\n]");
      } else {
        text.append(field.getValue());
      }
    }
    return text.append("\n}\n").toString();
  }
}
