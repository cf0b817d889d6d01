package io.rns.loadtest.work;

import io.rns.access.AccessLine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * What sessions have asked for, and when.
 *
 * <p>As text a line for each operation: milliseconds since the beginning, the name of the session, the operation, the
 * path, and of a move the new path, separated by tabs; lines that begin with {@code #} are comments. Paths begin where
 * the load has its directory.
 */
public record Trace(Map<String, List<Event>> sessions) {
  private static final int FEWEST_COLUMNS = 4;
  private static final int MOST_COLUMNS = 5;
  /** More would not fit into the memory of a load generator. */
  static final int MOST_EVENTS = 5_000_000;
  static final Duration LONGEST = Duration.ofDays(1);
  private static final double LONGEST_MILLIS = LONGEST.toMillis();

  public record Event(long nanos, Call call) {}

  public static Trace parse(Stream<String> lines) {
    Map<String, List<Event>> sessions = new LinkedHashMap<>();
    int number = 0;
    int events = 0;
    for (String line : (Iterable<String>) lines::iterator) {
      if (++number == 1 && line.equals(AccessLine.HEADER)) {
        throw new IllegalArgumentException("it is the access log of a server, of which './rns trace' makes a trace");
      }
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      if (++events > MOST_EVENTS) {
        throw new IllegalArgumentException(
            "line " + number + ": a trace may have " + MOST_EVENTS + " operations at most");
      }
      try {
        add(sessions, line.split("\t", -1));
      } catch (IllegalArgumentException e) {
        String shown = line.length() > 100 ? line.substring(0, 100) + "..." : line;
        throw new IllegalArgumentException(
            "line " + number + " '" + shown.replace('\t', ' ') + "' " + e.getMessage(), e);
      }
    }
    if (sessions.isEmpty()) {
      throw new IllegalArgumentException("no operation in " + number + " lines");
    }
    return new Trace(sessions);
  }

  private static void add(Map<String, List<Event>> sessions, String[] columns) {
    require(columns.length >= FEWEST_COLUMNS && columns.length <= MOST_COLUMNS,
        "has " + columns.length + " columns instead of milliseconds, session, operation, path");
    Kind kind = Kind.of(columns[2])
        .orElseThrow(() -> new IllegalArgumentException("has no operation in its third column"));
    String to = columns.length == MOST_COLUMNS ? path(columns[4]) : "";
    require((kind == Kind.MOVE) != to.isEmpty(), "must have a new path if it is a move, and only then");
    Event event = new Event(nanos(columns[0]), new Call(kind, path(columns[3]), to));
    List<Event> session = sessions.computeIfAbsent(columns[1], any -> new ArrayList<>());
    require(session.isEmpty() || session.getLast().nanos() <= event.nanos(),
        "is earlier than what its session did before");
    session.add(event);
  }

  private static long nanos(String text) {
    double millis;
    try {
      millis = Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("has no number of milliseconds in its first column", e);
    }
    require(millis >= 0 && millis <= LONGEST_MILLIS, "is not within a day of the beginning");
    return Math.round(millis * TimeUnit.MILLISECONDS.toNanos(1));
  }

  private static String path(String text) {
    require(text.startsWith("/") && !text.contains("//") && (text.length() == 1 || !text.endsWith("/")),
        "has '" + text + "' for a path");
    return text;
  }

  private static void require(boolean good, String complaint) {
    if (!good) {
      throw new IllegalArgumentException(complaint);
    }
  }

  static String line(long nanos, String session, Call call) {
    String line = String.format(Locale.ROOT, "%.3f\t%s\t%s\t%s", nanos / 1e6, session, call.kind(), call.path());
    return call.to().isEmpty() ? line : line + "\t" + call.to();
  }

  /** When the last operation began, in nanoseconds since the beginning. */
  public long length() {
    return sessions.values().stream().mapToLong(session -> session.getLast().nanos()).max().orElse(0);
  }
}
