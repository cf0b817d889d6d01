package io.rns.loadtest.work;

import static io.rns.loadtest.work.TraceLines.require;

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
  private static final double LONGEST_MILLIS = TraceLines.LONGEST.toMillis();
  private static final Map<String, String> OTHERS =
      Map.of("# milliseconds, client, type, name", "it is the DNS log of a server: replay it with --dns HOST:PORT");

  public record Event(long nanos, Call call) {}

  /**
   * Reads a trace.
   *
   * @throws IllegalArgumentException with the line that is none and why
   */
  public static Trace parse(Stream<String> lines) {
    Map<String, List<Event>> sessions = new LinkedHashMap<>();
    TraceLines.read(lines, "operation", OTHERS, columns -> add(sessions, columns));
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
    double millis = TraceLines.millis(text);
    require(millis >= 0 && millis <= LONGEST_MILLIS, "is not within a day of the beginning");
    return Math.round(millis * TimeUnit.MILLISECONDS.toNanos(1));
  }

  private static String path(String text) {
    require(text.startsWith("/") && !text.contains("//") && (text.length() == 1 || !text.endsWith("/")),
        "has '" + text + "' for a path");
    return text;
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
