package io.rns.server.namespace;

import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.Entry.Junction;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.Metadata;
import java.util.List;

/** Entries as they are shown to a caller who may see their names only. */
final class HiddenContent {
  /** WS-Addressing's address of what cannot be reached. */
  private static final List<EndpointReference> UNREACHABLE =
      List.of(EndpointReference.ofAddress("http://www.w3.org/2005/08/addressing/none"));

  private HiddenContent() {}

  /** An entry without references and metadata. */
  static Entry of(Entry entry) {
    return switch (entry) {
      case VirtualDirectory directory ->
        new VirtualDirectory(
            directory.place(), entry.id(), entry.version(), entry.created(), entry.modified(), Metadata.NONE, -1,
            directory.owner());
      case Junction junction ->
        new Junction(
            junction.binding(), entry.id(), entry.version(), entry.created(), entry.modified(), Metadata.NONE,
            UNREACHABLE);
    };
  }
}
