package io.rns.replication.simulation;

import java.util.ArrayDeque;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a replica has received and not applied. */
final class RelayLog {
  private final ArrayDeque<SimulatedTransaction> received = new ArrayDeque<>();
  private int synced;

  boolean isEmpty() {
    return received.isEmpty();
  }

  @Nullable
  SimulatedTransaction last() {
    return received.peekLast();
  }

  boolean has(SimulatedTransaction transaction) {
    return received.contains(transaction);
  }

  /** What it has, in the notation of {@link TransactionLog#text}. */
  String text(Engine engine) {
    Map<Integer, Integer> last = new TreeMap<>();
    for (SimulatedTransaction each : received) {
      last.merge(each.origin(), each.number(), Math::max);
    }
    SimulatedTransaction latest = received.getLast();
    return engine == Engine.MARIADB ? latest.origin() + "-" + latest.number()
        : last.entrySet().stream().map(each -> each.getKey() + "-" + each.getValue()).collect(Collectors.joining(","));
  }

  void add(SimulatedTransaction transaction) {
    received.add(transaction);
  }

  SimulatedTransaction first() {
    SimulatedTransaction first = received.peekFirst();
    if (first == null) {
      throw new NoSuchElementException("the relay log is empty");
    }
    return first;
  }

  void removeFirst() {
    received.removeFirst();
    synced = Math.max(0, synced - 1);
  }

  void sync() {
    synced = received.size();
  }

  /** Cuts off what was not synced. */
  void losePower() {
    while (received.size() > synced) {
      received.removeLast();
    }
  }

  /** After a start: an engine keeps it, or fetches all of it again. */
  void restart(boolean kept) {
    if (!kept) {
      clear();
    }
  }

  void clear() {
    received.clear();
    synced = 0;
  }
}
