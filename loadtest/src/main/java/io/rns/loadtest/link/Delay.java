package io.rns.loadtest.link;

import java.time.Duration;

/**
 * How long bytes are under way in one direction.
 *
 * @param jitter up to how much longer it may be, evenly spread; what was sent first still arrives first
 */
public record Delay(Duration least, Duration jitter) {
  private static final Duration MOST = Duration.ofMinutes(1);

  public static final Delay NONE = new Delay(Duration.ZERO, Duration.ZERO);

  public Delay {
    check("delay", least);
    check("jitter", jitter);
  }

  private static void check(String what, Duration time) {
    if (time.isNegative() || time.compareTo(MOST) > 0) {
      throw new IllegalArgumentException(
          "the " + what + " of a link is from 0 to " + MOST.toMillis() + " ms; it was " + time.toMillis() + " ms");
    }
  }
}
