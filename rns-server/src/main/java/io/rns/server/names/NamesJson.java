package io.rns.server.names;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.Entry.Junction;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.EntryName;
import io.rns.api.Metadata;
import io.rns.api.Page;
import io.rns.api.Precondition;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.server.http.JsonBody;
import io.rns.server.http.JsonReplies;
import io.rns.server.http.Traffic;
import io.rns.server.memory.RequestMemory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Entries as JSON, with the members that the documents of the command line have. */
final class NamesJson {
  /** Metadata that takes a noticeable time to be read. */
  private static final int LARGE_CHARS = 8_192;

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String REFERENCES = "references";
  private static final String METADATA = "metadata";
  private static final String METADATA_XML = "metadataXml";
  private static final String PATH = "path";

  private NamesJson() {}

  static ObjectNode write(RnsPath path, Entry entry) {
    if (entry.metadata().xml().length() > LARGE_CHARS) {
      Traffic.giveWay();
    }
    ObjectNode node = JSON.createObjectNode();
    node.put(PATH, path.toString());
    node.put("kind", entry instanceof Junction ? "junction" : "directory");
    node.put("id", entry.id().toString());
    node.put("version", entry.version());
    node.put("created", entry.created().toString());
    node.put("modified", entry.modified().toString());
    if (entry instanceof VirtualDirectory directory && directory.entries() >= 0) {
      node.put("entries", directory.entries());
    }
    Map<String, String> values = entry.metadata().values();
    ObjectNode metadata = node.putObject(METADATA);
    values.forEach(metadata::put);
    if (!entry.metadata().equals(Metadata.of(values))) {
      node.put(METADATA_XML, entry.metadata().xml());
    }
    if (entry instanceof Junction junction) {
      write(node.putArray(REFERENCES), junction.references());
      junction.pool()
          .ifPresent(pool -> node.put("policy", pool.policy().orElse(null)).put("ttlMillis", pool.ttlMillis()));
    }
    return node;
  }

  private static void write(ArrayNode array, List<EndpointReference> references) {
    for (EndpointReference reference : references) {
      ObjectNode each = array.addObject().put("address", reference.address());
      if (!reference.equals(EndpointReference.ofAddress(reference.address()))) {
        each.put("xml", reference.xml());
      }
    }
  }

  /** A page, entry by entry. */
  static JsonReplies.Document write(RnsPath directory, Page page) {
    return out -> {
      out.writeStartObject();
      out.writeStringField(PATH, directory.toString());
      out.writeArrayFieldStart("entries");
      for (Entry entry : page.entries()) {
        // The document of one entry, with its metadata once more as keys and values.
        long document = 2L * entry.metadata().xml().length();
        RequestMemory.current().take(document);
        out.writeTree(write(directory.child(entry.binding().name()), entry));
        RequestMemory.current().giveBack(document);
      }
      out.writeEndArray();
      if (page.next().isPresent()) {
        out.writeStringField("next", page.next().get().toString());
      }
      out.writeEndObject();
    };
  }

  /** An entry to be put at a path: a junction if it has references, else a directory. */
  static NewEntry newEntry(RnsPath path, byte[] body, Precondition precondition) {
    JsonNode document = JsonBody.object(body, Set.of(REFERENCES, METADATA, METADATA_XML));
    return new NewEntry(
        Target.of(path), references(document).orElse(List.of()), metadata(document).orElse(Metadata.NONE),
        precondition);
  }

  /** What is to change of the entry at a path; what the document does not have stays. */
  static EntryChange change(RnsPath path, byte[] body, Precondition precondition) {
    JsonNode document = JsonBody.object(body, Set.of(PATH, REFERENCES, METADATA, METADATA_XML));
    Optional<RnsPath> to = Optional.of(document.path(PATH)).filter(each -> !each.isMissingNode()).map(NamesJson::path);
    Optional<EntryName> name = to.map(RnsPath::name);
    Optional<Target> parent =
        to.map(RnsPath::parent).filter(other -> path.isRoot() || !other.equals(path.parent())).map(Target::of);
    return new EntryChange(Target.of(path), name, parent, references(document), metadata(document), precondition);
  }

  private static RnsPath path(JsonNode given) {
    JsonBody.check(given.isTextual(), "'path' is not a text");
    RnsPath path = RnsPath.parse(given.asText());
    if (path.isRoot()) {
      throw new RnsException(RnsError.INVALID_REQUEST, "'path' is " + path + ", the place of the root");
    }
    return path;
  }

  private static Optional<List<EndpointReference>> references(JsonNode document) {
    JsonNode array = document.path(REFERENCES);
    if (array.isMissingNode()) {
      return Optional.empty();
    }
    JsonBody.check(array.isArray(), "'references' is not an array");
    List<EndpointReference> references = new ArrayList<>();
    for (JsonNode each : array) {
      JsonNode xml = each.path("xml");
      JsonNode text = each.isObject() ? xml.isMissingNode() ? each.path("address") : xml : each;
      JsonBody.check(text.isTextual(),
          "'references' holds something that is neither a text nor has 'address' or 'xml'");
      references.add(JsonBody.reference(text.asText()));
    }
    return Optional.of(references);
  }

  /** All of it: {@code metadataXml} where it is given, since that has the keys and values, too. */
  private static Optional<Metadata> metadata(JsonNode document) {
    JsonNode xml = document.path(METADATA_XML);
    if (!xml.isMissingNode()) {
      JsonBody.check(xml.isTextual(), "'metadataXml' is not a text");
      return Optional.of(Metadata.parse(xml.asText()));
    }
    JsonNode values = document.path(METADATA);
    if (values.isMissingNode()) {
      return Optional.empty();
    }
    JsonBody.check(values.isObject(), "'metadata' is not an object");
    Map<String, String> told = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> value : values.properties()) {
      JsonBody.check(value.getValue().isTextual(), "the value of '" + value.getKey() + "' in 'metadata' is not a text");
      told.put(value.getKey(), value.getValue().asText());
    }
    return Optional.of(Metadata.of(told));
  }
}
