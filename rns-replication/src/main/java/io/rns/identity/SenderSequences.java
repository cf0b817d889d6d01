package io.rns.identity;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Remembers which numbers of each sender were taken. A sender counts its messages; those of the last {@value #WINDOW}
 * numbers may arrive in any order, older ones are not known any more. So memory does not depend on how many messages
 * there are: 128 KiB per sender. Thread-safe.
 */
final class SenderSequences {
  /** How far behind the newest number one may be; a front of 20,000 requests a second counts as far in 52 s. */
  static final int WINDOW = 1 << 20;

  /** Senders within the time: each process of a front is one. */
  static final int MOST_SENDERS = 64;

  private final long keptMillis;
  private final Map<Long, Window> senders = new HashMap<>();

  /**
   * An empty memory.
   *
   * @param keptMillis how long a sender is remembered after its last message; older messages must be refused otherwise
   */
  SenderSequences(long keptMillis) {
    this.keptMillis = keptMillis;
  }

  /** What became of a message. */
  enum Outcome {
    NEW, KNOWN,
    /** It may have been taken or not. */
    LATE,
    /** Too many senders. */
    FULL
  }

  private static final class Window {
    private final long[] bits = new long[WINDOW / Long.SIZE];
    private long newest;
    private long usedMillis;

    Outcome take(long number) {
      if (number <= newest - WINDOW) {
        return Outcome.LATE;
      }
      if (number > newest) {
        advance(number);
      } else if ((bits[word(number)] & bit(number)) != 0) {
        return Outcome.KNOWN;
      }
      bits[word(number)] |= bit(number);
      return Outcome.NEW;
    }

    private void advance(long number) {
      if (number - newest >= WINDOW) {
        Arrays.fill(bits, 0);
      } else {
        for (long passed = newest + 1; passed <= number; passed++) {
          bits[word(passed)] &= ~bit(passed);
        }
      }
      newest = number;
    }

    private static int word(long number) {
      return (int) (number & (WINDOW - 1)) / Long.SIZE;
    }

    private static long bit(long number) {
      return 1L << number;
    }
  }

  /**
   * Remembers a message.
   *
   * @param number positive
   */
  synchronized Outcome take(long sender, long number, long now) {
    Window window = senders.get(sender);
    if (window == null) {
      if (senders.size() >= MOST_SENDERS) {
        senders.values().removeIf(old -> now - old.usedMillis > keptMillis);
      }
      if (senders.size() >= MOST_SENDERS) {
        return Outcome.FULL;
      }
      window = new Window();
      senders.put(sender, window);
    }
    window.usedMillis = now;
    return window.take(number);
  }
}
