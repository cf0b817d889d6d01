package io.rns.server.soap;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that stands still until it is told to go on. */
final class ManualClock implements InstantSource {
  private Instant now = Instant.parse("2026-01-02T03:04:05.678901Z");

  void advance(Duration time) {
    now = now.plus(time);
  }

  @Override
  public Instant instant() {
    return now;
  }
}
