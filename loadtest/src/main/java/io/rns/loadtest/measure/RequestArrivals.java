package io.rns.loadtest.measure;

import java.time.Duration;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** When the requests of a load begin. */
public sealed interface RequestArrivals {
  /** Each client begins its next request as soon as the former one is answered. */
  RequestArrivals AT_ONCE = new Closed(Duration.ZERO);

  /**
   * A closed loop: a client begins its next request some time after the former one was answered, so a service that
   * stalls is asked less, and the requests that it did not get are in no latency.
   */
  record Closed(Duration think) implements RequestArrivals {
    public Closed {
      if (think.isNegative()) {
        throw new IllegalArgumentException("a think time of " + think + " is not possible");
      }
    }
  }

  /**
   * An open loop: requests are due at moments that do not depend on answers. A client that is free takes the next one,
   * and its latency counts from when it was due. What is due and finds no free client waits, and that counts, too.
   *
   * @param phase how far into the first step even moments begin: 0 to 1
   */
  record Open(double perSecond, Spacing spacing, long seed, double phase) implements RequestArrivals {
    public Open {
      if (!(perSecond > 0)) {
        throw new IllegalArgumentException("a rate of " + perSecond + " is not possible");
      }
    }

    Moments from(long beginNanos) {
      return new Moments(this, beginNanos);
    }
  }

  /**
   * Each client knows itself when its requests are due. Their latency counts from then, also if the client had to wait
   * for an earlier answer; that of the first request of each client is told, too, as {@value #FIRST_RESPONSE}.
   */
  record OfClients() implements RequestArrivals {
    /** The name of what the first requests of all clients took, among the latencies of operations. */
    public static final String FIRST_RESPONSE = "first response";
  }

  /** How the moments of an open loop are spread. */
  enum Spacing {
    EVEN,
    /** At random and independent of each other (a Poisson process), as many callers together are. */
    POISSON;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The moments when requests are due, in their order. Thread-safe: each moment is given once. */
  final class Moments {
    private final Open open;
    private final long begin;
    private final SplittableRandom random;
    /** Since the beginning; kept apart from it, so that many small steps do not add up to an error. */
    private double elapsed;
    private long given;

    private Moments(Open open, long begin) {
      this.open = open;
      this.begin = begin;
      random = new SplittableRandom(open.seed());
    }

    synchronized long next() {
      double intervalNanos = TimeUnit.SECONDS.toNanos(1) / open.perSecond();
      if (open.spacing() == Spacing.EVEN) {
        elapsed = (given + open.phase()) * intervalNanos;
      } else {
        elapsed += -Math.log(1 - random.nextDouble()) * intervalNanos;
      }
      given++;
      return begin + (long) elapsed;
    }
  }
}
