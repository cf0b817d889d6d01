package io.rns.wire;

/** A request as it was read from the body of a message. */
public interface Request {
  /** How errors of the request are told. */
  FaultTable faults();
}
