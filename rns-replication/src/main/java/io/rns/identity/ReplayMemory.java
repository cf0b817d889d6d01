package io.rns.identity;

/**
 * Remembers which messages were taken, for at least a time, in 16 bytes each. Thread-safe.
 */
final class ReplayMemory {
  private static final int FIRST = 1_024;

  private final long keptMillis;
  private final int most;
  private long[] latest = new long[FIRST];
  private long[] earlier = new long[FIRST];
  private int count;
  private long since;

  /**
   * An empty memory.
   *
   * @param keptMillis how long a message is remembered at least
   * @param most messages within that time
   */
  ReplayMemory(long keptMillis, int most, long now) {
    this.keptMillis = keptMillis;
    this.most = most;
    this.since = now;
  }

  /** What became of a message. */
  enum Outcome {
    NEW, KNOWN, FULL
  }

  /** Remembers a message by 64 random bits of it, unless it is known or there are too many. */
  synchronized Outcome take(long bits, long now) {
    if (now - since >= keptMillis) {
      earlier = now - since >= 2 * keptMillis ? new long[FIRST] : latest;
      latest = new long[FIRST];
      count = 0;
      since = now;
    }
    // Marks a free place.
    long message = bits == 0 ? 1 : bits;
    if (has(earlier, message) || has(latest, message)) {
      return Outcome.KNOWN;
    }
    if (count >= most) {
      return Outcome.FULL;
    }
    if (2 * (count + 1) > latest.length) {
      grow();
    }
    latest[place(latest, message)] = message;
    count++;
    return Outcome.NEW;
  }

  private void grow() {
    long[] larger = new long[2 * latest.length];
    for (long message : latest) {
      if (message != 0) {
        larger[place(larger, message)] = message;
      }
    }
    latest = larger;
  }

  private static boolean has(long[] table, long message) {
    return table[place(table, message)] == message;
  }

  /** Where a message is, or would be: tables are at most half full. */
  private static int place(long[] table, long message) {
    int place = (int) (message ^ (message >>> 32)) & (table.length - 1);
    while (table[place] != 0 && table[place] != message) {
      place = (place + 1) & (table.length - 1);
    }
    return place;
  }
}
