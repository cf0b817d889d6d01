package io.rns.client.pool;

import java.util.ArrayList;
import java.util.List;

/**
 * Time that passes when a test says so, or at once where code pauses; what is to be done later is done then, in order.
 */
final class ManualTime implements Time {
  private record Task(long at, long number, Runnable action) {}

  private final List<Task> tasks = new ArrayList<>();
  private final List<Long> pauses = new ArrayList<>();
  private long now = 1_000;
  private long number;

  @Override
  public synchronized long millis() {
    return now;
  }

  @Override
  public void pause(long millis) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    pauses.add(millis);
    pass(millis);
  }

  @Override
  public synchronized Runnable after(long millis, Runnable action) {
    Task task = new Task(now + millis, number++, action);
    tasks.add(task);
    return () -> cancel(task);
  }

  private synchronized void cancel(Task task) {
    tasks.remove(task);
  }

  List<Long> pauses() {
    return pauses;
  }

  synchronized int waiting() {
    return tasks.size();
  }

  private synchronized Runnable next(long until) {
    Task first = null;
    for (Task task : tasks) {
      boolean earlier =
          first == null || task.at() < first.at() || (task.at() == first.at() && task.number() < first.number());
      first = earlier ? task : first;
    }
    if (first == null || first.at() > until) {
      now = until;
      return () -> {};
    }
    tasks.remove(first);
    now = Math.max(now, first.at());
    return first.action();
  }

  /** Lets time pass, with all that is to be done meanwhile. */
  void pass(long millis) {
    long until = millis() + millis;
    while (isDue(until)) {
      next(until).run();
    }
    Runnable unused = next(until);
  }

  private synchronized boolean isDue(long until) {
    return tasks.stream().anyMatch(task -> task.at() <= until);
  }
}
