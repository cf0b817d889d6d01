package io.rns.loadtest.history;

import io.rns.api.Change;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@link Promise#NOTHING_LOST}: the trees of all servers at the end, and the watched log, have what clients know. */
final class NothingLost implements Check {
  @Override
  public List<Violation> of(History history, Paths paths) {
    Map<String, String> lost = new LinkedHashMap<>(); // path -> what was seen, so that an entry is reported once
    for (String path : paths.all()) {
      paths
          .lastAcknowledged(path, write -> true)
          .flatMap(last -> missing(last, history.ending(), paths))
          .ifPresent(what -> lost.put(path, what));
    }
    otherThanTold(history, lost);
    return lost.values().stream().map(what -> new Violation(Promise.NOTHING_LOST, what)).toList();
  }

  private static Optional<String> missing(Write last, Ending ending, Paths paths) {
    boolean mayBeRemoved = paths.mayBeRemoved(last.path(), Long.MAX_VALUE);
    List<String> without = new ArrayList<>();
    ending
        .trees()
        .forEach(
            (server, tree) -> {
              Long version = tree.get(last.path());
              if (!isAsTold(last, version, mayBeRemoved)) {
                without.add(server + " has " + (version == null ? "no entry" : "version " + version));
              }
            });
    return without.isEmpty() ? Optional.empty()
        : Optional.of(told(last) + "; at the end " + String.join(", ", without));
  }

  private static boolean isAsTold(Write last, @Nullable Long version, boolean mayBeRemoved) {
    if (last.kind() == Change.Kind.REMOVED) {
      return version == null;
    }
    return version == null ? mayBeRemoved : version >= last.sequence();
  }

  private static String told(Write write) {
    return write + " was acknowledged at " + write.acknowledged().orElseThrow();
  }

  /** Numbers that stand for another change than a client was told of, or that nobody has given at the end. */
  private static void otherThanTold(History history, Map<String, String> lost) {
    Map<Long, Event> log = new HashMap<>();
    history.events().forEach(event -> log.putIfAbsent(event.position().sequence(), event));
    long end = history.ending().position().sequence();
    for (Write write : history.writes()) {
      if (write.isAcknowledged()) {
        other(log.get(write.sequence()), write.path(), write.sequence(), end)
            .ifPresent(other -> lost.putIfAbsent(write.path(), told(write) + ", " + other));
      }
    }
    for (Read read : history.reads()) {
      long version = read.version().orElse(0);
      other(log.get(version), read.path(), version, end)
          .ifPresent(other -> lost.putIfAbsent(read.path(), read + ", " + other));
    }
  }

  private static Optional<String> other(@Nullable Event event, String path, long sequence, long end) {
    if (sequence > end) {
      return Optional.of("but the log ends at " + end);
    }
    return event == null || event.path().equals(path) ? Optional.empty() : Optional.of("but the log has " + event);
  }
}
