package io.rns.client;

import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Breaks off writes that take too long: a socket has a timeout for reading, not for writing, and a server that reads
 * nothing would keep a writer for ever. Its one thread starts with the first long message.
 */
final class WriteWatch implements AutoCloseable {
  private @Nullable ScheduledThreadPoolExecutor timer;
  private boolean closed;

  /** Runs {@code breakOff} at the deadline unless the result is cancelled before. */
  synchronized Future<?> at(Deadline deadline, Runnable breakOff) {
    if (timer == null) {
      timer = new ScheduledThreadPoolExecutor(1, WriteWatch::thread);
      timer.setRemoveOnCancelPolicy(true);
      if (closed) {
        timer.shutdownNow();
      }
    }
    return timer.schedule(breakOff, deadline.nanosLeft(), TimeUnit.NANOSECONDS);
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "rns-client-write-watch");
    thread.setDaemon(true);
    return thread;
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (timer != null) {
      timer.shutdownNow();
    }
  }
}
