package io.rns.loadtest.history;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** {@link Promise#APPLIED_ONCE}: by what repetitions are answered, what is watched, and the versions at the end. */
final class AppliedOnce implements Check {
  @Override
  public List<Violation> of(History history, Paths paths) {
    Map<String, String> twice = new HashMap<>(); // path -> what was seen, so that one request is reported once
    answeredTwice(history, twice);
    watchedTwice(history, paths, twice);
    versionsBeyond(history, paths, twice);
    return twice.values().stream().map(what -> new Violation(Promise.APPLIED_ONCE, what)).toList();
  }

  private static void answeredTwice(History history, Map<String, String> twice) {
    Map<String, Write> first = new HashMap<>();
    for (Write write : history.writes()) {
      if (write.isAcknowledged()) {
        Write other = first.putIfAbsent(write.requestId(), write);
        if (other != null && other.sequence() != write.sequence()) {
          twice.putIfAbsent(
              write.path(),
              other + " was acknowledged at " + other.acknowledged().orElseThrow() + ", its repetition at "
                  + write.acknowledged().orElseThrow());
        }
      }
    }
  }

  private static void watchedTwice(History history, Paths paths, Map<String, String> twice) {
    Map<String, Event> first = new HashMap<>();
    Set<Long> told = new HashSet<>();
    for (Event event : history.events()) {
      // A change that is told twice is a fault of the watch; a request that is applied twice makes two changes.
      if (!told.add(event.position().sequence()) || paths.of(event.path()).isEmpty()) {
        continue;
      }
      Event other = first.putIfAbsent(event.kind() + " " + event.path(), event);
      if (other != null) {
        twice.putIfAbsent(event.path(), "the log has " + other + " and " + event);
      }
    }
  }

  private static void versionsBeyond(History history, Paths paths, Map<String, String> twice) {
    for (String path : paths.all()) {
      paths
          .lastAcknowledged(path, write -> true)
          .filter(last -> !paths.hasOpenRequests(path))
          .ifPresent(
              last -> history
                  .ending()
                  .trees()
                  .forEach(
                      (server, tree) -> {
                        if (tree.getOrDefault(path, 0L) > last.sequence()) {
                          twice.putIfAbsent(
                              path, last + ", the last of its path, but " + server + " has version " + tree.get(path));
                        }
                      }));
    }
  }
}
