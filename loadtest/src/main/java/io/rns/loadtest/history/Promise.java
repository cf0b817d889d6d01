package io.rns.loadtest.history;

/** What a server group promises, each kept or broken. */
public enum Promise {
  /** A write that was acknowledged, or read by any client, is there at the end. */
  NOTHING_LOST("acknowledged but missing"),
  /** A request is applied once, however often it is made. */
  APPLIED_ONCE("applied twice"),
  /** A refused request was not applied, and a valid one is not refused. */
  HONEST_REFUSALS("refused wrongly"),
  /** A read of a session sees what its token, and its own answer's position, stand for. */
  READ_YOUR_WRITES("read-your-writes violations"),
  /** What a session has seen does not go back. */
  MONOTONIC_READS("monotonic violations"),
  /** A bounded read sees every write that was acknowledged earlier than its bound. */
  BOUNDED_AGE("bounded reads too old"),
  /** A watcher receives every change, once, in order. */
  WATCH_COMPLETE("watch gaps or duplicates"),
  /** One server takes writes at a time. */
  ONE_PRIMARY("writes accepted by two primaries"),
  /** No request fails while nothing is broken. */
  NO_FAILURE("failed in a planned switchover");

  private final String broken;

  Promise(String broken) {
    this.broken = broken;
  }

  public String broken() {
    return broken;
  }
}
