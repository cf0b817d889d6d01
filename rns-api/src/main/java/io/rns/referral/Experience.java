package io.rns.referral;

import io.rns.api.Position;
import java.util.Optional;

/**
 * What a client itself knows of a server, at the moment of a choice.
 *
 * @param roundTripNanos how long reads took there, the latest counting most; 0 if that is not known, or was long ago
 * @param inFlight how many of the client's calls are under way there
 * @param position the last position that the server has answered with
 * @param failedMillis how long ago it failed, if it has not answered since; below 0 if it has
 * @param restMillis for how long it is not to be asked because of that, while others can be; 0 or less if it may be
 */
public record Experience(
    long roundTripNanos, int inFlight, Optional<Position> position, long failedMillis, long restMillis) {
  /** A server that was never asked. */
  public static final Experience NONE = new Experience(0, 0, Optional.empty(), -1, 0);

  /** Whether it failed and has not answered since. */
  boolean hasFailed() {
    return failedMillis >= 0;
  }

  /** Whether others are to be asked first: one call at a time finds out whether it is well again. */
  boolean isResting() {
    return hasFailed() && (restMillis > 0 || inFlight > 0);
  }
}
