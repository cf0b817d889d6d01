package io.rns.client.call;

import java.util.concurrent.TimeUnit;

/** Passing time, as a parameter so that tests do not wait. Safe for use by many threads. */
public interface Ticker {
  /** The time of this machine. */
  Ticker SYSTEM =
      new Ticker() {
        @Override
        public long nanos() {
          return System.nanoTime();
        }

        @Override
        public void pause(long nanos) throws InterruptedException {
          TimeUnit.NANOSECONDS.sleep(nanos);
        }
      };

  /** A time in nanoseconds that only means something against another one. */
  long nanos();

  /** Waits. */
  void pause(long nanos) throws InterruptedException;
}
