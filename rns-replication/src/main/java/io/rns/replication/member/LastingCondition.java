package io.rns.replication.member;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** For how long something has been so at each look. For one thread. */
final class LastingCondition {
  private @Nullable Long sinceNanos;

  /**
   * Looks once more.
   *
   * @return how long it has been so, from the first look at which it was; zero if it is not
   */
  Duration look(boolean isSo, long nowNanos) {
    Long since = sinceNanos;
    if (!isSo) {
      sinceNanos = null;
    } else if (since == null) {
      sinceNanos = nowNanos;
    }
    return isSo && since != null ? Duration.ofNanos(nowNanos - since) : Duration.ZERO;
  }
}
