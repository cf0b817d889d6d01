package io.rns.loadtest;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Keeps one client from sending more requests than it should. For one thread. */
final class Pace {
  private final long intervalNanos;
  private long next = System.nanoTime();

  private Pace(long intervalNanos) {
    this.intervalNanos = intervalNanos;
  }

  /** A number of requests per second; 0 for as many as there can be. */
  static Pace of(double perSecond) {
    return new Pace(perSecond <= 0 ? 0 : Math.round(TimeUnit.SECONDS.toNanos(1) / perSecond));
  }

  /** Waits until the next request is due. Who is late does not catch up: it is the clients that are slow then. */
  void await() {
    long now = System.nanoTime();
    while (intervalNanos > 0 && now - next < 0) {
      LockSupport.parkNanos(next - now);
      now = System.nanoTime();
    }
    next = Math.max(next + intervalNanos, now);
  }
}
