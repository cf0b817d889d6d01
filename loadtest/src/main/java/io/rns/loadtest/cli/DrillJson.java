package io.rns.loadtest.cli;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rns.loadtest.drill.DrillReport;
import io.rns.loadtest.drill.DrillReport.Struck;
import io.rns.loadtest.drill.Fault;
import io.rns.loadtest.history.Promise;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Reports of drills as JSON. */
final class DrillJson {
  private static final JsonMapper MAPPER = new JsonMapper();

  private DrillJson() {}

  static ObjectNode of(DrillReport report) {
    ObjectNode document = MAPPER.createObjectNode();
    document.put("passed", report.isPassed());
    document.put("rate", report.settings().rate());
    document.put("rounds", report.settings().rounds());
    ObjectNode faults = document.putObject("faults");
    for (Fault fault : report.settings().faults()) {
      List<Struck> struck = report.faults().stream().filter(s -> s.fault() == fault).toList();
      ObjectNode node = faults.putObject(fault.toString());
      node.put("times", struck.size());
      if (!struck.isEmpty()) {
        put(node, "writeOutageMillis", struck, Struck::writeOutageMillis);
        put(node, "readOutageMillis", struck, Struck::readOutageMillis);
        put(node, "servingAgainMillis", struck, Struck::servingAgainMillis);
      }
    }
    ObjectNode lag = document.putObject("lagMillis");
    report.lagMillis().forEach(lag::put);
    ObjectNode checked = document.putObject("checked");
    report.seen().forEach((what, count) -> checked.put(camel(what), count));
    ObjectNode counts = document.putObject("violations");
    report.counts().forEach((promise, count) -> counts.put(name(promise), count));
    ArrayNode details = document.putArray("details");
    report.violations().forEach(violation -> details.add(violation.toString()));
    ArrayNode incomplete = document.putArray("incomplete");
    report.incomplete().forEach(incomplete::add);
    report.history().ifPresent(file -> document.put("history", file.toString()));
    report.logs().ifPresent(directory -> document.put("logs", directory.toString()));
    return document;
  }

  private static void put(ObjectNode node, String name, List<Struck> struck, ToDoubleFunction<Struck> value) {
    ObjectNode both = node.putObject(name);
    both.put("median", Math.round(DrillText.median(struck, value)));
    both.put("max", Math.round(struck.stream().mapToDouble(value).max().orElse(0)));
  }

  private static String name(Promise promise) {
    return camel(promise.name().toLowerCase(Locale.ROOT).replace('_', ' '));
  }

  private static String camel(String words) {
    StringBuilder name = new StringBuilder();
    for (int i = 0; i < words.length(); i++) {
      boolean begins = i > 0 && words.charAt(i - 1) == ' ';
      if (words.charAt(i) != ' ') {
        name.append(begins ? Character.toUpperCase(words.charAt(i)) : words.charAt(i));
      }
    }
    return name.toString();
  }
}
