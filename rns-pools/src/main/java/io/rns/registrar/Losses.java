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
  /** Over all pools; each takes up to 65,000 bytes. */
  private static final int MOST = 1_000;

  private final Deque<Lost> latestFirst = new ArrayDeque<>();

  private record Lost(TableEntry entry, Loss loss, long at) {}

  void add(TableEntry entry, Loss loss, long now) {
    latestFirst.addFirst(new Lost(entry, loss, now));
    if (latestFirst.size() > MOST) {
      latestFirst.removeLast();
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
