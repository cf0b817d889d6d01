package io.rns.cli;

import io.rns.cli.OpenIdProvider.Pending;
import io.rns.cli.OpenIdProvider.TokenAnswer;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * A sign-in that a person confirms in a browser, on any device (RFC 8628).
 *
 * @param nanos a monotonic clock
 */
record DeviceLogin(OpenIdProvider provider, LoginClient client, LongSupplier nanos, Pause pause) {
  /** What a provider that wants fewer questions adds to the time between two. */
  private static final Duration SLOWER = Duration.ofSeconds(5);

  private static final Duration SLOWEST = Duration.ofMinutes(5);

  /** Questions in a row that may fail for want of an answer. */
  private static final int MOST_FAILURES = 5;

  /** Lets time pass. */
  interface Pause {
    /** Lets it pass. */
    void pass(Duration time) throws InterruptedException;
  }

  /**
   * Signs in.
   *
   * @param show gets the address and the code, once
   * @throws RnsException {@link RnsError#NOT_PERMITTED} if the person or the provider refuses,
   *         {@link RnsError#NOT_AUTHENTICATED} if the code expires, {@link RnsError#UNAVAILABLE} without answers
   */
  TokenAnswer.Granted run(Consumer<Pending> show) throws InterruptedException {
    Pending pending = provider.begin(client);
    long began = nanos.getAsLong();
    show.accept(pending);
    Duration interval = pending.interval();
    int failures = 0;
    while (true) {
      pause.pass(interval);
      if (nanos.getAsLong() - began >= pending.life().toNanos()) {
        throw expired();
      }
      try {
        TokenAnswer answer = provider.poll(client, pending);
        if (answer instanceof TokenAnswer.Granted granted) {
          return granted;
        }
        interval = next((TokenAnswer.Denied) answer, interval);
        failures = 0;
      } catch (RnsException e) {
        failures++;
        if (e.error() != RnsError.UNAVAILABLE || failures == MOST_FAILURES) {
          throw e;
        }
        interval = slower(interval, interval);
      }
    }
  }

  private static Duration slower(Duration interval, Duration by) {
    Duration sum = interval.plus(by);
    return sum.compareTo(SLOWEST) > 0 ? SLOWEST : sum;
  }

  private static Duration next(TokenAnswer.Denied denied, Duration interval) {
    return switch (denied.code()) {
      case "authorization_pending" -> interval;
      case "slow_down" -> slower(interval, SLOWER);
      case "access_denied" -> throw new RnsException(RnsError.NOT_PERMITTED, "the sign-in was denied");
      case "expired_token" -> throw expired();
      default -> throw new RnsException(
          RnsError.NOT_PERMITTED, "the provider refuses the sign-in: " + OpenIdProvider.text(denied));
    };
  }

  private static RnsException expired() {
    return new RnsException(
        RnsError.NOT_AUTHENTICATED, "the code expired before the sign-in was confirmed; run 'rns login' again");
  }
}
