package io.rns.loadtest.drill;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/** Reads with bounds of several ages, zero among them, from server to server. */
final class BoundedReads implements Runnable {
  private static final List<Duration> BOUNDS =
      List.of(Duration.ZERO, Duration.ofMillis(100), Duration.ofMillis(500), Duration.ofSeconds(2));
  private static final long PAUSE_NANOS = 10_000_000;

  private final Readers readers;
  private final Recent recent;
  private volatile boolean stopping;

  BoundedReads(Readers readers, Recent recent) {
    this.readers = readers;
    this.recent = recent;
  }

  @Override
  public void run() {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    for (int turn = 0; !stopping; turn++) {
      String server = readers.server(turn);
      Duration bound = BOUNDS.get(random.nextInt(BOUNDS.size()));
      recent.any().ifPresent(w -> readers.read("bounded", server, Optional.of(bound), Optional.empty(), w.path()));
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  void stop() {
    stopping = true;
  }
}
