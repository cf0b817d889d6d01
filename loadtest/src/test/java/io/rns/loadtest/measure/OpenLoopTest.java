package io.rns.loadtest.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.rns.loadtest.measure.RequestArrivals.Moments;
import io.rns.loadtest.measure.RequestArrivals.Open;
import io.rns.loadtest.measure.RequestArrivals.Spacing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One client in a time of its own, so that every latency is known: a client is a queue's server. */
@Timeout(120)
class OpenLoopTest {
  private static final Duration NEVER = Duration.ofDays(300);
  private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

  /** Passes when somebody waits or works. */
  private static final class Virtual implements LoadRun.Clock {
    private final AtomicLong now = new AtomicLong();

    @Override
    public long nanos() {
      return now.get();
    }

    @Override
    public void pause(long nanos) {
      now.addAndGet(nanos);
    }
  }

  /** A client whose requests take a known time. */
  private static final class Server implements LoadClient {
    private final LoadRun.Clock time;
    private final LongUnaryOperator service;
    private long number;

    /** Tells of each request, by its number from 0 on, how many nanoseconds it takes. */
    Server(LoadRun.Clock time, LongUnaryOperator service) {
      this.time = time;
      this.service = service;
    }

    @Override
    public boolean prepare() {
      return true;
    }

    @Override
    public @Nullable Failure perform() {
      time.pause(service.applyAsLong(number++));
      return null;
    }

    @Override
    public String operation() {
      return number % 2 == 0 ? "even" : "odd";
    }

    @Override
    public void cut() {}

    @Override
    public void close() {}
  }

  private static Measurement run(RequestArrivals arrivals, Duration warmUp, Duration measured,
      LongUnaryOperator service) {
    Virtual time = new Virtual();
    return LoadRun.run(
        List.of(new Server(time, service)), arrivals, new Schedule(warmUp, measured), NEVER, Observer.NONE, time);
  }

  private static Measurement run(RequestArrivals arrivals, Duration measured, LongUnaryOperator service) {
    return run(arrivals, Duration.ZERO, measured, service);
  }

  private static Open open(double rate, Spacing spacing) {
    return new Open(rate, spacing, 7, 0);
  }

  @Test
  void aQueueWithOneServerAndConstantServiceWaitsAsTheoryTells() {
    // M/D/1 at 80 %: service of 1 ms, mean wait rho / (2 (1 - rho)) services, so 2 ms; the latency is one more.
    Measurement measured =
        run(open(800, Spacing.POISSON), Duration.ofSeconds(10), Duration.ofSeconds(2_000), n -> MILLI);
    assertThat(measured.latencies().getMean() / MILLI).isEqualTo(3, within(0.1));
    assertThat(measured.throughput()).isEqualTo(800, within(4.0));
    assertThat(measured.notStarted()).isLessThan(100);
    assertThat(measured.failures().total()).isZero();
  }

  @Test
  void aQueueWithOneServerAndExponentialServiceHasExponentialLatencies() {
    // M/M/1 at 50 %: latencies are exponential with a mean of 1 ms / (1 - 0.5)
    SplittableRandom random = new SplittableRandom(3);
    LongUnaryOperator exponential = n -> Math.round(-Math.log(1 - random.nextDouble()) * MILLI);
    Measurement measured = run(open(500, Spacing.POISSON), Duration.ofSeconds(2_000), exponential);
    assertThat(measured.latencies().getMean() / MILLI).isEqualTo(2, within(0.1));
    assertThat(measured.micros(50) / 1e3).isEqualTo(2 * Math.log(2), within(0.1));
    assertThat(measured.micros(99) / 1e3).isEqualTo(2 * Math.log(100), within(0.6));
  }

  @Test
  void percentilesOfEvenlySpreadLatenciesAreEven() {
    Measurement measured =
        run(RequestArrivals.AT_ONCE, Duration.ofSeconds(1_000), n -> (n * 7 % 1_000 + 1) * MILLI / 10);
    for (double percent : new double[]{10, 50, 90, 99}) {
      assertThat(measured.micros(percent)).isEqualTo(percent * 1_000, within(percent * 2 + 200));
    }
    assertThat(measured.maxMicros()).isEqualTo(100_000, within(100.0));
  }

  /** 1 ms each, but the 5,000th hangs for 2 s. */
  private static long stalled(long number) {
    return number == 5_000 ? 2_000 * MILLI : MILLI;
  }

  @Test
  void aStallIsInTheLatenciesOfAllThatWereDueMeanwhile() {
    Duration tenSeconds = Duration.ofSeconds(10);
    Measurement closed = run(new RequestArrivals.Closed(Duration.ofMillis(1)), tenSeconds, OpenLoopTest::stalled);
    Measurement open = run(open(500, Spacing.EVEN), Duration.ofSeconds(20), OpenLoopTest::stalled);
    // A closed loop asks nothing while the service hangs: one request in thousands shows it.
    assertThat(closed.micros(99.9)).isLessThan(1_100);
    // At 500/s 1,000 requests were due in the 2 s, and as many while those were made up for, of 10,000 in all.
    assertThat(open.micros(79)).isLessThan(1_100);
    assertThat(open.micros(90)).isEqualTo(1_000_000, within(20_000.0));
    assertThat(open.micros(99)).isGreaterThan(1_800_000);
    assertThat(open.completed()).isEqualTo(10_000);
  }

