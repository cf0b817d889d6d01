package io.rns.association;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Background tasks of which only so many run at a time. Hosts take turns, so that one with many connections does not
 * keep others waiting. Used by one thread.
 *
 * @param <C> connections, which have a task each at most
 */
final class FairTasks<C> {
  private final BackgroundTasks tasks;
  private final int most;
  private int running;

  /** What waits, by host; the host whose turn is next first. */
  private final Map<String, Map<C, Waiting>> byHost = new LinkedHashMap<>();

  private record Waiting(Runnable task, Runnable after) {}

  /**
   * No tasks.
   *
   * @param most how many run at a time
   */
  FairTasks(BackgroundTasks tasks, int most) {
    this.tasks = tasks;
    this.most = most;
  }

  /** Runs a task for a connection that has none, see {@link BackgroundTasks#run}. */
  void run(String host, C connection, Runnable task, Runnable after) {
    Waiting next = new Waiting(task, after);
    if (running < most) {
      start(next);
    } else {
      byHost.computeIfAbsent(host, its -> new LinkedHashMap<>()).put(connection, next);
    }
  }

  /** Drops the task of a closed connection, unless it runs already. */
  void drop(String host, C closed) {
    Map<C, Waiting> ofHost = byHost.get(host);
    if (ofHost != null && ofHost.remove(closed) != null && ofHost.isEmpty()) {
      byHost.remove(host);
    }
  }

  private void start(Waiting next) {
    running++;
    tasks.run(
        next.task(),
        () -> {
          running--;
          Waiting waiting = poll();
          if (waiting != null) {
            start(waiting);
          }
          next.after().run();
        });
  }

  private @Nullable Waiting poll() {
    Iterator<Map.Entry<String, Map<C, Waiting>>> turns = byHost.entrySet().iterator();
    if (!turns.hasNext()) {
      return null;
    }
    Map.Entry<String, Map<C, Waiting>> turn = turns.next();
    String host = turn.getKey();
    Map<C, Waiting> ofHost = turn.getValue();
    turns.remove();
    Iterator<Waiting> first = ofHost.values().iterator();
    Waiting next = first.next();
    first.remove();
    if (!ofHost.isEmpty()) {
      byHost.put(host, ofHost);
    }
    return next;
  }
}
