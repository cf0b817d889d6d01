package io.rns.client.subtree;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.EntryId;
import io.rns.api.Metadata;
import io.rns.api.Positions;
import io.rns.api.RnsPath;
import io.rns.api.SubtreePage;
import io.rns.api.SubtreePosition;
import io.rns.error.RnsException;
import io.rns.wire.Timestamps;
import java.io.IOException;
import java.io.InputStream;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Reads the lines of a subtree. For one thread. */
final class SubtreeLineReader {
  private static final JsonFactory JSON = new JsonFactory();

  private final JsonParser json;
  private final int startDepth;

  private @Nullable EntryId parent;
  private String parentText = "";

  // ---- the line that is being read

  private final Map<String, String> texts = new LinkedHashMap<>();
  private final Map<String, String> metadata = new LinkedHashMap<>();
  private final List<EndpointReference> references = new ArrayList<>();
  private @Nullable Map<String, String> error;
  private OptionalLong retryMillis = OptionalLong.empty();
  private long version;
  private boolean last;
  private boolean end;

  /**
   * A reader.
   *
   * @param start the directory that was asked for
   */
  SubtreeLineReader(InputStream lines, RnsPath start) throws IOException {
    this.json = JSON.createParser(lines);
    this.startDepth = start.depth();
  }

  /**
   * The next line.
   *
   * @throws IOException if there is none, although the last one was neither the end nor a failure, or it is no such
   *         line
   */
  SubtreeLine next() throws IOException {
    if (json.nextToken() != JsonToken.START_OBJECT) {
      throw new IOException("the answer broke off");
    }
    texts.clear();
    metadata.clear();
    references.clear();
    error = null;
    retryMillis = OptionalLong.empty();
    version = 0;
    last = false;
    end = false;
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String member = json.currentName();
      member(member, json.nextToken());
    }
    try {
      return line();
    } catch (RnsException | DateTimeException e) {
      throw new IOException("a line of the answer is not valid: " + e.getMessage(), e);
    }
  }

  private void member(String name, JsonToken value) throws IOException {
    switch (value) {
      case VALUE_STRING -> texts.put(name, json.getText());
      case VALUE_NUMBER_INT -> version = name.equals("version") ? json.getLongValue() : version;
      case VALUE_TRUE -> {
        last |= name.equals("last");
        end |= name.equals("end");
      }
      case START_OBJECT -> object(name);
      case START_ARRAY -> array(name);
      default -> {
        // Of a later version.
      }
    }
  }

  private void object(String name) throws IOException {
    switch (name) {
      case "metadata" -> strings(metadata);
      case "error" -> {
        Map<String, String> strings = new LinkedHashMap<>();
        strings(strings);
        error = strings;
      }
      default -> json.skipChildren();
    }
  }

  /** Reads the texts of an object. */
  private void strings(Map<String, String> into) throws IOException {
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String name = json.currentName();
      JsonToken value = json.nextToken();
      if (value == JsonToken.VALUE_STRING) {
        into.put(name, json.getText());
      } else if (value == JsonToken.VALUE_NUMBER_INT && name.equals("retryMillis")) {
        retryMillis = OptionalLong.of(json.getLongValue());
      } else {
        json.skipChildren();
      }
    }
  }

  private void array(String name) throws IOException {
    if (!name.equals("references")) {
      json.skipChildren();
      return;
    }
    while (json.nextToken() == JsonToken.START_OBJECT) {
      Map<String, String> reference = new LinkedHashMap<>();
      strings(reference);
      String xml = reference.get("xml");
      try {
        references.add(
            xml == null ? EndpointReference.ofAddress(text(reference, "address")) : EndpointReference.parse(xml));
      } catch (RnsException e) {
        throw new IOException("a reference in the answer is not valid: " + e.getMessage(), e);
      }
    }
  }

  private SubtreeLine line() throws IOException {
    if (error != null) {
      return new SubtreeLine.Failed(error, retryMillis);
    }
    if (end) {
      return new SubtreeLine.End(Positions.parse(text(texts, "position")));
    }
    if (texts.containsKey("path")) {
      return found(RnsPath.parse(text(texts, "path")));
    }
    return new SubtreeLine.Reached(SubtreePosition.parse(text(texts, "after")));
  }

  /** The identity of a directory, which is most often that of the line before. */
  private EntryId parent(String text) {
    EntryId known = parent;
    if (known == null || !text.equals(parentText)) {
      known = EntryId.parse(text);
      parent = known;
      parentText = text;
    }
    return known;
  }

  private SubtreeLine found(RnsPath path) throws IOException {
    Entry.Binding binding = new Entry.Binding(parent(text(texts, "parent")), path.name());
    EntryId id = EntryId.parse(text(texts, "id"));
    String creation = text(texts, "created");
    String change = text(texts, "modified");
    Instant created = Timestamps.parse(creation);
    Instant modified = change.equals(creation) ? created : Timestamps.parse(change);
    String xml = texts.get("metadataXml");
    Metadata given = xml != null ? Metadata.parse(xml) : metadata.isEmpty() ? Metadata.NONE : Metadata.of(metadata);
    Entry entry =
        references.isEmpty()
            ? new Entry.VirtualDirectory(binding, id, version, created, modified, given, -1)
            : new Entry.Junction(binding, id, version, created, modified, given, references);
    long bytes = given.xml().length();
    for (EndpointReference reference : references) {
      bytes += reference.content().length();
    }
    return new SubtreeLine.Found(new SubtreePage.Visit(path, entry, path.depth() - startDepth, last), bytes);
  }

  /** The texts of a JSON object. */
  static Map<String, String> texts(byte[] object) throws IOException {
    Map<String, String> texts = new LinkedHashMap<>();
    try (JsonParser json = JSON.createParser(object)) {
      JsonToken unused = json.nextToken();
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String name = json.currentName();
        if (json.nextToken() == JsonToken.VALUE_STRING) {
          texts.put(name, json.getText());
        } else {
          json.skipChildren();
        }
      }
    }
    return texts;
  }

  private static String text(Map<String, String> texts, String name) throws IOException {
    String text = texts.get(name);
    if (text == null) {
      throw new IOException("a line of the answer has no '" + name + "'");
    }
    return text;
  }
}
