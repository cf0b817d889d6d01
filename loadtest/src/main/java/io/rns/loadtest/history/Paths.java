package io.rns.loadtest.history;

import io.rns.api.Change;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** The writes of a history by path. */
final class Paths {
  private final Map<String, List<Write>> byPath = new HashMap<>();

  Paths(Collection<Write> writes) {
    for (Write write : writes) {
      byPath.computeIfAbsent(write.path(), path -> new ArrayList<>(2)).add(write);
    }
  }

  Collection<String> all() {
    return byPath.keySet();
  }

  List<Write> of(String path) {
    return byPath.getOrDefault(path, List.of());
  }

  /** The last in the order of changes of those that were acknowledged and meet a condition. */
  Optional<Write> lastAcknowledged(String path, Predicate<Write> condition) {
    Write last = null;
    for (Write write : of(path)) {
      if (write.isAcknowledged() && condition.test(write) && (last == null || write.sequence() > last.sequence())) {
        last = write;
      }
    }
    return Optional.ofNullable(last);
  }

  /** Whether the entry may have been removed before a time. */
  boolean mayBeRemoved(String path, long before) {
    return of(path).stream()
        .anyMatch(w -> w.kind() == Change.Kind.REMOVED && !(w.told() instanceof WriteOutcome.Refused)
            && w.invoked() <= before);
  }

  /** Whether there is a request of which nobody knows whether it was applied. */
  boolean hasOpenRequests(String path) {
    List<Write> writes = of(path);
    return writes.stream()
        .filter(w -> w.told() instanceof WriteOutcome.Unknown)
        .anyMatch(w -> writes.stream().noneMatch(o -> o.isAcknowledged() && o.requestId().equals(w.requestId())));
  }

  /** What a read should have seen of those writes that it had to know, and has not. */
  Optional<String> missedBy(Read read, Predicate<Write> hadToKnow) {
    Optional<Write> last = lastAcknowledged(read.path(), hadToKnow);
    if (last.isEmpty()) {
      return Optional.empty();
    }
    Write write = last.get();
    boolean seen =
        write.kind() == Change.Kind.REMOVED
            ? read.version().isEmpty()
            : read.version().orElse(Long.MAX_VALUE) >= write.sequence()
                && (read.version().isPresent() || mayBeRemoved(read.path(), read.answered()));
    return seen ? Optional.empty()
        : Optional.of(read + ", after " + write + " was acknowledged at " + write.acknowledged().orElseThrow());
  }
}
