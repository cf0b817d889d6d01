package io.rns.server.group;

/** Whether clients should choose other servers. Not kept: a restarted server does not drain. Thread-safe. */
final class Draining {
  private volatile boolean now;
  private volatile int times;

  synchronized void begin() {
    times += now ? 0 : 1;
    now = true;
  }

  synchronized void end() {
    now = false;
  }

  boolean isNow() {
    return now;
  }

  /** How often it has begun. */
  int times() {
    return times;
  }
}
