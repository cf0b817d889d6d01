package io.rns.association;

/**
 * Sizes and counters of the connections of a registrar.
 *
 * @param connections open connections of either direction
 * @param bytes memory of messages that are unfinished, undecided or unsent
 * @param refused connections that had no place
 * @param closed connections that were closed because all of them held too many bytes
 */
record AssociationFigures(int connections, long bytes, long refused, long closed) {
  static final AssociationFigures NONE = new AssociationFigures(0, 0, 0, 0);
}
