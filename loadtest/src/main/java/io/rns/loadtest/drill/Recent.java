package io.rns.loadtest.drill;

import io.rns.api.Position;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * What was written last: handed over to one reader at once, and looked at by anybody later. Safe for use by many
 * threads.
 */
final class Recent {
  private static final int KEPT = 4_096;
  private static final int WAITING = 64;

  /** An acknowledged write: where, and the token that makes it visible. */
  record Written(String path, Position position) {}

  private final AtomicReferenceArray<Written> kept = new AtomicReferenceArray<>(KEPT);
  private final AtomicLong count = new AtomicLong();
  private final BlockingQueue<Written> waiting = new ArrayBlockingQueue<>(WAITING);

  void add(Written written) {
    kept.set((int) (count.getAndIncrement() % KEPT), written);
    boolean unused = waiting.offer(written); // readers are slower than writers: most are not handed over
  }

  /** One that nobody has read; empty if there is none within a time. */
  Optional<Written> handedOver(long millis) throws InterruptedException {
    return Optional.ofNullable(waiting.poll(millis, TimeUnit.MILLISECONDS));
  }

  /** Any; empty before the first. */
  Optional<Written> any() {
    int size = (int) Math.min(count.get(), KEPT);
    return size == 0 ? Optional.empty() : Optional.ofNullable(kept.get(ThreadLocalRandom.current().nextInt(size)));
  }
}
