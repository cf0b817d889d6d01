package io.rns.server.namespace;

import io.rns.api.ArriveRequest;
import io.rns.api.ContentRequest;
import io.rns.api.Entry;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.WriteRequest;
import io.rns.error.Limits;
import io.rns.replication.Timing;
import io.rns.server.store.EntryKey;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Content that goes to another server group in a moment: writes to it wait until it has gone, or does not. Belongs to
 * the writer's thread.
 */
final class FrozenContent {
  /** Longer than the last changes take to copy. If the one who froze it died, writes go on then. */
  private static final Duration MOST = Duration.ofSeconds(3);

  private final Timing timing;
  private final Deque<PendingWrite> waiting = new ArrayDeque<>();
  private @Nullable EntryId directory;
  private long token;
  private long sinceNanos;

  FrozenContent(Timing timing) {
    this.timing = timing;
  }

  /**
   * Begins; an earlier freeze ends.
   *
   * @param given tells this freeze from others
   */
  void freeze(EntryId frozen, long given) {
    directory = frozen;
    token = given;
    sinceNanos = timing.nanoTime();
  }

  /** Whether a directory has been frozen all the time since a call of {@link #freeze}. */
  boolean isFrozen(EntryId frozen, long given) {
    return frozen.equals(now()) && token == given;
  }

  void thaw() {
    directory = null;
  }

  private @Nullable EntryId now() {
    if (directory != null && timing.nanoTime() - sinceNanos > MOST.toNanos()) {
      directory = null;
    }
    return directory;
  }

  /** Whether a request has to wait. */
  boolean holds(EntrySource source, WriteRequest request) {
    EntryId frozen = now();
    if (frozen == null) {
      return false;
    }
    if (request instanceof ContentRequest move) {
      return !(move.step() instanceof ContentRequest.Thaw) && isInside(source, move.directory(), frozen);
    }
    for (int i = 0; i < request.size(); i++) {
      if (leadsInto(source, WriteRules.target(request, i), frozen, request instanceof ArriveRequest)) {
        return true;
      }
    }
    return request instanceof UpdateRequest update
        && update.changes().stream()
            .anyMatch(
                change -> change.parent().filter(to -> leadsInto(source, to, frozen, true)).isPresent());
  }

  private static boolean isInside(EntrySource source, EntryId directory, EntryId frozen) {
    Entry found =
        directory.equals(frozen) || directory.equals(EntryId.ROOT) ? null : Resolution.find(source, directory);
    return found != null && Resolution.isWithin(source, found, frozen);
  }

  /** Whether a target is content of a directory, or, where something moves to it, the directory itself. */
  private static boolean leadsInto(EntrySource source, Target target, EntryId frozen, boolean destination) {
    EntryId at = target.start();
    if (isInside(source, at, frozen)) {
      return true;
    }
    for (EntryName name : target.path().names()) {
      if (at.equals(frozen)) {
        return true;
      }
      Entry next = Resolution.find(source, new EntryKey(at.value(), name));
      if (next == null) {
        return false;
      }
      at = next.id();
    }
    return destination && at.equals(frozen);
  }

  /** Keeps requests that have to wait. */
  void keep(List<PendingWrite> held) {
    waiting.addAll(held);
  }

  /** Whether requests wait. */
  boolean hasWaiting() {
    return !waiting.isEmpty();
  }

  /** Requests that need not wait any longer, as many as fit into one transaction. */
  List<PendingWrite> released() {
    List<PendingWrite> released = new ArrayList<>();
    int items = 0;
    while (now() == null && !waiting.isEmpty()
        && (items == 0 || items + waiting.getFirst().request().size() <= Limits.BATCH_ITEMS)) {
      PendingWrite next = waiting.removeFirst();
      items += next.request().size();
      released.add(next);
    }
    return released;
  }

  /** All that wait; none does any longer. */
  List<PendingWrite> drained() {
    List<PendingWrite> all = List.copyOf(waiting);
    waiting.clear();
    return all;
  }
}
