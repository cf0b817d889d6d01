package io.rns.wire;

/** A request as it was read from the body of a message. */
public sealed interface Request
    permits EntryRequest, ListingRequest, IterateRequest, SearchRequest, ResourceRequest, PoolRequest {
  /** How errors of the request are told. */
  FaultTable faults();
}
