package io.rns.wire.rns;

import io.rns.api.SubtreeRequest;
import io.rns.wire.FaultTable;
import io.rns.wire.Request;

/**
 * A request for a page of a subtree.
 *
 * @param codec writes the response
 * @param request the page
 */
public record SubtreePageRequest(SubtreeCodec codec, SubtreeRequest request) implements Request {
  @Override
  public FaultTable faults() {
    return codec.faults();
  }
}
