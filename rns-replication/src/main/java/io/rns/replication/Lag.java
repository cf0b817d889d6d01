package io.rns.replication;

/**
 * How long changes of the last minute took from their commit on the primary until reads saw them on a replica.
 *
 * @param samples how many times changes arrived; the others are 0 if none did
 * @param p50Millis half of them took no longer
 * @param p99Millis nearly all took no longer
 */
public record Lag(int samples, long p50Millis, long p99Millis) {
  /** No change has come. */
  public static final Lag NONE = new Lag(0, 0, 0);
}
