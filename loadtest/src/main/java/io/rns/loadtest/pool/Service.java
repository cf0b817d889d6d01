package io.rns.loadtest.pool;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** What a simulated server does for a request. Safe for use by many threads. */
interface Service {
  /** Breaks every request off at once, and so is always idle. */
  Service BROKEN = nanos -> {
    throw new IllegalStateException("a broken server serves no requests");
  };

  void serve(long nanos) throws InterruptedException;

  /** Any number of requests side by side, each so many times as long. */
  static Service sleeping(double times) {
    return nanos -> TimeUnit.NANOSECONDS.sleep(Math.round(nanos * times));
  }

  /** So many requests at a time, in the order in which they came. */
  static Service workers(int number) {
    Semaphore free = new Semaphore(number, true);
    return nanos -> {
      free.acquire();
      try {
        TimeUnit.NANOSECONDS.sleep(nanos);
      } finally {
        free.release();
      }
    };
  }
}
