package io.rns.pool;

import io.rns.error.RnsError;
import io.rns.error.RnsException;

/**
 * What users of a registrar have lately met at an element. Immutable.
 *
 * @param millis how long its answers take, in ms, a mean that follows a rise faster than a fall; 0 if unknown
 * @param failingMillis for how much longer it is to be avoided, in ms, because it failed last; 0 if it need not
 */
public record SharedExperience(long millis, long failingMillis) {
  /** Nothing is known. */
  public static final SharedExperience NONE = new SharedExperience(0, 0);

  public SharedExperience {
    if (millis < 0 || failingMillis < 0) {
      throw new RnsException(
          RnsError.INVALID_REQUEST, "an experience of " + millis + " ms, failing for " + failingMillis
              + " ms, is invalid");
    }
  }
}
