package io.rns.loadtest.history;

/** A promise that was broken once. */
public record Violation(Promise promise, String what) {
  @Override
  public String toString() {
    return promise.broken() + ": " + what;
  }
}
