package io.rns.wire.rns;

import io.rns.api.EndpointReference;
import io.rns.error.Limits;
import io.rns.wire.Namespaces;
import io.rns.xml.XmlPull;
import java.util.ArrayList;
import java.util.List;

/** The metadata element of RNS 1.1. */
final class MetadataParts {
  SupportsRns supportsRns = SupportsRns.UNKNOWN;

  /** Additional references of a link besides its endpoint. */
  final List<EndpointReference> references = new ArrayList<>(0);

  final List<String> fragments = new ArrayList<>(2);

  private MetadataParts() {}

  static MetadataParts none() {
    return new MetadataParts();
  }

  /** Reads the children of the element at {@code pull} and moves to its end; a nil element has none. */
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
        // Check early: namespace declarations copied into each element can exceed the size of the message.
        Limits.check("metadata", chars, Limits.METADATA_BYTES, "characters");
        parts.fragments.add(fragment);
      }
    }
    return parts;
  }
}
