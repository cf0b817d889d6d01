package io.rns.pool;

/**
 * An element as seen by one user, which received it from a registrar and may have used it since.
 *
 * @param standing its state at the registrar; the user charges nothing to it
 * @param sequence renewed by the user at each use
 * @param reportedMillis when the standing was known to be right: when a registrar told it, which counts its selections
 *        since the last report
 * @param knownSinceMillis when the user first received the element
 * @param inFlight the number of this user's requests that it holds
 * @param costMillis its response time relative to the rest of the pool, in ms; at least the penalty of a recent
 *        rejection; 0 if unknown
 * @param health whether to leave it out
 */
public record Prospect(
    SelectionState standing,
    long sequence,
    long reportedMillis,
    long knownSinceMillis,
    long inFlight,
    double costMillis,
    Health health)
    implements
      Candidate {}
