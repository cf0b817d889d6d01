package io.rns.wire.resource;

import io.rns.wire.FaultTable;
import io.rns.wire.Request;
import java.util.Optional;

/**
 * A request for the next elements of an iterator.
 *
 * @param iterator the iterator; empty if the message names none
 * @param startOffset the index of the first element; the caller decides whether counting begins at 0 or 1
 * @param elementCount the maximum number of elements
 */
public record IterateRequest(Optional<String> iterator, long startOffset, long elementCount) implements Request {
  @Override
  public FaultTable faults() {
    return FaultTable.READ;
  }
}
