package io.rns.loadtest.chapter;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rns.client.RnsClient;
import io.rns.loadtest.launcher.LoadtestEnvironment;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The commands of a chapter, what they have printed, when and where. Grows while the chapter runs. */
public final class Results {
  static final JsonMapper MAPPER = new JsonMapper();
  private static final String RUNS = "runs";
  private static final String REASON = "incomplete";
  private static final String TRIED = "tried";
  private static final MathContext DIGITS = new MathContext(5);
  private static final double KIB_PER_GIB = 1 << 20;
  /** Lists that no chapter shows. */
  private static final Set<String> LEFT_OUT =
      Set.of("perSecond", "utilisation", "resolutionsPerRequest", "rejectedShare", "failedShare");

  private final ObjectNode document;

  private Results(ObjectNode document) {
    this.document = document;
  }

  static Results start(String chapter, Length length, Instant now) {
    String version = RnsClient.class.getPackage().getImplementationVersion();
    Results results = none(chapter);
    results.document.put("version", version == null ? "(not packaged)" : version);
    results.document.put("date", now.truncatedTo(ChronoUnit.MINUTES).toString());
    results.document.put("quick", length == Length.QUICK);
    results.document.set("machine", machine());
    results.document.set(RUNS, results.document.remove(RUNS));
    return results;
  }

  /** Empty results of a chapter that was never run. */
  public static Results none(String chapter) {
    ObjectNode document = MAPPER.createObjectNode();
    document.put("chapter", chapter);
    document.putArray(RUNS);
    return new Results(document);
  }

  static Results read(Path file) throws IOException {
    return new Results((ObjectNode) MAPPER.readTree(file.toFile()));
  }

  private static ObjectNode machine() {
    ObjectNode machine = MAPPER.createObjectNode();
    machine.put("cores", Runtime.getRuntime().availableProcessors());
    machine.put("processor", systemFact(Path.of("/proc/cpuinfo"), "model name"));
    String memory = systemFact(Path.of("/proc/meminfo"), "MemTotal").replaceAll("[^0-9]", "");
    if (!memory.isEmpty()) {
      machine.put("memoryGiB", Math.round(Double.parseDouble(memory) / KIB_PER_GIB));
    }
    machine.put("system", LoadtestEnvironment.system());
    machine.put("java", LoadtestEnvironment.virtualMachine());
    return machine;
  }

  /** The value after a name in a file of the system; empty where it cannot be read. */
  private static String systemFact(Path file, String name) {
    try (Stream<String> lines = Files.lines(file)) {
      return lines.filter(line -> line.startsWith(name)).findFirst()
          .map(line -> line.substring(line.indexOf(':') + 1).strip()).orElse("");
    } catch (IOException | UncheckedIOException e) {
      return "";
    }
  }

  String chapter() {
    return document.path("chapter").asText();
  }

  /** Adds what a command has printed. What a service prints is left out: it has passwords. */
  void add(Step step, double seconds, JsonNode printed) {
    ObjectNode run = document.withArray("/" + RUNS).addObject();
    run.put("label", step.label());
    run.put("command", step.line());
    run.put("seconds", Math.round(seconds));
    if (!step.startsService()) {
      run.set("result", printed);
    }
  }

  /** Moves what a command has printed from results of an interrupted run to these, if it has run there. */
  boolean takeOver(Step step, Results begun) {
    Iterator<JsonNode> runs = begun.document.withArray("/" + RUNS).iterator();
    while (runs.hasNext()) {
      JsonNode run = runs.next();
      if (run.path("command").asText().equals(step.line())) {
        runs.remove();
        document.withArray("/" + RUNS).add(run);
        return true;
      }
    }
    return false;
  }

  void incomplete(String reason) {
    document.put(REASON, reason);
  }

  /** These, or, if they are incomplete and the former ones were not, the former ones with the reason. */
  Results orFormer(Results former) {
    if (!document.has(REASON) || former.document.path(RUNS).isEmpty()
        || (former.document.has(REASON) && !former.document.has(TRIED))) {
      return this;
    }
    ObjectNode both = former.document.deepCopy();
    both.set(REASON, document.get(REASON));
    both.set(TRIED, document.get("date"));
    return new Results(both);
  }

  public boolean isComplete() {
    return !document.has(REASON);
  }

  /** What is known of all of it, such as the date, by the names of the file. */
  Map<String, Object> facts() {
    return MAPPER.convertValue(document.deepCopy().without(RUNS), new TypeReference<>() {
    });
  }

  private Stream<JsonNode> runs() {
    return StreamSupport.stream(document.path(RUNS).spliterator(), false);
  }

  List<String> commands() {
    return runs().map(run -> run.path("command").asText()).distinct().toList();
  }

  double seconds() {
    return runs().mapToDouble(run -> run.path("seconds").asDouble()).sum();
  }

  /** For each label what its commands have printed, in order. */
  Map<String, List<Object>> printed() {
    return runs().filter(run -> run.has("result")).collect(
        Collectors.groupingBy(run -> run.path("label").asText(), LinkedHashMap::new,
            Collectors.mapping(run -> MAPPER.convertValue(run.path("result"), Object.class), Collectors.toList())));
  }

  long errors() {
    return runs().mapToLong(run -> run.at("/result/errors").asLong()).sum();
  }

  /** The names and values of the first object of that name, as text; empty if there is none. */
  String find(String name) {
    return document.path(RUNS).findValues(name).stream().filter(found -> !found.isEmpty()).limit(1)
        .flatMap(found -> found.properties().stream())
        .map(field -> field.getKey() + " " + field.getValue().asText()).collect(Collectors.joining(", "));
  }

  void summarise(ObjectNode node) {
    node.put("seconds", seconds());
    node.put("errors", errors());
    if (!isComplete()) {
      node.set(REASON, document.get(REASON));
    }
  }

  /** The file that keeps them: a line for each run. */
  String text() {
    List<String> fields = new ArrayList<>();
    for (Map.Entry<String, JsonNode> field : document.properties()) {
      String value =
          field.getValue() instanceof ArrayNode
              ? runs().map(run -> shortened(run).toString()).collect(Collectors.joining(",\n", "[\n", "\n]"))
              : field.getValue().toString();
      fields.add("\"" + field.getKey() + "\": " + value);
    }
    return "{\n" + String.join(",\n", fields) + "\n}\n";
  }

  /** Without digits that no measurement has, and without lists that no chapter shows. */
  private static JsonNode shortened(JsonNode node) {
    if (node instanceof ObjectNode object) {
      ObjectNode kept = MAPPER.createObjectNode();
      for (Map.Entry<String, JsonNode> field : object.properties()) {
        if (!(LEFT_OUT.contains(field.getKey()) && field.getValue().isContainerNode())) {
          kept.set(field.getKey(), shortened(field.getValue()));
        }
      }
      return kept;
    }
    if (node instanceof ArrayNode array) {
      ArrayNode kept = MAPPER.createArrayNode();
      array.forEach(element -> kept.add(shortened(element)));
      return kept;
    }
    return node.isDouble() && Double.isFinite(node.asDouble())
        ? DoubleNode.valueOf(new BigDecimal(node.asDouble()).round(DIGITS).doubleValue())
        : node;
  }
}
