package io.rns.api;

import java.util.Optional;

/**
 * Ends a move to another server group: the entry is gone from here, or again what it was before. Does nothing if that
 * was done.
 *
 * @param entry the entry that was to move
 * @param departed the position of its mark
 * @param arrived the position of the other group that has the entry; empty if that group has refused it
 * @param reflected positions that the answer of the other group reflects
 */
public record ConcludeRequest(EntryId entry, Position departed, Optional<Position> arrived, Positions reflected)
    implements
      WriteRequest {
  @Override
  public boolean allOrNothing() {
    return true;
  }

  @Override
  public int size() {
    return 1;
  }
}
