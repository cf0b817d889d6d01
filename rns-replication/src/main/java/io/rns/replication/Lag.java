package io.rns.replication;

/**
 * Replication lag: time from a change's commit on the primary until reads on a replica see it, over the last minute.
 *
 * @param samples number of changes measured; without any, the other fields are 0
 * @param p50Millis the median
 * @param p99Millis the 99th percentile
 */
public record Lag(int samples, long p50Millis, long p99Millis) {
  /** No changes were measured. */
  public static final Lag NONE = new Lag(0, 0, 0);
}
