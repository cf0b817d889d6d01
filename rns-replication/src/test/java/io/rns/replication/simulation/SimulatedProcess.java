package io.rns.replication.simulation;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** A process: killed once and for all, or paused and continued. */
final class SimulatedProcess {
  private final VirtualTime time;
  private final ArrayDeque<Runnable> arrived = new ArrayDeque<>();
  private boolean alive = true;
  private boolean paused;

  SimulatedProcess(VirtualTime time) {
    this.time = time;
  }

  boolean isAlive() {
    return alive;
  }

  boolean isPaused() {
    return alive && paused;
  }

  /** Whether it can answer now. */
  boolean answers() {
    return alive && !paused;
  }

  /** What arrives at it: at once, when it continues, or never. */
  void deliver(Runnable action) {
    if (alive) {
      if (paused) {
        arrived.add(action);
      } else {
        action.run();
      }
    }
  }

  void kill() {
    alive = false;
    arrived.clear();
  }

  void pause() {
    paused = true;
  }

  void resume() {
    if (paused) {
      paused = false;
      // In the order of arrival, each as an event of its own: one of them may resume a thread.
      for (@Nullable
      Runnable each = arrived.poll(); each != null; each = arrived.poll()) {
        Runnable action = each;
        time.after(0, () -> deliver(action));
      }
    }
  }

  void checkAlive() {
    if (!alive) {
      throw new ProcessKilled();
    }
  }
}
