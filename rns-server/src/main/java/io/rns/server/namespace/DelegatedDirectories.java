package io.rns.server.namespace;

import io.rns.api.EntryId;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The directories that other server groups own, as last committed: read from the database when a transaction first
 * needs them, and again after one that has tried to add to them. Belongs to the writer's thread.
 */
final class DelegatedDirectories {
  private Optional<Set<EntryId>> known = Optional.empty();

  /** All of them. */
  Set<EntryId> all(Supplier<List<EntryId>> read) {
    if (known.isEmpty()) {
      known = Optional.of(Set.copyOf(read.get()));
    }
    return known.get();
  }

  /** A transaction is about to add to them; whether it will be committed is not known. */
  void forget() {
    known = Optional.empty();
  }
}
