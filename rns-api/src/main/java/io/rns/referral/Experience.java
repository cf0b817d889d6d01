package io.rns.referral;

import io.rns.api.Positions;

/**
 * What a client has itself observed of a server, at the moment of a choice.
 *
 * @param roundTripNanos the duration of reads there, recent ones weighted most; 0 if unknown or out of date
 * @param inFlight the number of the client's calls in flight there
 * @param positions the last positions the server returned, of each server group that its answers reflected
 * @param failedMillis how long ago it failed, in ms, if it has not answered since; negative otherwise
 * @param restMillis the remaining back-off in ms, during which other servers are preferred; 0 or less if there is none
 */
public record Experience(
    long roundTripNanos, int inFlight, Positions positions, long failedMillis, long restMillis) {
  /** A server that was never contacted. */
  public static final Experience NONE = new Experience(0, 0, Positions.NONE, -1, 0);

  /** Whether the server failed and has not answered since. */
  boolean hasFailed() {
    return failedMillis >= 0;
  }

  /** Whether the server is backing off. Afterwards a single call probes whether it has recovered. */
  boolean isResting() {
    return hasFailed() && (restMillis > 0 || inFlight > 0);
  }
}
