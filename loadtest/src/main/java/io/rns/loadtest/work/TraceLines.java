package io.rns.loadtest.work;

import io.rns.access.AccessLine;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Reads the text of traces: a line for each event, of columns that are separated by tabs; {@code #} is a comment. */
public final class TraceLines {
  /** Maximum events: more would not fit into the memory of a load generator. */
  static final int MOST_EVENTS = 5_000_000;

  /** Maximum length of a trace. */
  public static final Duration LONGEST = Duration.ofDays(1);

  private static final int SHOWN = 100;

  private TraceLines() {}

  /**
   * Reads all lines.
   *
   * @param event what a line is, for messages, such as {@code operation}
   * @param others first lines of other kinds of files, with the message that rejects each
   * @param taker receives the columns of each event, and rejects them by an {@link IllegalArgumentException}
   * @throws IllegalArgumentException if a line is rejected, with its number; if there are too many events, or none
   */
  public static void read(Stream<String> lines, String event, Map<String, String> others, Consumer<String[]> taker) {
    int number = 0;
    int events = 0;
    for (String line : (Iterable<String>) lines::iterator) {
      if (++number == 1) {
        check(line, others);
      }
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      if (++events > MOST_EVENTS) {
        throw new IllegalArgumentException(
            "line " + number + ": a trace may have " + MOST_EVENTS + " " + event + "s at most");
      }
      try {
        taker.accept(line.split("\t", -1));
      } catch (IllegalArgumentException e) {
        String shown = line.length() > SHOWN ? line.substring(0, SHOWN) + "..." : line;
        throw new IllegalArgumentException(
            "line " + number + " '" + shown.replace('\t', ' ') + "' " + e.getMessage(), e);
      }
    }
    if (events == 0) {
      throw new IllegalArgumentException("no " + event + " in " + number + " lines");
    }
  }

  private static void check(String first, Map<String, String> others) {
    if (first.equals(AccessLine.HEADER)) {
      throw new IllegalArgumentException("it is the access log of a server, of which './rns trace' makes a trace");
    }
    String other = others.get(first);
    if (other != null) {
      throw new IllegalArgumentException(other);
    }
  }

  /**
   * Parses a time.
   *
   * @throws IllegalArgumentException if it is not a number
   */
  public static double millis(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("has no number of milliseconds in its first column", e);
    }
  }

  /**
   * Rejects a line unless a condition holds.
   *
   * @throws IllegalArgumentException with the complaint
   */
  public static void require(boolean good, String complaint) {
    if (!good) {
      throw new IllegalArgumentException(complaint);
    }
  }
}
