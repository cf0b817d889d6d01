package io.rns.client.plain;

import io.rns.api.EndpointReference;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.EntryId;

/**
 * A directory of a server of plain RNS 1.1, and where it is reached.
 *
 * @param reference its endpoint reference
 * @param entry its entry, as it was seen
 */
record DirectoryPlace(EndpointReference reference, VirtualDirectory entry) {
  EntryId id() {
    return entry.id();
  }
}
