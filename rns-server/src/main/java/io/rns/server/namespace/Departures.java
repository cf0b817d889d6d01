package io.rns.server.namespace;

import io.rns.api.EntryId;
import io.rns.server.store.DepartureTable.Departure;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The entries that are moving to other server groups, as last committed: read from the database when a transaction
 * first needs them, and again after one that has tried to change them. Belongs to the writer's thread.
 */
final class Departures {
  private Optional<Map<EntryId, Departure>> known = Optional.empty();

  /** All of them. */
  Map<EntryId, Departure> all(Supplier<List<Departure>> read) {
    if (known.isEmpty()) {
      Map<EntryId, Departure> all = new HashMap<>();
      read.get().forEach(departure -> all.put(departure.entry(), departure));
      known = Optional.of(Map.copyOf(all));
    }
    return known.get();
  }

  /** A transaction is about to change them; whether it will be committed is not known. */
  void forget() {
    known = Optional.empty();
  }
}
