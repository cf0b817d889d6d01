package io.rns.server.namespace;

import io.rns.api.EntryId;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts requests, and keeps the directories of a random sample of them: up to {@value #MOST} between two calls of
 * {@link #take}, however many requests and directories there are. Each request is as likely to be kept as any other of
 * the same time.
 *
 * <p>Thread-safe. A request that is not kept costs an increment, in one of {@value #STRIPES} places by its thread, and
 * neither a lock nor memory.
 */
public final class RequestSample {
  /**
   * Half of them are dropped when there are as many, so that there is room for later ones. A fifth of the requests is
   * known to within a tenth: plans that follow windows of some seconds are wrong otherwise, and have to be put right.
   */
  static final int MOST = 512;

  private static final int STRIPES = 8;
  /** Two cache lines, which processors fetch together. */
  private static final int WIDTH = 16;
  /** In each stripe the number of its requests, and next to it that of the next one to keep. */
  private static final int NEXT = 1;

  private final AtomicLongArray stripes = new AtomicLongArray(STRIPES * WIDTH);
  private final SplittableRandom random = new SplittableRandom();
  private final List<EntryId> kept = new ArrayList<>(MOST);
  /** One of so many requests is kept. */
  private long gap = 1;
  private long taken;

  /**
   * Requests.
   *
   * @param requests how many there were
   * @param directories of the ones that were kept; as often as they were, none only if there were no requests
   */
  public record Sample(long requests, List<EntryId> directories) {}

  /** Counts a request for an entry of a directory. */
  void count(EntryId directory) {
    int stripe = ((int) Thread.currentThread().threadId() & (STRIPES - 1)) * WIDTH;
    long number = stripes.getAndIncrement(stripe);
    if (number >= stripes.get(stripe + NEXT)) {
      keep(stripe, number, directory);
    }
  }

  private synchronized void keep(int stripe, long number, EntryId directory) {
    if (number < stripes.get(stripe + NEXT)) {
      // Another thread of the stripe was faster.
      return;
    }
    stripes.set(stripe + NEXT, number + 1 + pause());
    kept.add(directory);
    if (kept.size() == MOST) {
      for (int left = MOST; left > MOST / 2; left--) {
        kept.set(random.nextInt(left), kept.getLast());
        kept.removeLast();
      }
      gap *= 2;
      draw();
    }
  }

  /** Requests until the next one is kept: {@code gap - 1} on average, so that no rhythm of requests hides any. */
  private long pause() {
    return random.nextLong(2 * gap - 1);
  }

  private void draw() {
    for (int stripe = 0; stripe < STRIPES * WIDTH; stripe += WIDTH) {
      stripes.set(stripe + NEXT, stripes.get(stripe) + pause());
    }
  }

  private long requests() {
    long all = -taken;
    for (int stripe = 0; stripe < STRIPES * WIDTH; stripe += WIDTH) {
      all += stripes.get(stripe);
    }
    return all;
  }

  /** The requests since the last {@link #take}. */
  public synchronized Sample peek() {
    return kept.isEmpty() ? new Sample(0, List.of()) : new Sample(requests(), List.copyOf(kept));
  }

  /** The same, and begins again; requests of which none was kept count with the next ones. */
  public synchronized Sample take() {
    Sample sample = peek();
    taken += sample.requests();
    gap = Math.max(1, sample.requests() / (MOST / 2));
    kept.clear();
    draw();
    return sample;
  }
}
