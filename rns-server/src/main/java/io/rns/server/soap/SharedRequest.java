package io.rns.server.soap;

import io.rns.api.EntryId;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.wire.FaultTable;
import io.rns.wire.MessageHeaders;
import io.rns.wire.Request;
import io.rns.wire.rns.EntryOperations;
import io.rns.wire.rns.EntryRequest;
import io.rns.wire.rns.ListingRequest;
import java.util.Optional;

/** Which requests other clients may send in the same words, and get the same answer. Stateless. */
final class SharedRequest {
  private SharedRequest() {}

  /**
   * What a lookup or list by path asks for, if its answer names no other server and has no headers but its position,
   * its age, and where the next page begins; empty for all other requests.
   */
  static Optional<RnsPath> path(Request request, MessageHeaders asked) {
    boolean plain =
        asked.iterator().isEmpty() && asked.requestId().isEmpty() && asked.ifVersion().isEmpty() && asked.hops() == 0
            && !asked.servers() && !asked.explain()
            && (asked.extended() || request.faults() == FaultTable.RNS_1_0);
    return plain ? target(request, asked).filter(target -> target.start().equals(EntryId.ROOT)).map(Target::path)
        : Optional.empty();
  }

  private static Optional<Target> target(Request request, MessageHeaders asked) {
    return switch (request) {
      case EntryRequest<?> lookup when lookup.codec().equals(EntryOperations.QUERY) && !lookup.batch()
          && lookup.targets().size() == 1 && asked.page().isEmpty() ->
        Optional.of(lookup.targets().getFirst());
      case ListingRequest list -> Optional.of(list.request().directory());
      default -> Optional.empty();
    };
  }
}
