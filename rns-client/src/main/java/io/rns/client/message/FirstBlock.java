package io.rns.client.message;

import io.rns.api.EndpointReference;
import io.rns.wire.Namespaces;
import io.rns.wire.rns.EntryResponse;
import io.rns.xml.XmlPull;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a lookup without names answers.
 *
 * @param entries the entries, or the first of them
 * @param iterator the way to all, or to the others; empty if there are no more
 */
public record FirstBlock(List<EntryResponse> entries, Optional<EndpointReference> iterator) {
  /** Copies the entries. */
  public FirstBlock {
    entries = List.copyOf(entries);
  }

  /** Reads the response at {@code pull} and moves to its end. */
  static FirstBlock read(XmlPull pull) {
    List<EntryResponse> entries = new ArrayList<>();
    @Nullable
    EndpointReference iterator = null;
    while (pull.nextChild()) {
      if (pull.is(Namespaces.RNS_11, "entry-response")) {
        entries.add(EntryResponse.read(pull));
      } else if (pull.is(Namespaces.RNS_11, "iterator") && !pull.isNil()) {
        iterator = EndpointReference.read(pull);
      } else {
        pull.skip();
      }
    }
    return new FirstBlock(entries, Optional.ofNullable(iterator));
  }
}
