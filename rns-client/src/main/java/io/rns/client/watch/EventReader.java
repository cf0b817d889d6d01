package io.rns.client.watch;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.rns.api.Change;
import io.rns.api.EntryId;
import io.rns.api.Position;
import io.rns.api.RnsPath;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Reads server-sent events whose data is one JSON object of texts. For one thread. */
final class EventReader {
  /** Longer than a path and its former path can be, even escaped. */
  private static final int MOST_DATA_CHARS = 1 << 20;

  private static final JsonFactory JSON = new JsonFactory();

  private final BufferedReader lines;

  EventReader(InputStream stream) {
    lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
  }

  /**
   * One event.
   *
   * @param name what kind it is
   * @param fields the texts of its object
   */
  record Event(String name, Map<String, String> fields) {
    /** A field that has to be there. */
    String field(String field) throws IOException {
      String value = fields.get(field);
      if (value == null) {
        throw new IOException("an event '" + name + "' without '" + field + "'");
      }
      return value;
    }

    /** Its change; empty for kinds unknown to this library. */
    Optional<Change> change(Position position) throws IOException {
      for (Change.Kind kind : Change.Kind.values()) {
        if (kind.name().toLowerCase(Locale.ROOT).equals(name)) {
          return Optional.of(change(kind, position));
        }
      }
      return Optional.empty();
    }

    private Change change(Change.Kind kind, Position position) throws IOException {
      try {
        return new Change(
            position,
            Instant.parse(field("time")),
            kind,
            EntryId.parse(field("id")),
            RnsPath.parse(field("path")),
            Optional.ofNullable(fields.get("oldPath")).map(RnsPath::parse));
      } catch (DateTimeException e) {
        throw new IOException("an event with the time '" + field("time") + "'", e);
      }
    }
  }

  /**
   * The next event; empty at the end of the stream.
   *
   * @throws IOException if the stream breaks or is no such stream
   */
  Optional<Event> next() throws IOException {
    String name = "message";
    StringBuilder data = new StringBuilder();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.isEmpty()) {
        if (data.length() > 0) {
          return Optional.of(new Event(name, fields(data.toString())));
        }
      } else if (line.startsWith("event:")) {
        name = line.substring("event:".length()).trim();
      } else if (line.startsWith("data:")) {
        data.append(line, "data:".length(), line.length()).append('\n');
        if (data.length() > MOST_DATA_CHARS) {
          throw new IOException("an event of more than " + MOST_DATA_CHARS + " characters");
        }
      }
    }
    return Optional.empty();
  }

  /** The fields of a JSON object that are texts. */
  static Map<String, String> fields(String text) throws IOException {
    Map<String, String> fields = new LinkedHashMap<>();
    try (JsonParser json = JSON.createParser(text)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw new IOException("no JSON object where one should be");
      }
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String field = json.currentName();
        JsonToken value = json.nextToken();
        if (value == JsonToken.VALUE_STRING) {
          fields.put(field, json.getText());
        } else {
          json.skipChildren();
        }
      }
    }
    return fields;
  }
}
