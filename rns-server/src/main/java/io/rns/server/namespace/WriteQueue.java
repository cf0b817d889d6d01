package io.rns.server.namespace;

import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Writes that wait for the writer, in order, a bounded number. Thread-safe; the writer alone takes batches. */
final class WriteQueue {
  private final WriterSettings settings;
  private final BlockingQueue<PendingWrite> waiting;

  /** Why the queue was emptied for the last time: what comes into it from then on is not taken out. */
  private volatile @Nullable RnsException ended;

  WriteQueue(WriterSettings settings) {
    this.settings = settings;
    this.waiting = new ArrayBlockingQueue<>(settings.queueRequests());
  }

  /**
   * Puts a write behind all others.
   *
   * @throws RnsException {@link RnsError#BUSY} if the queue is full, the reason of {@link #end} if it has ended
   */
  void add(PendingWrite write) {
    if (!waiting.offer(write)) {
      throw new RnsException(RnsError.BUSY, settings.queueRequests() + " writes are waiting; retry later");
    }
    RnsException reason = ended;
    if (reason != null && waiting.remove(write)) {
      // It came when the queue had been emptied.
      throw new RnsException(reason.error(), reason.getMessage(), reason);
    }
  }

  /** What waits and fits into one transaction; empty if nothing has come for so long. */
  List<PendingWrite> nextBatch(long waitMillis) throws InterruptedException {
    PendingWrite first = waiting.poll(waitMillis, TimeUnit.MILLISECONDS);
    return first == null ? new ArrayList<>() : batchFrom(first);
  }

  private synchronized List<PendingWrite> batchFrom(PendingWrite first) {
    List<PendingWrite> batch = new ArrayList<>();
    PendingWrite next = first;
    int items = 0;
    long bytes = 0;
    while (next != null) {
      if (next.take()) {
        batch.add(next);
        items += next.request().size();
        bytes += next.contentBytes();
      }
      PendingWrite following = waiting.peek();
      boolean fits =
          following != null
              && batch.size() < settings.batchRequests()
              && items + following.request().size() <= Limits.BATCH_ITEMS
              && bytes + following.contentBytes() <= Limits.ANSWER_BYTES;
      next = fits ? waiting.poll() : null;
    }
    return batch;
  }

  /** Refuses what waits, and what comes from now on. */
  void end(RnsException reason) {
    ended = reason;
    refuse(reason);
  }

  /** Refuses what waits. */
  synchronized void refuse(RnsException reason) {
    for (PendingWrite left = waiting.poll(); left != null; left = waiting.poll()) {
      left.fail(reason);
    }
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  int size() {
    return waiting.size();
  }
}
