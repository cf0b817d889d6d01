package io.rns.identity;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that a test sets. Thread-safe. */
final class ManualTime implements InstantSource {
  private volatile Instant now = Instant.now();

  @Override
  public Instant instant() {
    return now;
  }

  void advance(Duration time) {
    now = now.plus(time);
  }
}
