package io.rns.wire.rns;

import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.Metadata;
import io.rns.wire.Fault;
import io.rns.wire.Faults;
import io.rns.wire.Markup;
import io.rns.wire.Namespaces;
import io.rns.xml.XmlPull;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One {@code rns:entry-response} as any server of RNS 1.1 writes it.
 *
 * @param name the name of the entry; after a rename, the new name
 * @param references the endpoint, followed by additional ones from an RNS server of ours; empty if the response has no
 *        endpoint
 * @param supportsRns whether the resource is marked as supporting RNS
 * @param metadata the other metadata
 * @param entry the complete entry from a server of ours in an extended response, in place of the previous three
 * @param fault the reason the item was refused
 */
public record EntryResponse(
    String name,
    List<EndpointReference> references,
    SupportsRns supportsRns,
    Metadata metadata,
    Optional<Entry> entry,
    Optional<Fault> fault) {
  public EntryResponse {
    references = List.copyOf(references);
  }

  /** Reads the response at {@code pull} and moves to its end. */
  public static EntryResponse read(XmlPull pull) {
    String name = Markup.required(pull, "entry-name");
    List<EndpointReference> references = new ArrayList<>(1);
    MetadataParts parts = MetadataParts.none();
    @Nullable
    Entry entry = null;
    @Nullable
    Fault fault = null;
    while (pull.nextChild()) {
      if (pull.is(Namespaces.RNS_11, "endpoint") && !pull.isNil()) {
        references.add(EndpointReference.read(pull));
      } else if (pull.is(Namespaces.RNS_11, "metadata")) {
        parts = MetadataParts.read(pull);
      } else if (Faults.isItem(pull)) {
        fault = Faults.readItem(pull);
      } else if (pull.is(Namespaces.EXT, "entry")) {
        entry = EntryCodec.read(pull);
      } else {
        pull.skip();
      }
    }
    references.addAll(parts.references);
    return new EntryResponse(
        name,
        references,
        parts.supportsRns,
        Metadata.ofFragments(parts.fragments),
        Optional.ofNullable(entry),
        Optional.ofNullable(fault));
  }
}
