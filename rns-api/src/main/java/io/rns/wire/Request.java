package io.rns.wire;

/** A request read from the body of a message. */
public interface Request {
  /** The fault elements for errors of the request. */
  FaultTable faults();
}
