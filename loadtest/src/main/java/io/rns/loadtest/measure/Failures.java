package io.rns.loadtest.measure;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Counts failures by kind and keeps the text of the first. Thread-safe. */
public final class Failures {
  private final Map<FailureKind, Long> counts = new EnumMap<>(FailureKind.class);
  private @Nullable String first;

  /** Counts one failure. The text is only taken if it is the first. */
  public void add(FailureKind kind, String text) {
    add(kind, 1, text);
  }

  /** Counts several failures of one kind, of which the text of one is known. */
  public synchronized void add(FailureKind kind, long count, String text) {
    counts.merge(kind, count, Long::sum);
    if (first == null) {
      first = text;
    }
  }

  public void addAll(Failures other) {
    String text = other.first().orElse("");
    other.counts().forEach((kind, count) -> add(kind, count, text));
  }

  public long total() {
    return counts().values().stream().mapToLong(Long::longValue).sum();
  }

  /** How many of each kind there were; kinds that did not occur are missing. */
  public synchronized Map<FailureKind, Long> counts() {
    return Map.copyOf(counts);
  }

  public synchronized Optional<String> first() {
    return Optional.ofNullable(first);
  }

  @Override
  public synchronized String toString() {
    return counts.isEmpty() ? "none" : counts + ", first: " + first;
  }
}