  @Test
  void whatCouldNotBeStartedCountsWithTheTimeItWaited() {
    // 2,000/s are due where 1,000/s can be served.
    Measurement measured = run(open(2_000, Spacing.EVEN), Duration.ofSeconds(10), n -> MILLI);
    assertThat(measured.completed()).isCloseTo(10_000, within(2L));
    assertThat(measured.notStarted()).isCloseTo(10_000, within(2L));
    assertThat(measured.latencies().getTotalCount()).isCloseTo(20_000, within(2L));
    assertThat(measured.throughput()).isEqualTo(1_000, within(1.0));
    assertThat(measured.maxMicros()).isEqualTo(5_000_000, within(10_000.0));
    // Half of them waited from 0 to 5 s until they were served, the others from 5 to 0 s in vain.
    assertThat(measured.micros(50)).isEqualTo(2_500_000, within(25_000.0));
  }

  @Test
  void onlyTheMeasuredTimeCounts() {
    Measurement measured = run(open(100, Spacing.EVEN), Duration.ofSeconds(3), Duration.ofSeconds(5), n -> MILLI);
    assertThat(measured.completed()).isEqualTo(500);
    assertThat(measured.latencies().getTotalCount()).isEqualTo(500);
    assertThat(measured.micros(100)).isEqualTo(1_000, within(1.0));
    assertThat(measured.measured()).isEqualTo(Duration.ofSeconds(5));
    assertThat(measured.operations().get("odd").getTotalCount()).isEqualTo(250);
    assertThat(measured.operations().get("even").getTotalCount()).isEqualTo(250);
  }

  @Test
  void replaysTheTimesOfAClient() {
    Virtual time = new Virtual();
    long[] due = {5, 6, 20};
    LoadClient client =
        new LoadClient() {
          private int next;

          @Override
          public boolean prepare() {
            return next++ < due.length;
          }

          @Override
          public long dueNanos() {
            return due[next - 1] * MILLI;
          }

          @Override
          public @Nullable Failure perform() {
            time.pause(3 * MILLI);
            return null;
          }

          @Override
          public void cut() {}

          @Override
          public void close() {}
        };
    Measurement measured =
        LoadRun.run(List.of(client), new RequestArrivals.OfClients(), Schedule.untilDone(NEVER), NEVER, Observer.NONE,
            time);
    // The second had to wait for the answer to the first: from 6 to 11 ms.
    assertThat(measured.micros(50)).isEqualTo(3_000, within(3.0));
    assertThat(measured.maxMicros()).isEqualTo(5_000, within(5.0));
    assertThat(measured.completed()).isEqualTo(3);
    assertThat(measured.measured()).isEqualTo(Duration.ofMillis(23));
    assertThat(measured.operations().get("first response").getTotalCount()).isEqualTo(1);
    assertThat(measured.operations().get("first response").getMaxValue()).isBetween(3 * MILLI - 3_000,
        3 * MILLI + 3_000);
  }

  @Test
  void clientsThinkBetweenTheirRequests() {
    Measurement measured = run(new RequestArrivals.Closed(Duration.ofMillis(9)), Duration.ofSeconds(10), n -> MILLI);
    assertThat(measured.throughput()).isEqualTo(100, within(0.2));
    assertThat(measured.maxMicros()).isEqualTo(1_000, within(1.0));
  }

  @Test
  void evenMomentsDoNotDriftAndDrawnOnesAreIndependent() {
    Moments even = open(3, Spacing.EVEN).from(1_000);
    long last = 0;
    for (int i = 0; i <= 3_000_000; i++) {
      last = even.next();
    }
    assertThat(last).isEqualTo(1_000 + TimeUnit.SECONDS.toNanos(1_000_000));

    Moments drawn = open(1_000, Spacing.POISSON).from(0);
    double squares = 0;
    long before = 0;
    for (int i = 0; i < 200_000; i++) {
      long moment = drawn.next();
      squares += Math.pow((moment - before) / (double) MILLI, 2);
      before = moment;
    }
    assertThat(before / (double) MILLI / 200_000).isEqualTo(1, within(0.02));
    // the mean square of an exponential distribution is twice the square of its mean
    assertThat(squares / 200_000).isEqualTo(2, within(0.08));
  }

  @Test
  void thousandsOfClientsRunAtATime() {
    AtomicLong running = new AtomicLong();
    AtomicLong most = new AtomicLong();
    List<LoadClient> clients = new ArrayList<>();
    int count = 5_000;
    CountDownLatch all = new CountDownLatch(count);
    for (int i = 0; i < count; i++) {
      clients.add(new OneRequest(() -> {
        most.accumulateAndGet(running.incrementAndGet(), Math::max);
        all.countDown();
        await(all);
        running.decrementAndGet();
      }));
    }
    Measurement measured = LoadRun.run(clients, Schedule.untilDone(Duration.ofSeconds(100)), Duration.ofSeconds(100));
    assertThat(measured.completed()).isEqualTo(count);
    assertThat(most).hasValue(count);
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(100, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A client with one request. */
  private static final class OneRequest implements LoadClient {
    private final Runnable request;
    private boolean done;

    OneRequest(Runnable request) {
      this.request = request;
    }

    @Override
    public boolean prepare() {
      return !done;
    }

    @Override
    public @Nullable Failure perform() {
      done = true;
      request.run();
      return null;
    }

    @Override
    public void cut() {}

    @Override
    public void close() {}
  }

  @Test
  void refusesImpossibleArrivals() {
    assertThatThrownBy(() -> open(0, Spacing.EVEN)).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0.0");
    assertThatThrownBy(() -> open(Double.NaN, Spacing.EVEN)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new RequestArrivals.Closed(Duration.ofMillis(-1)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
