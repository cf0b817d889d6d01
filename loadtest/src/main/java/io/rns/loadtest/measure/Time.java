package io.rns.loadtest.measure;

import java.util.concurrent.locks.LockSupport;

/** Where a run gets its time from. Thread-safe. */
interface Time {
  /** That of this machine. */
  Time OF_THE_SYSTEM =
      new Time() {
        @Override
        public long nanos() {
          return System.nanoTime();
        }

        @Override
        public void pause(long nanos) {
          LockSupport.parkNanos(nanos);
        }
      };

  /** Nanoseconds from an arbitrary moment on. */
  long nanos();

  /** Lets that much time pass, or less. */
  void pause(long nanos);
}
