package io.rns.association;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * The memory of messages that connections hold: unfinished, undecided or unsent. If it exceeds the limit, connections
 * have to go, of the host that holds most the one that holds most, and so on until an eighth is free: then the next
 * search does not follow at once.
 */
final class HeldMemory {
  private static final int FREED_PART = 8;

  private final long most;
  /** Those that hold something. */
  private final Set<Association> holding = new HashSet<>();
  private long bytes;

  /** The connections of one host, with the largest first. */
  private static final class Holder {
    private final Deque<Association> largestFirst = new ArrayDeque<>();
    private long bytes;

    long bytes() {
      return bytes;
    }
  }

  HeldMemory(long most) {
    this.most = most;
  }

  /** Counts what a connection holds now. */
  void count(Association association) {
    long now = association.heldBytes();
    if (now != association.countedBytes()) {
      bytes += now - association.countedBytes();
      association.counted(now);
      if (now == 0) {
        holding.remove(association);
      } else {
        holding.add(association);
      }
    }
  }

  long bytes() {
    return bytes;
  }

  /** The limit. */
  long most() {
    return most;
  }

  /** The connections that have to go; none within the limit. */
  List<Association> excess() {
    if (bytes <= most) {
      return List.of();
    }
    PriorityQueue<Holder> worstFirst = new PriorityQueue<>(Comparator.comparingLong(Holder::bytes).reversed());
    worstFirst.addAll(holders());
    List<Association> excess = new ArrayList<>();
    long left = bytes;
    while (left > most - most / FREED_PART && !worstFirst.isEmpty()) {
      Holder worst = worstFirst.remove();
      Association largest = worst.largestFirst.remove();
      long freed = largest.countedBytes();
      excess.add(largest);
      left -= freed;
      worst.bytes -= freed;
      if (!worst.largestFirst.isEmpty()) {
        worstFirst.add(worst);
      }
    }
    return excess;
  }

  private List<Holder> holders() {
    // Of equal ones the latest goes first.
    List<Association> all = new ArrayList<>(holding);
    all.sort(Comparator.comparingLong(Association::countedBytes).thenComparingLong(Association::id).reversed());
    Map<String, Holder> byHost = new HashMap<>();
    for (Association each : all) {
      Holder holder = byHost.computeIfAbsent(each.owner(), owner -> new Holder());
      holder.largestFirst.add(each);
      holder.bytes += each.countedBytes();
    }
    return List.copyOf(byHost.values());
  }
}
