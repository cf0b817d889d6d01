package io.rns.wire.rns;

import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.Entry.Binding;
import io.rns.api.Entry.Junction;
import io.rns.api.Entry.PoolAnswer;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.Metadata;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.wire.Markup;
import io.rns.wire.Namespaces;
import io.rns.wire.ReplyForm;
import io.rns.wire.Timestamps;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Entries in responses: complete as {@code x:entry}, or in the parts defined by the specification. */
public final class EntryCodec {
  private EntryCodec() {}

  /** Appends a complete entry as an element of the given name in the extension namespace. */
  public static void write(XmlBuffer out, String element, Entry entry) {
    boolean directory = entry instanceof VirtualDirectory;
    out.raw("<_x:").raw(element).raw(directory ? " kind=\"directory\" id=\"" : " kind=\"junction\" id=\"");
    out.raw(entry.id().toString()).raw("\"");
    if (!entry.isRoot()) {
      Binding binding = entry.binding();
      out.raw(" parent=\"").raw(binding.parent().toString()).raw("\"").attribute("name", binding.name().toString());
    }
    out.attribute("version", entry.version());
    Timestamps.write(out.raw(" created=\""), entry.created());
    Timestamps.write(out.raw("\" modified=\""), entry.modified());
    out.raw("\"");
    if (entry instanceof VirtualDirectory d && d.entries() >= 0) {
      out.attribute("entries", d.entries());
    }
    if (directory && entry.metadata().isEmpty()) {
      out.raw("/>");
      return;
    }
    out.raw(">");
    if (!entry.metadata().isEmpty()) {
      out.raw("<_x:metadata>").raw(entry.metadata().xml()).raw("</_x:metadata>");
    }
    if (entry instanceof Junction junction) {
      for (EndpointReference reference : junction.references()) {
        reference.writeTo(out, "_x:reference");
      }
      if (junction.pool().isPresent()) {
        write(out, junction.pool().get());
      }
    }
    out.raw("</_x:").raw(element).raw(">");
  }

  private static void write(XmlBuffer out, PoolAnswer pool) {
    out.raw("<_x:pool");
    pool.policy().ifPresent(policy -> out.attribute("policy", policy));
    out.attribute("ttl-millis", pool.ttlMillis()).raw("/>");
  }

  private static PoolAnswer readPool(XmlPull pull) {
    Optional<String> policy = Optional.ofNullable(pull.attribute("", "policy"));
    long ttlMillis = Markup.number("attribute 'ttl-millis'", Markup.required(pull, "ttl-millis"));
    pull.skip();
    return new PoolAnswer(policy, ttlMillis);
  }

  /** Reads an entry written by {@link #write}. */
  public static Entry read(XmlPull pull) {
    String kind = Markup.required(pull, "kind");
    EntryId id = EntryId.parse(Markup.required(pull, "id"));
    String parent = pull.attribute("", "parent");
    Binding binding =
        parent == null ? null : new Binding(EntryId.parse(parent), EntryName.of(Markup.required(pull, "name")));
    long version = Markup.number("attribute 'version'", Markup.required(pull, "version"));
    String createdText = Markup.required(pull, "created");
    Instant created = instant("created", createdText);
    String modifiedText = Markup.required(pull, "modified");
    // Most entries never change.
    Instant modified = modifiedText.equals(createdText) ? created : instant("modified", modifiedText);
    String counted = pull.attribute("", "entries");
    long entries = counted == null ? -1 : Markup.number("attribute 'entries'", counted);
    Metadata metadata = Metadata.NONE;
    List<EndpointReference> references = new ArrayList<>(1);
    Optional<PoolAnswer> pool = Optional.empty();
    while (pull.nextChild()) {
      if (pull.is(Namespaces.EXT, "metadata")) {
        metadata = Metadata.readChildren(pull);
      } else if (pull.is(Namespaces.EXT, "reference")) {
        references.add(EndpointReference.read(pull));
      } else if (pull.is(Namespaces.EXT, "pool")) {
        pool = Optional.of(readPool(pull));
      } else {
        pull.skip();
      }
    }
    if (kind.equals("directory")) {
      return new VirtualDirectory(binding, id, version, created, modified, metadata, entries);
    }
    if (binding == null) {
      throw new RnsException(RnsError.INVALID_REQUEST, "junction " + id + " has no attribute 'parent'");
    }
    return new Junction(binding, id, version, created, modified, metadata, references, pool);
  }

  /** Reads the only entry of a response element. */
  static Entry readOnly(XmlPull response) {
    @Nullable
    Entry entry = null;
    while (response.nextChild()) {
      if (response.is(Namespaces.EXT, "entry")) {
        entry = read(response);
      } else {
        response.skip();
      }
    }
    if (entry == null) {
      throw notExtended();
    }
    return entry;
  }

  static RnsException notExtended() {
    return new RnsException(
        RnsError.MALFORMED_MESSAGE, "the answer has no x:entry: the server does not know namespace " + Namespaces.EXT);
  }

  private static Instant instant(String name, String text) {
    try {
      return Timestamps.parse(text);
    } catch (DateTimeException e) {
      throw new RnsException(RnsError.INVALID_REQUEST, "attribute '" + name + "' is not an instant", e);
    }
  }

  /**
   * Appends the {@code r:entry_reference} elements: those of a junction as given, or the one of a directory of ours.
   */
  static void writeReferences(XmlBuffer out, Entry entry, ReplyForm form) {
    if (entry instanceof Junction junction) {
      for (EndpointReference reference : junction.references()) {
        reference.writeTo(out, "_r:entry_reference");
      }
    } else {
      form.directoryReference(out, "_r:entry_reference", entry.id());
    }
  }

  /** Appends {@code r:entry_name}, the metadata and the references, in the order of the specification. */
  static void writeProperties(XmlBuffer out, Entry entry, ReplyForm form) {
    out.raw("<_r:entry_name>").text(entry.displayName()).raw("</_r:entry_name>");
    out.raw(entry.metadata().xml());
    writeReferences(out, entry, form);
  }
}
