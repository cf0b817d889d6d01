package io.rns.replication.simulation;

import org.jspecify.annotations.Nullable;

/** Something that one thread waits for. */
final class Signal {
  private final VirtualTime time;
  private boolean fired;
  private VirtualTime.@Nullable Wait waiting;

  Signal(VirtualTime time) {
    this.time = time;
  }

  void fire() {
    if (!fired) {
      fired = true;
      if (waiting != null) {
        time.wake(waiting);
      }
    }
  }

  void await() {
    boolean unused = await(-1);
  }

  /** False if it has not come in time. */
  boolean await(long mostNanos) {
    if (!fired) {
      waiting = time.nextWait();
      time.park(mostNanos);
      waiting = null;
    }
    return fired;
  }
}
