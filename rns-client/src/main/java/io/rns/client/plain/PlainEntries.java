package io.rns.client.plain;

import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.Entry.Binding;
import io.rns.api.Entry.Junction;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.Metadata;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.wire.rns.EntryResponse;
import io.rns.wire.rns.SupportsRns;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * Entries of plain RNS 1.1. It has neither identities nor versions: they are derived from the response, so that they
 * are stable as long as that is, and there are no times of links.
 */
final class PlainEntries {
  /** Stands for a missing time. */
  static final Instant UNTOLD = Instant.EPOCH;

  private static final long NOT_COUNTED = -1;

  /** Keeps derived numbers apart from the root's. */
  private static final long DERIVED = 1L << 62;

  private PlainEntries() {}

  /** The top of the tree. */
  static VirtualDirectory root() {
    return new VirtualDirectory(null, EntryId.ROOT, 1, UNTOLD, UNTOLD, Metadata.NONE, NOT_COUNTED);
  }

  /**
   * The entry of a response without a fault.
   *
   * @throws RnsException {@link RnsError#UNAVAILABLE} if it has no endpoint
   */
  static Entry entry(EntryId parent, EntryName name, EntryResponse response) {
    boolean directory = response.supportsRns() == SupportsRns.TRUE;
    Metadata metadata = directory ? response.metadata() : response.supportsRns().with(response.metadata());
    return directory
        ? directory(parent, name, reference(name, response), metadata)
        : junction(parent, name, response.references(), metadata);
  }

  /** The first reference of a response. */
  static EndpointReference reference(EntryName name, EntryResponse response) {
    if (response.references().isEmpty()) {
      throw new RnsException(RnsError.UNAVAILABLE, "the server's answer has no endpoint of '" + name + "'");
    }
    return response.references().get(0);
  }

  static VirtualDirectory directory(EntryId parent, EntryName name, EndpointReference reference, Metadata metadata) {
    Binding binding = new Binding(parent, name);
    EntryId id =
        reference
            .endpointIdentifier()
            .map(epi -> new EntryId(derived("epi " + epi)))
            .orElseGet(() -> named(binding));
    long version = derived(name + " " + reference.xml() + metadata.xml());
    return new VirtualDirectory(binding, id, version, UNTOLD, UNTOLD, metadata, NOT_COUNTED);
  }

  static Junction junction(EntryId parent, EntryName name, List<EndpointReference> references, Metadata metadata) {
    if (references.isEmpty()) {
      throw new RnsException(RnsError.UNAVAILABLE, "the server's answer has no endpoint of '" + name + "'");
    }
    Binding binding = new Binding(parent, name);
    long version = derived(name + " " + references + metadata.xml());
    return new Junction(binding, named(binding), version, UNTOLD, UNTOLD, metadata, references);
  }

  /** Several names may lead to one resource, so that of a link is not its identity. */
  private static EntryId named(Binding binding) {
    return new EntryId(derived("name " + binding.parent() + "/" + binding.name()));
  }

  private static long derived(String text) {
    long bits = UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8)).getMostSignificantBits();
    return (bits & Long.MAX_VALUE) | DERIVED;
  }
}
