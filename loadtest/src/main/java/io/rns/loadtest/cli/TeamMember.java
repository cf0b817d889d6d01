package io.rns.loadtest.cli;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rns.loadtest.LoadReport;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * One of the processes of a load, as it speaks with the one that started it: before each run it says {@value #READY}
 * and waits for {@value #GO}; in the end it says {@value #REPORT} and what it measured. For one thread.
 */
final class TeamMember {
  static final String READY = "ready";
  static final String GO = "go";
  static final String REPORT = "report ";
  private static final JsonMapper MAPPER = new JsonMapper();

  private final BufferedReader in;
  private final PrintWriter out;

  TeamMember(InputStream in, PrintWriter out) {
    this.in = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    this.out = out;
  }

  /** Waits until all begin. When there is nobody left who could say so, the calling thread is interrupted. */
  void awaitBegin() {
    out.println(READY);
    out.flush();
    try {
      if (!GO.equals(in.readLine())) {
        Thread.currentThread().interrupt();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Tells what was measured. */
  void tell(LoadReport report) {
    ObjectNode document = MAPPER.createObjectNode();
    document.put("interrupted", report.interrupted());
    LoadReport.Added added = report.added();
    if (added != null) {
      document.put("acknowledged", added.acknowledged());
      document.put("found", added.found());
    }
    ArrayNode steps = document.putArray("steps");
    for (LoadReport.Step step : report.steps()) {
      ArrayNode runs = steps.addArray();
      step.series().runs().forEach(run -> MeasurementJson.write(run, runs.addObject()));
    }
    out.println(REPORT + document);
    out.flush();
  }
}
