package io.rns.loadtest.contest;

import io.rns.loadtest.measure.Failure;
import io.rns.loadtest.measure.LoadClient;
import io.rns.loadtest.measure.Measurement;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** The responses of all clients of a load in one period after the other. Thread-safe. */
final class Responses {
  private static final double MILLI = 1e6;
  private static final int P99 = 99;

  private final Histogram times = Measurement.newHistogram();
  private long last = System.nanoTime();
  private long longest;
  private long count;

  /**
   * What a period was like.
   *
   * @param silenceMillis the longest time in which no client got a response
   * @param medianMillis of the response times
   * @param p99Millis of the response times
   */
  record Period(double silenceMillis, double medianMillis, double p99Millis) {}

  /** Ends a period, and begins the next one. */
  synchronized Period next() {
    Period ended = new Period(longest / MILLI, times.getValueAtPercentile(50) / MILLI,
        times.getValueAtPercentile(P99) / MILLI);
    longest = 0;
    times.reset();
    return ended;
  }

  synchronized void answered(long sent, long now) {
    longest = Math.max(longest, now - last);
    last = now;
    count++;
    Measurement.record(times, now - sent);
  }

  /** How many there were in all periods. */
  synchronized long count() {
    return count;
  }

  /** The same client, whose responses count here. */
  LoadClient of(LoadClient client) {
    return new Watched(client, this);
  }

  private record Watched(LoadClient client, Responses responses) implements LoadClient {
    @Override
    public boolean prepare() {
      return client.prepare();
    }

    @Override
    public @Nullable Failure perform() {
      long sent = System.nanoTime();
      Failure failure = client.perform();
      if (failure == null) {
        responses.answered(sent, System.nanoTime());
      }
      return failure;
    }

    @Override
    public void cut() {
      client.cut();
    }

    @Override
    public long reconnects() {
      return client.reconnects();
    }

    @Override
    public void close() {
      client.close();
    }
  }
}
