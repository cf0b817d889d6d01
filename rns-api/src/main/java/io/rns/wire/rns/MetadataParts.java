package io.rns.wire.rns;

import io.rns.api.EndpointReference;
import io.rns.error.Limits;
import io.rns.wire.Namespaces;
import io.rns.xml.XmlPull;
import java.util.ArrayList;
import java.util.List;

/** Metadata of RNS 1.1 as they stand in messages. */
final class MetadataParts {
  SupportsRns supportsRns = SupportsRns.UNKNOWN;

  /** Further references of a link, beside the one that is its endpoint. */
  final List<EndpointReference> references = new ArrayList<>(0);

  final List<String> fragments = new ArrayList<>(2);

  private MetadataParts() {}

  /** Nothing told. */
  static MetadataParts none() {
    return new MetadataParts();
  }

  /** Reads the children of the element at {@code pull} and moves to its end; a nil one says nothing. */
  static MetadataParts read(XmlPull pull) {
    MetadataParts parts = new MetadataParts();
    if (pull.isNil()) {
      pull.skip();
      return parts;
    }
    long chars = 0;
    while (pull.nextChild()) {
      if (SupportsRns.isAt(pull)) {
        parts.supportsRns = SupportsRns.read(pull);
      } else if (pull.is(Namespaces.EXT, "reference")) {
        Limits.check("an entry", parts.references.size() + 2L, Limits.EPRS_PER_ENTRY, "endpoint references");
        parts.references.add(EndpointReference.read(pull));
      } else {
        String fragment = pull.fragment();
        chars += fragment.length();
        // Early, because what inherited declarations add to each element is not bounded by the message.
        Limits.check("metadata", chars, Limits.METADATA_BYTES, "characters");
        parts.fragments.add(fragment);
      }
    }
    return parts;
  }
}
