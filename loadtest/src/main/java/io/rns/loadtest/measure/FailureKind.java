package io.rns.loadtest.measure;

public enum FailureKind {
  HTTP_STATUS,
  /** The service answered with a fault, of the whole message or of an item of a batch. */
  FAULT,
  /** The answer is no HTTP, or not the answer that belongs to the request. */
  UNEXPECTED_ANSWER,
  /** No connection, or it broke before the answer was complete. */
  CONNECTION, TIMEOUT,
  /** The database refused a statement. */
  DATABASE
}
