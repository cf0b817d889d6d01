package io.rns.loadtest.history;

/**
 * A promise that was broken once.
 *
 * @param promise which one
 * @param what by whom, where, when
 */
public record Violation(Promise promise, String what) {
  @Override
  public String toString() {
    return promise.broken() + ": " + what;
  }
}
