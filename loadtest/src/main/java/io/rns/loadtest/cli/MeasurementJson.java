package io.rns.loadtest.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rns.loadtest.measure.Details;
import io.rns.loadtest.measure.FailureKind;
import io.rns.loadtest.measure.Failures;
import io.rns.loadtest.measure.Measurement;
import io.rns.loadtest.measure.Second;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** Measurements from one process to another, with whole histograms. */
final class MeasurementJson {
  private MeasurementJson() {}

  static void write(Measurement measured, ObjectNode node) {
    node.put("latencies", text(measured.latencies()));
    ObjectNode operations = node.putObject("operations");
    measured.details().operations().forEach((name, latencies) -> operations.put(name, text(latencies)));
    node.put("answered", measured.details().answered());
    node.put("notStarted", measured.details().notStarted());
    ArrayNode seconds = node.putArray("seconds");
    for (Second second : measured.details().seconds()) {
      ArrayNode one = seconds.addArray();
      one.add(second.at()).add(second.perSecond()).add(second.failures());
      one.add(second.p50Micros()).add(second.p99Micros()).add(second.maxMicros());
    }
    ObjectNode failures = node.putObject("failures");
    measured.failures().counts().forEach((kind, count) -> failures.put(kind.name(), count));
    node.put("firstFailure", measured.failures().first().orElse(""));
    node.put("measuredNanos", measured.measured().toNanos());
    node.put("reconnects", measured.reconnects());
    ObjectNode used = node.putObject("usedNanos");
    measured.used().forEach((name, time) -> used.put(name, time.toNanos()));
  }

  /** Reads a written measurement. */
  static Measurement read(JsonNode node) {
    Map<String, Histogram> operations = new TreeMap<>();
    node.path("operations").properties().forEach(one -> operations.put(one.getKey(), histogram(one.getValue())));
    List<Second> seconds = new ArrayList<>();
    for (JsonNode one : node.path("seconds")) {
      seconds.add(
          new Second(
              one.path(0).asDouble(),
              one.path(1).asDouble(),
              one.path(2).asLong(),
              one.path(3).asDouble(),
              one.path(4).asDouble(),
              one.path(5).asDouble()));
    }
    String first = node.path("firstFailure").asText();
    Failures failures = new Failures();
    node.path("failures")
        .properties()
        .forEach(one -> failures.add(FailureKind.valueOf(one.getKey()), one.getValue().asLong(), first));
    Map<String, Duration> used = new TreeMap<>();
    node.path("usedNanos").properties()
        .forEach(one -> used.put(one.getKey(), Duration.ofNanos(one.getValue().asLong())));
    return new Measurement(
        histogram(node.path("latencies")),
        new Details(operations, node.path("answered").asLong(), node.path("notStarted").asLong(), seconds),
        failures,
        Duration.ofNanos(node.path("measuredNanos").asLong()),
        node.path("reconnects").asLong(),
        used);
  }

  private static String text(Histogram histogram) {
    ByteBuffer bytes = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    int length = histogram.encodeIntoCompressedByteBuffer(bytes);
    return Base64.getEncoder().encodeToString(Arrays.copyOf(bytes.array(), length));
  }

  private static Histogram histogram(JsonNode text) {
    try {
      ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(text.asText()));
      Histogram whole = Measurement.newHistogram();
      whole.add(Histogram.decodeFromCompressedByteBuffer(bytes, 0));
      return whole;
    } catch (DataFormatException e) {
      throw new IllegalArgumentException("no histogram: " + text, e);
    }
  }
}
