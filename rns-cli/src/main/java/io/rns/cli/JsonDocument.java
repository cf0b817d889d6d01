package io.rns.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamWriteFeature;
import io.rns.api.Change;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.Entry.Junction;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.Metadata;
import io.rns.api.RnsPath;
import io.rns.error.RnsException;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The object that {@code --json} prints, written incrementally. docs/cli.md lists its fields. */
final class JsonDocument {
  /** Elements between checks that the reader is still there. */
  private static final int FLUSH_ELEMENTS = 512;

  private final JsonGenerator json;
  private final PrintStream out;
  private long elements;

  /**
   * A document.
   *
   * @param terminal whether it is printed on one, which must not obey a character of it
   */
  JsonDocument(PrintStream out, boolean terminal) throws IOException {
    this.out = out;
    JsonFactory factory = JsonFactory.builder().disable(StreamWriteFeature.AUTO_CLOSE_TARGET).build();
    json = terminal ? factory.createGenerator(new Printable.JsonWriter(out)) : factory.createGenerator(out);
    json.disable(JsonGenerator.Feature.FLUSH_PASSED_TO_STREAM);
    json.writeStartObject();
  }

  /** The writer, inside the object. */
  JsonGenerator generator() {
    return json;
  }

  /** Copies the fields of an object from a server. */
  void copy(String object) throws IOException {
    copy(object, "", List.of());
  }

  /** Copies the fields of an object, and to one of its arrays also the elements of the same array of other objects. */
  void copy(String object, String array, List<String> others) throws IOException {
    try (JsonParser copied = new JsonFactory().createParser(object)) {
      JsonToken unused = copied.nextToken();
      while (copied.nextToken() == JsonToken.FIELD_NAME) {
        if (copied.currentName().equals(array)) {
          json.writeArrayFieldStart(array);
          elements(copied);
          for (String other : others) {
            elements(array, other);
          }
          json.writeEndArray();
        } else {
          json.copyCurrentStructure(copied);
        }
      }
    }
  }

  private void elements(String array, String object) throws IOException {
    try (JsonParser other = new JsonFactory().createParser(object)) {
      JsonToken unused = other.nextToken();
      while (other.nextToken() == JsonToken.FIELD_NAME) {
        if (other.currentName().equals(array)) {
          elements(other);
        } else {
          other.nextToken();
          other.skipChildren();
        }
      }
    }
  }

  /** Copies the elements of the array whose name was read last. */
  private void elements(JsonParser array) throws IOException {
    if (array.nextToken() != JsonToken.START_ARRAY) {
      throw new IOException("'" + array.currentName() + "' is no list");
    }
    while (array.nextToken() != JsonToken.END_ARRAY) {
      json.copyCurrentStructure(array);
    }
  }

  /** The servers of a group that does not answer, as an object in the form of a status. */
  static String unreachable(String group, List<Map<String, String>> servers, String reason) throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      json.writeStartObject();
      json.writeArrayFieldStart("servers");
      for (Map<String, String> server : servers) {
        json.writeStartObject();
        json.writeStringField("name", server.getOrDefault("name", ""));
        json.writeStringField("url", server.getOrDefault("url", ""));
        json.writeStringField("role", "unreachable");
        json.writeFieldName("group");
        json.writeNumber(group);
        json.writeNullField("position");
        json.writeNullField("lagMillis");
        json.writeStringField("state", reason);
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    return text.toString();
  }

  /** An entry as an object of the open array. */
  void element(RnsPath path, Entry entry) throws IOException {
    json.writeStartObject();
    fields(path, entry);
    json.writeEndObject();
    if (++elements % FLUSH_ELEMENTS == 0 && out.checkError()) {
      throw new Output.ReaderGoneException();
    }
  }

  /** An entry as fields of the open object. */
  void fields(RnsPath path, Entry entry) throws IOException {
    json.writeStringField("path", path.toString());
    json.writeStringField("kind", entry instanceof Junction ? "junction" : "directory");
    json.writeStringField("id", entry.id().toString());
    json.writeNumberField("version", entry.version());
    json.writeStringField("created", entry.created().toString());
    json.writeStringField("modified", entry.modified().toString());
    if (entry instanceof VirtualDirectory directory && directory.entries() >= 0) {
      json.writeNumberField("entries", directory.entries());
    }
    metadata(entry.metadata());
    if (entry instanceof Junction junction) {
      references("references", junction.references());
    }
  }

  /** A change as an object of the open array. */
  void change(Change change) throws IOException {
    json.writeStartObject();
    json.writeStringField("position", change.position().toString());
    json.writeStringField("kind", change.kind().name().toLowerCase(Locale.ROOT));
    json.writeStringField("path", change.path().toString());
    if (change.oldPath().isPresent()) {
      json.writeStringField("oldPath", change.oldPath().get().toString());
    }
    json.writeStringField("id", change.entry().toString());
    json.writeStringField("time", change.time().toString());
    json.writeEndObject();
  }

  private void metadata(Metadata metadata) throws IOException {
    Map<String, String> values = metadata.values();
    json.writeObjectFieldStart("metadata");
    for (Map.Entry<String, String> value : values.entrySet()) {
      json.writeStringField(value.getKey(), value.getValue());
    }
    json.writeEndObject();
    if (!metadata.equals(Metadata.of(values))) {
      json.writeStringField("metadataXml", metadata.xml());
    }
  }

  /** References as an array of the open object. */
  void references(String field, List<EndpointReference> references) throws IOException {
    json.writeArrayFieldStart(field);
    for (EndpointReference reference : references) {
      reference(reference);
    }
    json.writeEndArray();
  }

  private void reference(EndpointReference reference) throws IOException {
    json.writeStartObject();
    json.writeStringField("address", reference.address());
    if (!reference.isAddressOnly()) {
      json.writeStringField("xml", reference.xml());
    }
    json.writeEndObject();
  }

  /** The refusal of a path, as an object of the open array. */
  void refusal(RnsPath path, String code, String message) throws IOException {
    json.writeStartObject();
    json.writeStringField("path", path.toString());
    json.writeStringField("code", code);
    json.writeStringField("message", message);
    json.writeEndObject();
  }

  /** Closes everything except the outermost object, and adds the error that ended the command. */
  void fail(RnsException error) throws IOException {
    for (JsonStreamContext open = json.getOutputContext(); !open.getParent().inRoot(); open = json.getOutputContext()) {
      if (open.inArray()) {
        json.writeEndArray();
      } else {
        json.writeEndObject();
      }
    }
    json.writeObjectFieldStart("error");
    json.writeStringField("code", error.error().name());
    json.writeStringField("message", error.getMessage());
    json.writeEndObject();
  }

  /** Ends the object. */
  void close() throws IOException {
    json.writeEndObject();
    json.close();
    out.println();
  }
}
