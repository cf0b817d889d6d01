package io.rns.api;

/** A request that changes the namespace. */
public sealed interface WriteRequest extends EntriesRequest
    permits AddRequest, UpdateRequest, RemoveRequest, AssignRequest, ContentRequest, DepartRequest, ArriveRequest,
    ConcludeRequest {
  /** Whether one refused item prevents the whole batch. */
  boolean allOrNothing();

  int size();
}
