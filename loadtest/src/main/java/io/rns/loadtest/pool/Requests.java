package io.rns.loadtest.pool;

import io.rns.error.RnsException;
import io.rns.loadtest.measure.Failure;
import io.rns.loadtest.measure.FailureKind;
import io.rns.loadtest.measure.LoadClient;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.PrimitiveIterator;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Requests to simulated servers, shared by the clients of one run; the same seed gives the same requests at the same
 * times. Safe for use by many threads.
 */
final class Requests {
  private static final double SECOND = 1e9;

  private final Demand demand;
  private final SplittableRandom random;
  private final SplittableRandom users;
  private final PrimitiveIterator.OfLong bursts;
  private final ConcurrentHistogram early = new ConcurrentHistogram(2);
  private final ConcurrentHistogram transfers = new ConcurrentHistogram(2);
  private final long from;
  private final long until;
  private long due;
  private int leftOfBurst;
  private boolean ended;

  /**
   * What users ask for.
   *
   * @param clients how many requests can be under way at once
   * @param bursts when there are some
   * @param burst how many requests come at each of these times
   */
  record Demand(int clients, Bursts bursts, int burst, Sizes sizes) {
    /** The same at other times. */
    Demand at(Bursts other, int copies) {
      return new Demand(clients, other, copies, sizes);
    }
  }

  /** When requests come, in nanoseconds since the run began; the same for the same random numbers. */
  interface Bursts {
    PrimitiveIterator.OfLong times(RandomGenerator random);

    Bursts NONE = random -> LongStream.empty().iterator();

    /** At exponential intervals, the first at once. */
    static Bursts atRandom(double perSecond) {
      return random -> LongStream
          .iterate(0, time -> time - Math.round(Math.log(1 - random.nextDouble()) * SECOND / perSecond)).iterator();
    }

    /** At given times, and again a second after the last of them. */
    static Bursts repeated(List<Long> times) {
      long period = times.getLast() + (long) SECOND;
      return random -> LongStream.iterate(0, i -> i + 1)
          .map(i -> times.get((int) (i % times.size())) + i / times.size() * period).iterator();
    }
  }

  /** How long requests take, in nanoseconds. */
  interface Sizes {
    long draw(RandomGenerator random);

    /** From half of the mean to one and a half, evenly. */
    static Sizes even(long mean) {
      return random -> mean / 2 + random.nextLong(mean + 1);
    }

    /** Most are short, as of a name server that has the answer, and some are long. */
    static Sizes mixed(long brief, long lengthy, double share) {
      return random -> random.nextDouble() < share ? lengthy : brief;
    }
  }

  /**
   * One request.
   *
   * @param due in nanoseconds since the run began
   * @param nanos what it takes
   * @param user whose it is, from 0 to below 1
   */
  private record Request(long due, long nanos, double user) {}

  /** No failure counts in the warm-up, and no request is due after the measured time. */
  Requests(Demand demand, long seed, Duration warmUp, Duration measured) {
    this.demand = demand;
    this.random = new SplittableRandom(seed);
    this.users = random.split();
    this.from = warmUp.toNanos();
    this.until = warmUp.plus(measured).toNanos();
    this.bursts = demand.bursts().times(random);
  }

  private synchronized @Nullable Request next() {
    if (leftOfBurst == 0) {
      due = bursts.nextLong();
      leftOfBurst = demand.burst();
    }
    leftOfBurst--;
    return ended || due >= until ? null : new Request(due, demand.sizes().draw(random), users.nextDouble());
  }

  synchronized void end() {
    ended = true;
  }

  /** Response times of the warm-up, in nanoseconds: of users that know nothing yet. */
  Histogram early() {
    return early;
  }

  /** What answers took from their first byte to their last, in nanoseconds. */
  Histogram transfers() {
    return transfers;
  }

  /**
   * The clients; {@code last} runs when all of them are closed.
   *
   * @param balancers one for each user; which user a request is of is drawn
   */
  List<LoadClient> clients(List<Balancer> balancers, Runnable last) {
    AtomicInteger open = new AtomicInteger(demand.clients());
    Runnable closed = () -> {
      if (open.decrementAndGet() == 0) {
        last.run();
      }
    };
    return Stream.<LoadClient>generate(() -> new Client(balancers, closed)).limit(demand.clients()).toList();
  }

  private final class Client implements LoadClient {
    private final List<Balancer> balancers;
    private final Runnable closed;
    private Request request = new Request(0, 0, 0);

    Client(List<Balancer> balancers, Runnable closed) {
      this.balancers = List.copyOf(balancers);
      this.closed = closed;
    }

    @Override
    public boolean prepare() {
      Request next = next();
      request = next == null ? request : next;
      return next != null;
    }

    @Override
    public long dueNanos() {
      return request.due();
    }

    @Override
    public @Nullable Failure perform() {
      long begun = System.nanoTime();
      try {
        long first = balancers.get((int) (request.user() * balancers.size())).send(request.nanos());
        long ended = System.nanoTime();
        if (request.due() < from) {
          early.recordValue(ended - begun);
        } else {
          transfers.recordValue(ended - first);
        }
        return null;
      } catch (IOException | RnsException e) {
        return request.due() < from ? null : new Failure(FailureKind.CONNECTION, String.valueOf(e.getMessage()));
      }
    }

    @Override
    public void cut() {
      // A request ends when its server answers; servers are closed only afterwards.
    }

    @Override
    public void close() {
      closed.run();
    }
  }
}
