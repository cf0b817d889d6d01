package io.rns.api;

import io.rns.api.UpdateRequest.EntryChange;
import io.rns.error.RnsError;
import io.rns.error.RnsException;

/**
 * Begins to move an entry to a directory of another server group: from here on, reads wait for the end of the move, and
 * writes of the entry are refused.
 *
 * @param change what is to become of the entry; its new directory is named as {@code group} knows it
 * @param group the server group of that directory
 */
public record DepartRequest(EntryChange change, int group) implements WriteRequest {
  public DepartRequest {
    if (change.parent().isEmpty()) {
      throw new RnsException(RnsError.INVALID_REQUEST, "the move of '" + change.target() + "' leads nowhere");
    }
  }

  @Override
  public boolean allOrNothing() {
    return true;
  }

  @Override
  public int size() {
    return 1;
  }
}
