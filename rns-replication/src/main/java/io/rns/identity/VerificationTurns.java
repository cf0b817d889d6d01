package io.rns.identity;

import io.rns.share.FairPlaces;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Verifications that take time of a processor: so many are done at a time, further ones wait, and too many are refused.
 * Origins take turns, so that the wrong credentials of one do not keep out the others. Thread-safe.
 */
final class VerificationTurns {
  /** Verifications that wait. */
  static final int MOST_WAITING = 16;

  /** How long they wait at most. */
  static final Duration WAIT = Duration.ofMillis(500);

  private final String what;
  private final Duration wait;
  private final FairPlaces places;
  private final FairPlaces waiting;

  /**
   * Turns.
   *
   * @param what is verified, in plural
   * @param places how many are verified at a time
   */
  VerificationTurns(String what, int places) {
    this(what, places, WAIT);
  }

  VerificationTurns(String what, int places, Duration wait) {
    this.what = what;
    this.wait = wait;
    this.places = new FairPlaces(places, places);
    this.waiting = new FairPlaces(places + MOST_WAITING, 1);
  }

  /** Verifies when it is the turn of an origin; undecided if that is not soon. */
  Verification take(String origin, Supplier<Verification> verifying) {
    FairPlaces.Result room = waiting.tryTake(origin, 1);
    if (room != FairPlaces.Result.TAKEN) {
      return new Verification.Undecided(
          true,
          room == FairPlaces.Result.OWN_LIMIT
              ? "this client has " + waiting.limit(origin) + " " + what + " that wait to be verified, its own limit"
              : tooMany());
    }
    boolean placed = false;
    try {
      placed = places.take(origin, 1, wait) == FairPlaces.Result.TAKEN;
      return placed ? verifying.get() : new Verification.Undecided(true, tooMany());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Verification.Undecided(false, "interrupted");
    } finally {
      if (placed) {
        places.giveBack(origin, 1);
      }
      waiting.giveBack(origin, 1);
    }
  }

  private String tooMany() {
    return "too many " + what + " are being verified";
  }

  /** How many origins wait. */
  int originsWaiting() {
    return places.callersWaiting();
  }

  /** How many verifications are done or wait. */
  int taken() {
    return waiting.taken();
  }
}
