package io.rns.wire.rns;

import io.rns.api.EndpointReference;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.Metadata;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.wire.Faults;
import io.rns.wire.Markup;
import io.rns.wire.Namespaces;
import io.rns.wire.RequestFrame;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The children of {@code r:add} and {@code r:update}: the new content of an entry. */
final class EntryParts {
  @Nullable EntryName name;
  @Nullable Target parent;
  final List<EndpointReference> references = new ArrayList<>(1);
  private @Nullable Metadata wrapped;
  private final List<String> fragments = new ArrayList<>(0);
  private long fragmentChars;

  private EntryParts() {}

  /** The metadata; empty if the request has none. */
  Optional<Metadata> metadata() {
    if (wrapped != null) {
      return Optional.of(wrapped);
    }
    return fragments.isEmpty() ? Optional.empty() : Optional.of(Metadata.ofFragments(fragments));
  }

  /** Reads all children; with {@code movable}, also those that name the destination. */
  static EntryParts read(XmlPull pull, RequestFrame frame, boolean movable) {
    EntryParts parts = new EntryParts();
    while (pull.nextChild()) {
      boolean known =
          pull.namespace().equals(Namespaces.RNS)
              ? parts.standard(pull, frame, movable)
              : pull.namespace().equals(Namespaces.EXT) && parts.extension(pull, movable);
      if (!known) {
        parts.addMetadata(pull.fragment());
      }
    }
    if (parts.wrapped != null && !parts.fragments.isEmpty()) {
      throw new RnsException(RnsError.INVALID_REQUEST, "metadata occurs both inside and outside x:metadata");
    }
    return parts;
  }

  private void addMetadata(String fragment) {
    fragmentChars += fragment.length();
    Limits.check("metadata", fragmentChars, Limits.METADATA_BYTES, "characters");
    fragments.add(fragment);
  }

  private boolean standard(XmlPull pull, RequestFrame frame, boolean movable) {
    switch (pull.localName()) {
      case "entry_name" -> {
        Markup.once(name, "entry_name");
        if (pull.isNil()) {
          pull.skip();
        } else {
          name = EntryName.of(pull.text());
        }
      }
      case "entry_reference" -> {
        if (pull.isNil()) {
          pull.skip();
        } else {
          Limits.check("an entry", references.size() + 1L, Limits.EPRS_PER_ENTRY, "endpoint references");
          references.add(EndpointReference.read(pull));
        }
      }
      case "entry_parent" -> {
        if (!movable) {
          return false;
        }
        Markup.once(parent, "entry_parent");
        if (pull.isNil()) {
          pull.skip();
        } else {
          parent = parentOf(pull, frame);
        }
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  private boolean extension(XmlPull pull, boolean movable) {
    if (pull.localName().equals("metadata")) {
      Markup.once(wrapped, "metadata");
      wrapped = Metadata.readChildren(pull);
      return true;
    }
    if (movable && pull.localName().equals("parent")) {
      Markup.once(parent, "parent");
      String start = pull.attribute("", "start");
      String path = pull.attribute("", "path");
      parent =
          new Target(
              start == null ? EntryId.ROOT : EntryId.parse(start), path == null ? RnsPath.ROOT : RnsPath.parse(path));
      pull.skip();
      return true;
    }
    throw Markup.unknownElement(pull);
  }

  /** The directory denoted by an endpoint reference of ours. */
  private static Target parentOf(XmlPull pull, RequestFrame frame) {
    String address = "";
    EntryId id = null;
    while (pull.nextChild()) {
      if (pull.is(Namespaces.WSA, "Address")) {
        address = pull.text().trim();
      } else if (pull.is(Namespaces.WSA, "ReferenceParameters")) {
        id = entryIdIn(pull);
      } else {
        pull.skip();
      }
    }
    if (id == null && !address.equals(frame.serviceUrl())) {
      throw new RnsException(
          RnsError.INVALID_REQUEST,
          "entry_parent: the endpoint reference of '" + Faults.clean(address)
              + "' is not of a directory of this service ("
              + frame.serviceUrl() + ")");
    }
    return Target.of(id == null ? EntryId.ROOT : id);
  }

  private static @Nullable EntryId entryIdIn(XmlPull parameters) {
    EntryId id = null;
    while (parameters.nextChild()) {
      if (parameters.is(Namespaces.EXT, "EntryId")) {
        id = EntryId.parse(parameters.text().trim());
      } else {
        parameters.skip();
      }
    }
    return id;
  }

  /** Appends the references. */
  static void writeReferences(XmlBuffer out, List<EndpointReference> references) {
    for (EndpointReference reference : references) {
      reference.writeTo(out, "_r:entry_reference");
    }
  }

  /** Appends metadata such that no element of it can be mistaken for a part of the request. */
  static void writeMetadata(XmlBuffer out, Metadata metadata) {
    out.raw("<_x:metadata>").raw(metadata.xml()).raw("</_x:metadata>");
  }
}
