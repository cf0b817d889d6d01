package io.rns.server.names;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.Entry.Junction;
import io.rns.api.Entry.PoolAnswer;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.EntryName;
import io.rns.api.Metadata;
import io.rns.api.Page;
import io.rns.api.Precondition;
import io.rns.api.RnsPath;
import io.rns.api.SubtreePage;
import io.rns.api.Target;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.server.http.JsonBody;
import io.rns.server.http.JsonReplies;
import io.rns.server.http.Traffic;
import io.rns.server.memory.RequestMemory;
import io.rns.wire.Timestamps;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Entries as JSON, with the members that the documents of the command line have. */
final class NamesJson {
  /** Metadata that takes a noticeable time to be read. */
  private static final int LARGE_CHARS = 8_192;

  private NamesJson() {}

  /** The document of an entry; what it does not have is left out. */
  static void write(JsonGenerator out, RnsPath path, Entry entry) throws IOException {
    // With the metadata once more as keys and values.
    long document = 2L * entry.metadata().xml().length();
    RequestMemory.current().take(document);
    out.writeStartObject();
    writeMembers(out, path, entry, false);
    out.writeEndObject();
    RequestMemory.current().giveBack(document);
  }

  /** An entry of a subtree, with the members of the document of an entry, {@code parent} and {@code last}. */
  static void writeLine(JsonGenerator out, SubtreePage.Visit visit) throws IOException {
    long document = 2L * visit.entry().metadata().xml().length();
    RequestMemory.current().take(document);
    out.writeStartObject();
    writeMembers(out, visit.path(), visit.entry(), true);
    if (visit.last()) {
      out.writeBooleanField("last", true);
    }
    out.writeEndObject();
    RequestMemory.current().giveBack(document);
  }

  private static void writeMembers(JsonGenerator out, RnsPath path, Entry entry, boolean parent) throws IOException {
    out.writeStringField("path", path.toString());
    out.writeStringField("kind", entry instanceof Junction ? "junction" : "directory");
    out.writeStringField("id", entry.id().toString());
    if (parent) {
      out.writeStringField("parent", entry.binding().parent().toString());
    }
    out.writeNumberField("version", entry.version());
    out.writeStringField("created", Timestamps.format(entry.created()));
    out.writeStringField("modified", Timestamps.format(entry.modified()));
    if (entry instanceof VirtualDirectory directory && directory.entries() >= 0) {
      out.writeNumberField("entries", directory.entries());
    }
    writeMetadata(out, entry.metadata());
    if (entry instanceof Junction junction) {
      out.writeArrayFieldStart("references");
      for (EndpointReference reference : junction.references()) {
        writeReference(out, reference);
      }
      out.writeEndArray();
      if (junction.pool().isPresent()) {
        PoolAnswer pool = junction.pool().get();
        out.writeStringField("policy", pool.policy().orElse(null));
        out.writeNumberField("ttlMillis", pool.ttlMillis());
      }
    }
  }

  private static void writeMetadata(JsonGenerator out, Metadata metadata) throws IOException {
    if (metadata.xml().length() > LARGE_CHARS) {
      Traffic.giveWay();
    }
    Optional<Map<String, String>> all = metadata.plainValues();
    Map<String, String> values = all.orElseGet(metadata::values);
    out.writeObjectFieldStart("metadata");
    for (Map.Entry<String, String> value : values.entrySet()) {
      out.writeStringField(value.getKey(), value.getValue());
    }
    out.writeEndObject();
    if (all.isEmpty() && !metadata.equals(Metadata.of(values))) {
      out.writeStringField("metadataXml", metadata.xml());
    }
  }

  private static void writeReference(JsonGenerator out, EndpointReference reference) throws IOException {
    out.writeStartObject();
    out.writeStringField("address", reference.address());
    if (!reference.isAddressOnly()) {
      out.writeStringField("xml", reference.xml());
    }
    out.writeEndObject();
  }

  /** A page, entry by entry. */
  static JsonReplies.Document write(RnsPath directory, Page page) {
    return out -> {
      out.writeStartObject();
      out.writeStringField("path", directory.toString());
      out.writeArrayFieldStart("entries");
      for (Entry entry : page.entries()) {
        write(out, directory.child(entry.binding().name()), entry);
      }
      out.writeEndArray();
      if (page.next().isPresent()) {
        out.writeStringField("next", page.next().get().toString());
      }
      out.writeEndObject();
    };
  }

  /** The body of a PUT; what it does not have is null. */
  private record NewEntryBody(
      @Nullable List<JsonNode> references,
      @JsonSetter(contentNulls = Nulls.FAIL) @Nullable Map<String, String> metadata,
      @Nullable String metadataXml) {}

  /** The body of a PATCH; what it does not have stays. */
  private record EntryChangeBody(
      @Nullable String path,
      @Nullable List<JsonNode> references,
      @JsonSetter(contentNulls = Nulls.FAIL) @Nullable Map<String, String> metadata,
      @Nullable String metadataXml) {}

  /** An entry to be put at a path: a junction if it has references, else a directory. */
  static NewEntry newEntry(RnsPath path, byte[] body, Precondition precondition) {
    NewEntryBody given = JsonBody.object(body, NewEntryBody.class);
    return new NewEntry(
        Target.of(path),
        references(given.references()).orElse(List.of()),
        metadata(given.metadata(), given.metadataXml()).orElse(Metadata.NONE),
        precondition);
  }

  /** What is to change of the entry at a path. */
  static EntryChange change(RnsPath path, byte[] body, Precondition precondition) {
    EntryChangeBody given = JsonBody.object(body, EntryChangeBody.class);
    Optional<RnsPath> to = Optional.ofNullable(given.path()).map(NamesJson::path);
    Optional<EntryName> name = to.map(RnsPath::name);
    Optional<Target> parent =
        to.map(RnsPath::parent).filter(other -> path.isRoot() || !other.equals(path.parent())).map(Target::of);
    return new EntryChange(
        Target.of(path),
        name,
        parent,
        references(given.references()),
        metadata(given.metadata(), given.metadataXml()),
        precondition);
  }

  private static RnsPath path(String given) {
    RnsPath path = RnsPath.parse(given);
    JsonBody.check(!path.isRoot(), "'path' is " + path + ", the place of the root");
    return path;
  }

  private static Optional<List<EndpointReference>> references(@Nullable List<JsonNode> given) {
    return Optional.ofNullable(given).map(references -> references.stream().map(NamesJson::reference).toList());
  }

  /** A reference: its text, or an object with {@code xml} or {@code address}. */
  private static EndpointReference reference(JsonNode given) {
    JsonNode text = given.isObject() ? given.has("xml") ? given.path("xml") : given.path("address") : given;
    JsonBody.check(text.isTextual(), "'references' holds something that is neither a text nor has 'address' or 'xml'");
    return JsonBody.reference(text.asText());
  }

  /** All of it: {@code metadataXml} where it is given, since that has the keys and values, too. */
  private static Optional<Metadata> metadata(@Nullable Map<String, String> values, @Nullable String xml) {
    return xml == null ? Optional.ofNullable(values).map(Metadata::of) : Optional.of(Metadata.parse(xml));
  }
}
