package io.rns.wire.resource;

import io.rns.wire.FaultTable;
import io.rns.wire.Request;
import java.util.Optional;

/**
 * A request for the next elements of an iterator as it was read.
 *
 * @param iterator which; empty if the message names none
 * @param startOffset the place of the first element; where counting begins is a matter of the caller
 * @param elementCount the most elements to answer
 */
public record IterateRequest(Optional<String> iterator, long startOffset, long elementCount) implements Request {
  @Override
  public FaultTable faults() {
    return FaultTable.READ;
  }
}
