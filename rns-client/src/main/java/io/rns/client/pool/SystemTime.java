package io.rns.client.pool;

import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The time of this machine, with one daemon thread for all, which ends when idle. */
final class SystemTime implements Time {
  static final SystemTime INSTANCE = new SystemTime();

  private static final long IDLE_SECONDS = 5;

  private final ScheduledThreadPoolExecutor thread;

  private SystemTime() {
    thread =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread made = new Thread(task, "rns-pool-elements");
              made.setDaemon(true);
              return made;
            });
    thread.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    thread.allowCoreThreadTimeOut(true);
    thread.setRemoveOnCancelPolicy(true);
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
    ScheduledFuture<?> later = thread.schedule(task, millis, TimeUnit.MILLISECONDS);
    return () -> {
      boolean unused = later.cancel(false);
    };
  }
}
