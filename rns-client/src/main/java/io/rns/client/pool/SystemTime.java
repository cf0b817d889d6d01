package io.rns.client.pool;

import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The time of this machine. What is to be done later may wait for a server that does not respond, so it is done by up
 * to 64 threads; one more wakes them. All are daemons and end when idle.
 */
final class SystemTime implements Time {
  static final SystemTime INSTANCE = new SystemTime();

  private static final long IDLE_SECONDS = 5;
  private static final int MOST_AT_A_TIME = 64;

  /** When all threads are busy, a task waits for so long and tries again. */
  private static final long BUSY_MILLIS = 50;

  private final ScheduledThreadPoolExecutor clock;
  private final ThreadPoolExecutor workers;

  private SystemTime() {
    clock = new ScheduledThreadPoolExecutor(1, task -> daemon(task, "rns-pool-clock"));
    clock.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    clock.allowCoreThreadTimeOut(true);
    clock.setRemoveOnCancelPolicy(true);
    workers =
        new ThreadPoolExecutor(0, MOST_AT_A_TIME, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(),
            task -> daemon(task, "rns-pool-elements"), (task, busy) -> retry(task));
  }

  private void retry(Runnable task) {
    ScheduledFuture<?> unused = schedule(task, BUSY_MILLIS);
  }

  private static Thread daemon(Runnable task, String name) {
    Thread made = new Thread(task, name);
    made.setDaemon(true);
    return made;
  }

  private ScheduledFuture<?> schedule(Runnable task, long millis) {
    return clock.schedule(() -> workers.execute(task), millis, TimeUnit.MILLISECONDS);
  }

  @Override
  public long millis() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
  }

  @Override
  public void pause(long millis) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(millis);
  }

  @Override
  public Runnable after(long millis, Runnable task) {
    ScheduledFuture<?> later = schedule(task, millis);
    return () -> {
      boolean unused = later.cancel(false);
    };
  }
}
