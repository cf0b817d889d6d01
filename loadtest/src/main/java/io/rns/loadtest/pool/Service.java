package io.rns.loadtest.pool;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

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

  /** One request at a time, which keeps a processor busy with as many steps of a digest as there are microseconds. */
  static Service computing() {
    ReentrantLock processor = new ReentrantLock(true);
    return nanos -> {
      processor.lockInterruptibly();
      try {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        for (long i = 0; i < nanos; i += 1_000) {
          digest.update(digest.digest());
        }
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("every Java has SHA-256", e);
      } finally {
        processor.unlock();
      }
    };
  }
}
