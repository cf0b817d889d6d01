package io.rns.client.call;

import java.time.Duration;

/**
 * The moment at which waiting ends.
 *
 * @param ticker the time it is measured in
 * @param at that moment
 */
public record Deadline(Ticker ticker, long at) {
  /** The moment that is {@code time} from now. */
  public static Deadline in(Duration time, Ticker ticker) {
    return new Deadline(ticker, ticker.nanos() + time.toNanos());
  }

  /** The time left in nanoseconds; zero or below when it has passed. */
  public long nanosLeft() {
    return at - ticker.nanos();
  }

  /** This moment, or the one that is {@code time} from now if that is earlier. */
  public Deadline butWithin(Duration time) {
    long limit = time.toNanos();
    return nanosLeft() <= limit ? this : new Deadline(ticker, ticker.nanos() + limit);
  }
}
