package io.rns.loadtest.work;

import io.rns.access.AccessLine;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Makes a trace of access logs of servers. What the servers refused is left out, since a replay has no use for it: it
 * makes first what its sessions look for. For one thread.
 */
public final class AccessLogs {
  /** Why a line is in no trace. */
  public enum LeftOut {
    REFUSED("refused or failed"),
    /** Nobody knows its path. */
    BY_IDENTITY("of an entry by its identity"), ELSEWHERE("elsewhere"), OTHER_TIME("at another time"),
    /** A replay could not do it. */
    NOT_REPLAYABLE("not replayable"), UNREADABLE("unreadable");

    private final String reason;

    LeftOut(String reason) {
      this.reason = reason;
    }

    @Override
    public String toString() {
      return reason;
    }
  }

  /**
   * Which lines are wanted.
   *
   * @param below the directory whose path is left out of the trace; {@code /} for everything
   */
  public record Wanted(String below, Instant from, Instant to) {}

  private record Logged(Instant time, String session, Call call) {}

  private final Wanted wanted;
  private final List<Logged> lines = new ArrayList<>();
  private final Map<LeftOut, Long> left = new EnumMap<>(LeftOut.class);
  private final Map<String, String> sessions = new HashMap<>();

  public AccessLogs(Wanted wanted) {
    this.wanted = wanted;
  }

  /** Reads a log; several in any order. */
  public void read(Stream<String> log) {
    Iterator<String> all = log.iterator();
    if (!all.hasNext() || !all.next().equals(AccessLine.HEADER)) {
      throw new IllegalArgumentException("does not begin with '" + AccessLine.HEADER + "'");
    }
    while (all.hasNext()) {
      String line = all.next();
      if (!line.isBlank() && !line.startsWith("#")) {
        Optional<LeftOut> reason = take(line);
        reason.ifPresent(this::leaveOut);
      }
    }
  }

  private void leaveOut(LeftOut reason) {
    left.merge(reason, 1L, Long::sum);
  }

  /** Takes a line, or says why not. */
  private Optional<LeftOut> take(String text) {
    AccessLine line;
    try {
      line = AccessLine.parse(text);
    } catch (IllegalArgumentException e) {
      return Optional.of(LeftOut.UNREADABLE);
    }
    Optional<Kind> kind = Kind.of(line.operation());
    if (kind.isEmpty() || hasControls(line.session()) || hasControls(line.path()) || hasControls(line.newPath())) {
      return Optional.of(LeftOut.UNREADABLE);
    }
    if (line.time().isBefore(wanted.from()) || !line.time().isBefore(wanted.to())) {
      return Optional.of(LeftOut.OTHER_TIME);
    }
    if (!line.isOk()) {
      return Optional.of(LeftOut.REFUSED);
    }
    boolean moves = kind.get() == Kind.MOVE;
    if (!line.path().startsWith("/") || (moves && !line.newPath().startsWith("/"))) {
      return Optional.of(LeftOut.BY_IDENTITY);
    }
    Optional<String> path = below(line.path());
    Optional<String> to = moves ? below(line.newPath()) : Optional.of("");
    if (path.isEmpty() || to.isEmpty()) {
      return Optional.of(LeftOut.ELSEWHERE);
    }
    if (lines.size() == TraceLines.MOST_EVENTS) {
      throw new IllegalArgumentException(
          "has more than the " + TraceLines.MOST_EVENTS + " operations that a trace may have, with those before");
    }
    lines.add(new Logged(line.time(), sessions.computeIfAbsent(line.session(), same -> same),
        new Call(kind.get(), path.get(), to.get())));
    return Optional.empty();
  }

  /** A trace has no means to write them. */
  private static boolean hasControls(String text) {
    return text.chars().anyMatch(Character::isISOControl);
  }

  private Optional<String> below(String path) {
    String top = wanted.below();
    if (top.equals("/")) {
      return Optional.of(path);
    }
    if (path.equals(top)) {
      return Optional.of("/");
    }
    return path.startsWith(top + "/") ? Optional.of(path.substring(top.length())) : Optional.empty();
  }

  /** Writes the trace, in the order of time, which begins with its first operation. */
  public Made make(Consumer<String> out) {
    lines.sort(Comparator.comparing(Logged::time));
    Rehearsal rehearsal = new Rehearsal(() -> lines.stream().map(Logged::call).iterator());
    Map<String, Integer> kept = new HashMap<>();
    long operations = 0;
    Instant begin = Instant.EPOCH;
    Instant end = Instant.EPOCH;
    for (Logged line : lines) {
      Optional<Call> call = rehearsal.next(line.call());
      if (call.isEmpty()) {
        leaveOut(LeftOut.NOT_REPLAYABLE);
        continue;
      }
      begin = operations == 0 ? line.time() : begin;
      end = line.time();
      operations++;
      kept.merge(line.session(), 1, Integer::sum);
      out.accept(Trace.line(Duration.between(begin, end).toNanos(), line.session(), call.get()));
    }
    return new Made(operations, kept.size(), Duration.between(begin, end), Map.copyOf(left));
  }

  public record Made(long operations, int sessions, Duration length, Map<LeftOut, Long> left) {
    public boolean isShortEnough() {
      return length.compareTo(TraceLines.LONGEST) <= 0;
    }
  }
}
