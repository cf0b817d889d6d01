package io.rns.loadtest.cli;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import org.jspecify.annotations.Nullable;

/** JSON of records: null is left out, enum constants have the names of the command line. */
final class Json {
  static final JsonMapper MAPPER =
      JsonMapper.builder()
          .defaultPropertyInclusion(JsonInclude.Value.construct(Include.NON_NULL, Include.NON_NULL))
          .enable(SerializationFeature.WRITE_ENUMS_USING_TO_STRING)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  private Json() {}

  static String pretty(Object document) {
    return MAPPER.valueToTree(document).toPrettyString();
  }

  static String line(Object document) {
    return MAPPER.valueToTree(document).toString();
  }

  /** A rounded number; null for NaN and infinity, which JSON lacks. */
  static @Nullable Double rounded(double value, int parts) {
    return Double.isFinite(value) ? Math.round(value * parts) / (double) parts : null;
  }
}
