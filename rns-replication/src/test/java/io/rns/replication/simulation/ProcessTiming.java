package io.rns.replication.simulation;

import io.rns.replication.Timing;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.locks.Lock;

/**
 * Time as a process measures it.
 *
 * @param rate of its clock: 1 for the true one
 */
record ProcessTiming(VirtualTime time, SimulatedProcess process, double rate) implements Timing {
  private static final long BOOT = 1_000_000_000_000L;

  @Override
  public long nanoTime() {
    return BOOT + Math.round(time.now() * rate);
  }

  /** The time of day by its clock. */
  Instant instant() {
    return Instant.EPOCH.plusNanos(nanoTime());
  }

  /** True nanoseconds until a time has passed by its clock. */
  long nanos(Duration duration) {
    return Math.round(duration.toNanos() / rate);
  }

  @Override
  public void pause(Duration duration) {
    time.pause(nanos(duration));
  }

  /** The last task runs on the calling thread. */
  @Override
  public void runAll(List<Runnable> tasks) {
    if (tasks.isEmpty()) {
      return;
    }
    Signal ended = new Signal(time);
    int[] running = {tasks.size() - 1};
    for (Runnable task : tasks.subList(0, tasks.size() - 1)) {
      time.start(process, () -> {
        task.run();
        running[0]--;
        if (running[0] == 0) {
          ended.fire();
        }
      });
    }
    tasks.getLast().run();
    if (running[0] > 0) {
      ended.await();
    }
  }

  @Override
  public void start(String name, Runnable task) {
    time.start(process, task);
  }

  @Override
  public Lock newLock() {
    return new VirtualLock(time);
  }
}
