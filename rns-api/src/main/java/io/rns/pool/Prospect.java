package io.rns.pool;

/**
 * An element as one user sees it, which got it from a registrar and has used it or not.
 *
 * @param standing what the registrar said; the user charges nothing here
 * @param sequence renewed by the user at each use
 * @param reportedMillis when the element reported what the standing says
 * @param knownSinceMillis when the user first met it
 * @param inFlight how many requests of this user it holds
 * @param costMillis how long it takes to answer, as far as that differs within the pool; at least the penalty of a
 *        recent rejection; 0 where nothing is known
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
