package io.rns.pool;

import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;

/**
 * What a user has met at an element, for the registrar to tell others.
 *
 * @param id the id of the element, unsigned
 * @param answered whether it answered
 * @param millis how long its answers take, in ms, 0 to {@value #MOST_MILLIS}; 0 if it did not answer
 */
public record ElementExperience(int id, boolean answered, long millis) {
  /** The longest response time that is told. */
  public static final long MOST_MILLIS = 3_600_000;

  public ElementExperience {
    if (millis < 0 || (!answered && millis != 0)) {
      throw new RnsException(
          RnsError.INVALID_REQUEST, "a response time of " + millis + " ms of an element is invalid");
    }
    Limits.check("a response time", millis, MOST_MILLIS, "ms");
  }

  /** The element answers within so many ms; longer than {@value #MOST_MILLIS} counts as that. */
  public static ElementExperience answered(int id, long millis) {
    return new ElementExperience(id, true, Math.min(MOST_MILLIS, millis));
  }

  /** The element failed. */
  public static ElementExperience failed(int id) {
    return new ElementExperience(id, false, 0);
  }
}
