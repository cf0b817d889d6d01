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
 * @param lists the arrays by name, those of a nested object too, each object in the same form, anything else as
 *        {@link #TEXT}
 */
record FlatJson(Map<String, String> fields, Map<String, List<FlatJson>> lists) {
  /** The only field of an element of an array that is no object. */
  static final String TEXT = "text";

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
      return object(json);
    }
  }

  private static FlatJson object(JsonParser json) throws IOException {
    Map<String, String> fields = new LinkedHashMap<>();
    Map<String, List<FlatJson>> lists = new LinkedHashMap<>();
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String name = json.currentName();
      json.nextToken();
      value(name, json, fields, lists);
    }
    return new FlatJson(fields, lists);
  }

  /** The elements of an array; those of arrays in it are skipped. */
  private static List<FlatJson> elements(JsonParser json) throws IOException {
    List<FlatJson> objects = new ArrayList<>();
    while (json.nextToken() != JsonToken.END_ARRAY) {
      if (json.currentToken() == JsonToken.START_OBJECT) {
        objects.add(object(json));
      } else if (json.currentToken().isScalarValue()) {
        objects.add(new FlatJson(Map.of(TEXT, json.getText()), Map.of()));
      } else {
        json.skipChildren();
      }
    }
    return objects;
  }

  private static void value(
      String name, JsonParser json, Map<String, String> fields, Map<String, List<FlatJson>> lists) throws IOException {
    if (json.currentToken() == JsonToken.START_ARRAY) {
      lists.put(name, elements(json));
    } else if (json.currentToken() == JsonToken.START_OBJECT) {
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String inner = name + "." + json.currentName();
        json.nextToken();
        value(inner, json, fields, lists);
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

  /** The fields of the objects of a list; none without it. */
  List<Map<String, String>> list(String name) {
    return objects(name).stream().map(FlatJson::fields).toList();
  }

  /** The objects of a list; none without it. */
  List<FlatJson> objects(String name) {
    return lists.getOrDefault(name, List.of());
  }
}
