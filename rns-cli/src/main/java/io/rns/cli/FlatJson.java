package io.rns.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The fields that commands read from a JSON object of a server or the launcher. Skips null and unknown parts, so that
 * newer writers may add some. Immutable.
 *
 * @param fields strings, numbers and booleans by name; fields of a nested object by both names: {@code lag.p50Millis}
 * @param lists the arrays of objects by name, each object in the same form
 */
record FlatJson(Map<String, String> fields, Map<String, List<Map<String, String>>> lists) {
  FlatJson {
    fields = Map.copyOf(fields);
    lists = Map.copyOf(lists);
  }

  /**
   * Reads a document.
   *
   * @throws IOException if it is no JSON object
   */
  static FlatJson read(String document) throws IOException {
    try (JsonParser json = new JsonFactory().createParser(document)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw new IOException("no JSON object");
      }
      Map<String, String> fields = new LinkedHashMap<>();
      Map<String, List<Map<String, String>>> lists = new LinkedHashMap<>();
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String name = json.currentName();
        if (json.nextToken() == JsonToken.START_ARRAY) {
          lists.put(name, objects(json));
        } else {
          value(name, json, fields);
        }
      }
      return new FlatJson(fields, lists);
    }
  }

  /** The objects of an array; other elements are skipped. */
  private static List<Map<String, String>> objects(JsonParser json) throws IOException {
    List<Map<String, String>> objects = new ArrayList<>();
    while (json.nextToken() != JsonToken.END_ARRAY) {
      if (json.currentToken() == JsonToken.START_OBJECT) {
        Map<String, String> fields = new LinkedHashMap<>();
        value("", json, fields);
        objects.add(fields);
      } else {
        json.skipChildren();
      }
    }
    return objects;
  }

  private static void value(String name, JsonParser json, Map<String, String> fields) throws IOException {
    if (json.currentToken() == JsonToken.START_OBJECT) {
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String inner = name.isEmpty() ? json.currentName() : name + "." + json.currentName();
        json.nextToken();
        value(inner, json, fields);
      }
    } else if (json.currentToken().isScalarValue() && json.currentToken() != JsonToken.VALUE_NULL) {
      fields.put(name, json.getText());
    } else {
      json.skipChildren();
    }
  }

  /** A field, or empty text. */
  String field(String name) {
    return fields.getOrDefault(name, "");
  }

  /** A list, or an empty one. */
  List<Map<String, String>> list(String name) {
    return lists.getOrDefault(name, List.of());
  }
}
