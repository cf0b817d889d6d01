package io.rns.loadtest.cli;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rns.loadtest.figure.Estimate;
import io.rns.loadtest.figure.Experiment;
import io.rns.loadtest.figure.Measured;
import io.rns.loadtest.figure.Measurements;
import io.rns.loadtest.figure.Verdict;
import java.util.List;

/** Simulations as JSON. */
final class SimJson {
  private static final JsonMapper MAPPER = new JsonMapper();

  private SimJson() {}

  static ObjectNode of(Experiment experiment, Measurements measurements, List<Verdict> verdicts) {
    ObjectNode document = MAPPER.createObjectNode();
    document.put("seed", experiment.seed());
    document.put("repetitions", experiment.repetitions());
    document.put("minutes", experiment.minutes());
    document.put("missing", measurements.missing());
    ArrayNode points = document.putArray("points");
    for (Measured m : measurements.all()) {
      ObjectNode point = points.addObject();
      point.put("figure", m.cell().figure().toString());
      point.put("policy", m.cell().policy().toString());
      point.put("q", m.cell().minCapacity());
      point.put("x", m.cell().value());
      put(point, "speed", m.speed());
      put(point, "utilisation", m.utilisation());
      put(point, "resolutionsPerRequest", m.resolutions());
      put(point, "rejectedShare", m.rejected());
      put(point, "failedShare", m.failed());
    }
    ArrayNode claims = document.putArray("claims");
    for (Verdict verdict : verdicts) {
      ObjectNode claim = claims.addObject();
      claim.put("id", verdict.id());
      claim.put("claim", verdict.claim());
      claim.put("source", verdict.source());
      claim.put("expected", verdict.expected());
      claim.put("ours", verdict.ours());
      claim.put("agrees", verdict.agreement().toString());
    }
    return document;
  }

  private static void put(ObjectNode point, String name, Estimate estimate) {
    ObjectNode both = point.putObject(name);
    both.put("mean", estimate.mean());
    both.put("ci95", estimate.halfWidth());
  }
}
