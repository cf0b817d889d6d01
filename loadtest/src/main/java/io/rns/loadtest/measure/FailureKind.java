package io.rns.loadtest.measure;

/** How a request of a load can fail. */
public enum FailureKind {
  /** The server answered with an HTTP status that is not the one of a success. */
  HTTP_STATUS,
  /** The service answered with a fault, of the whole message or of an item of a batch. */
  FAULT,
  /** The answer is no HTTP, or not the answer that belongs to the request. */
  UNEXPECTED_ANSWER,
  /** No connection, or it broke before the answer was complete. */
  CONNECTION,
  /** No complete answer came within the bound. */
  TIMEOUT,
  /** The database refused a statement. */
  DATABASE
}
