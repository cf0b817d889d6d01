package io.rns.loadtest.history;

import io.rns.api.Change;
import io.rns.loadtest.history.DrillEvent.Read;
import io.rns.loadtest.history.DrillEvent.Refused;
import io.rns.loadtest.history.DrillEvent.Unknown;
import io.rns.loadtest.history.DrillEvent.Write;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The writes of a history by path. */
final class WritesByPath {
  private final Map<String, List<Write>> byPath;

  WritesByPath(List<Write> writes) {
    byPath = writes.stream().collect(Collectors.groupingBy(Write::path));
  }

  Set<String> paths() {
    return byPath.keySet();
  }

  List<Write> of(String path) {
    return byPath.getOrDefault(path, List.of());
  }

  /** The last acknowledged write, in the order of changes, that meets a condition. */
  Optional<Write> lastAcknowledged(String path, Predicate<Write> condition) {
    return of(path).stream()
        .filter(write -> write.isAcknowledged() && condition.test(write))
        .max(Comparator.comparingLong(Write::sequence));
  }

  /** Whether it is unknown of a request if it was applied. */
  boolean hasOpenRequests(String path) {
    return of(path).stream()
        .filter(write -> write.outcome() instanceof Unknown)
        .anyMatch(write -> callsOf(write).noneMatch(Write::isAcknowledged));
  }

  /** Whether no call of the request can have applied it. */
  boolean isOnlyRefused(Write write) {
    return callsOf(write).allMatch(call -> call.outcome() instanceof Refused);
  }

  private Stream<Write> callsOf(Write write) {
    return of(write.path()).stream().filter(other -> other.requestId().equals(write.requestId()));
  }

  /** Whether an entry that has a version at a time, 0 for no entry, may have had an acknowledged write before. */
  boolean reflects(Write write, long version, long at) {
    if (write.kind() == Change.Kind.REMOVED) {
      return version == 0;
    }
    return version == 0 ? mayBeRemoved(write.path(), at) : version >= write.sequence();
  }

  /** Whether the entry may have been removed before a time. */
  boolean mayBeRemoved(String path, long before) {
    return of(path).stream()
        .anyMatch(w -> w.kind() == Change.Kind.REMOVED && !(w.outcome() instanceof Refused) && w.invoked() <= before);
  }

  /** What a read should have seen of certain writes, and has not. */
  Optional<String> missedBy(Read read, Predicate<Write> hadToSee) {
    return lastAcknowledged(read.path(), hadToSee)
        .filter(write -> !reflects(write, read.version().orElse(0), read.answered()))
        .map(write -> read + ", after " + write + " was acknowledged at " + write.position());
  }
}
