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
    int[] number = {0};
    int[] events = {0};
    lines.forEachOrdered(
        line -> {
          if (++number[0] == 1 && line.equals(AccessLine.HEADER)) {
            throw new IllegalArgumentException(
                "it is the access log of a server, of which './rns trace' makes a trace");
          }
          if (!line.isBlank() && !line.startsWith("#")) {
            if (++events[0] > MOST_EVENTS) {
              throw new IllegalArgumentException(
                  "line " + number[0] + ": a trace may have " + MOST_EVENTS + " operations at most");
            }
            add(sessions, line, number[0]);
          }
        });
    if (sessions.isEmpty()) {
      throw new IllegalArgumentException("no operation in " + number[0] + " lines");
    }
    return new Trace(sessions);
  }

  private static void add(Map<String, List<Event>> sessions, String line, int number) {
    String[] columns = line.split("\t", -1);
    if (columns.length < FEWEST_COLUMNS || columns.length > MOST_COLUMNS) {
      throw refused(number, line,
          "has " + columns.length + " columns instead of milliseconds, session, operation, path");
    }
    Kind kind = Kind.of(columns[2]).orElseThrow(() -> refused(number, line, "has no operation in its third column"));
    String to = columns.length == MOST_COLUMNS ? path(columns[4], number, line) : "";
    if ((kind == Kind.MOVE) == to.isEmpty()) {
      throw refused(number, line, "must have a new path if it is a move, and only then");
    }
    Event event = new Event(nanos(columns[0], number, line), new Call(kind, path(columns[3], number, line), to));
    List<Event> session = sessions.computeIfAbsent(columns[1], any -> new ArrayList<>());
    if (!session.isEmpty() && session.get(session.size() - 1).nanos() > event.nanos()) {
      throw refused(number, line, "is earlier than what its session did before");
    }
    session.add(event);
  }

  private static long nanos(String text, int number, String line) {
    try {
      double millis = Double.parseDouble(text);
      if (millis >= 0 && millis <= LONGEST_MILLIS) {
        return Math.round(millis * TimeUnit.MILLISECONDS.toNanos(1));
      }
    } catch (NumberFormatException e) {
      IllegalArgumentException refused = refused(number, line, "has no number of milliseconds in its first column");
      refused.initCause(e);
      throw refused;
    }
    throw refused(number, line, "is not within a day of the beginning");
  }

  private static String path(String text, int number, String line) {
    if (!text.startsWith("/") || text.contains("//") || (text.length() > 1 && text.endsWith("/"))) {
      throw refused(number, line, "has '" + text + "' for a path");
    }
    return text;
  }

  private static IllegalArgumentException refused(int number, String line, String why) {
    String shown = line.length() > 100 ? line.substring(0, 100) + "..." : line;
    return new IllegalArgumentException("line " + number + " '" + shown.replace('\t', ' ') + "' " + why);
  }

  static String line(long nanos, String session, Call call) {
    String line = String.format(Locale.ROOT, "%.3f\t%s\t%s\t%s", nanos / 1e6, session, call.kind(), call.path());
    return call.to().isEmpty() ? line : line + "\t" + call.to();
  }

  public long events() {
    return sessions.values().stream().mapToLong(List::size).sum();
  }

  /** When the last operation began, in nanoseconds since the beginning. */
  public long length() {
    return sessions.values().stream().mapToLong(session -> session.get(session.size() - 1).nanos()).max().orElse(0);
  }
}
