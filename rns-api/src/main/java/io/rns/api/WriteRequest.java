package io.rns.api;

/** A request that changes the namespace. */
public sealed interface WriteRequest permits AddRequest, UpdateRequest, RemoveRequest {
  /** Whether one refused item keeps the others from being applied. */
  boolean allOrNothing();

  /** The number of items. */
  int size();
}
