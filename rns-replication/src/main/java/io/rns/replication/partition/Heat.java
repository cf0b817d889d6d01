package io.rns.replication.partition;

/**
 * How much a directory is used.
 *
 * @param reads of its entries, and listings, per second
 * @param writes to its entries per second
 */
public record Heat(double reads, double writes) {
  /** A directory that is not used. */
  public static final Heat NONE = new Heat(0, 0);

  /** Of two directories together. */
  public Heat plus(Heat other) {
    return new Heat(reads + other.reads, writes + other.writes);
  }

  /** What is needed for it, in reads per second. */
  public double load(double writeCost) {
    return reads + writes * writeCost;
  }
}
