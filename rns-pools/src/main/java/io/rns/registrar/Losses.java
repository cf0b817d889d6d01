package io.rns.registrar;

import io.rns.api.RnsPath;
import io.rns.handlespace.TableEntry;
import io.rns.pool.ElementPage;
import io.rns.pool.ElementPage.Loss;
import io.rns.pool.ElementPage.LostElement;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The elements most recently lost by this registrar as their home. */
final class Losses {
  /** Over all pools. */
  static final int MOST = 1_000;

  /** Their memory, at most, but for the latest. */
  static final long MOST_BYTES = 4 * 1_048_576;

  private final Deque<Lost> latestFirst = new ArrayDeque<>();
  private long bytes;

  private record Lost(TableEntry entry, Loss loss, long at) {
    long bytes() {
      return Descriptions.mostBytes(entry.element().registration());
    }
  }

  void add(TableEntry entry, Loss loss, long now) {
    Lost latest = new Lost(entry, loss, now);
    latestFirst.addFirst(latest);
    bytes += latest.bytes();
    while (latestFirst.size() > MOST || (bytes > MOST_BYTES && latestFirst.size() > 1)) {
      bytes -= latestFirst.removeLast().bytes();
    }
  }

  /** The lost elements of a pool, latest first. */
  List<LostElement> of(RnsPath handle, long now) {
    return latestFirst.stream()
        .filter(lost -> lost.entry().handle().equals(handle))
        .limit(ElementPage.LOST)
        .map(lost -> describe(lost, now))
        .toList();
  }

  private static LostElement describe(Lost lost, long now) {
    return new LostElement(
        lost.entry().element().id(), lost.entry().element().registration().endpoints(), lost.loss(), now - lost.at());
  }
}
