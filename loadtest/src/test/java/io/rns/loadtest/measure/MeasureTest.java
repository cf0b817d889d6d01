package io.rns.loadtest.measure;

import static io.rns.loadtest.measure.Processors.GENERATOR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MeasureTest {
  private static final Schedule SOON = Schedule.untilDone(Duration.ofSeconds(30));

  /** A client that makes some requests and tells of each. */
  private static final class Scripted implements LoadClient {
    private final AtomicInteger left;
    private final Runnable request;
    private boolean closed;

    Scripted(int requests, Runnable request) {
      this.left = new AtomicInteger(requests);
      this.request = request;
    }

    @Override
    public boolean prepare() {
      return left.getAndDecrement() > 0;
    }

    @Override
    public @Nullable Failure perform() {
      request.run();
      return null;
    }

    @Override
    public void cut() {}

    @Override
    public void close() {
      closed = true;
    }
  }

  private static Measurement of(long requests, long millis) {
    Histogram latencies = Measurement.newHistogram();
    latencies.recordValueWithCount(TimeUnit.MICROSECONDS.toNanos(100), requests);
    return new Measurement(latencies, new Failures(), Duration.ofMillis(millis), 0,
        Map.of(GENERATOR, Duration.ofMillis(10), "server", Duration.ofMillis(20)));
  }

  private static Series series(int items, long... requestsPerSecond) {
    List<Measurement> runs = new ArrayList<>();
    for (long requests : requestsPerSecond) {
      runs.add(of(requests, 1_000));
    }
    return new Series(new Workload("test", items, List::of, Duration.ofSeconds(1)), runs);
  }

  @Test
  void takesTurns() throws InterruptedException {
    List<String> order = new ArrayList<>();
    List<Workload> workloads = new ArrayList<>();
    for (String name : List.of("A", "B", "C")) {
      workloads.add(
          new Workload(name, 1, () -> List.of(new Scripted(1, () -> order.add(name))), Duration.ofSeconds(10)));
    }
    List<Series> series = Rounds.run(workloads, 2, SOON, SOON, Observer.NONE, step -> {}).complete();
    assertThat(order).containsExactly("A", "B", "C", "B", "C", "A");
    assertThat(series).extracting(one -> one.workload().name()).containsExactly("A", "B", "C");
    assertThat(series).allSatisfy(one -> assertThat(one.together().completed()).isEqualTo(2));
  }

  @Test
  void endsTheRoundsWhenInterrupted() {
    Thread caller = Thread.currentThread();
    AtomicInteger later = new AtomicInteger();
    List<Workload> workloads =
        List.of(
            new Workload("A", 1, () -> List.of(new Scripted(1, caller::interrupt)), Duration.ofSeconds(10)),
            new Workload("B", 1, () -> List.of(new Scripted(1, later::incrementAndGet)), Duration.ofSeconds(10)));
    assertThatThrownBy(() -> Rounds.run(workloads, 2, SOON, SOON, Observer.NONE, step -> {}).complete())
        .isInstanceOf(InterruptedException.class);
    assertThat(later).hasValue(0);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void passesOnADefectAndClosesAllClients() {
    Scripted broken = new Scripted(1, () -> {
      throw new IllegalStateException("a defect");
    });
    Scripted other = new Scripted(Integer.MAX_VALUE, Thread::onSpinWait);
    assertThatThrownBy(() -> LoadRun.run(List.of(broken, other), SOON, Duration.ofSeconds(10)))
        .hasRootCauseMessage("a defect");
    assertThat(broken.closed).isTrue();
    assertThat(other.closed).isTrue();
  }

  @Test
  void comparesRoundByRound() {
    Series load = series(100, 10, 30, 20);
    Series yardstick = series(1, 500, 1_000, 4_000);
    assertThat(load.throughput()).isEqualTo(20, within(1e-9));
    assertThat(load.slowest()).isEqualTo(10, within(1e-9));
    assertThat(load.fastest()).isEqualTo(30, within(1e-9));
    assertThat(load.itemsPerSecond()).isEqualTo(2_000, within(1e-9));
    // 2, 3 and 0.5
    assertThat(load.ratioTo(yardstick)).isEqualTo(2, within(1e-9));
  }

  @Test
  void theMedianOfTwoIsTheirMean() {
    assertThat(series(1, 10, 30).throughput()).isEqualTo(20, within(1e-9));
  }

  @Test
  void sumsUpItsRounds() {
    Measurement together = series(1, 10, 30).together();
    assertThat(together.completed()).isEqualTo(40);
    assertThat(together.measured()).isEqualTo(Duration.ofSeconds(2));
    assertThat(together.usedMicrosPerRequest().get(GENERATOR)).isEqualTo(500, within(1e-9));
    assertThat(together.usedMicrosPerRequest().get("server")).isEqualTo(1_000, within(1e-9));
    assertThat(together.micros(99)).isEqualTo(100, within(0.2));
  }

  @Test
  void aRunWithoutAnswersHasNoLatencies() {
    Measurement none = of(0, 1_000);
    assertThat(none.throughput()).isZero();
    assertThat(none.micros(99)).isZero();
    assertThat(none.maxMicros()).isZero();
    assertThat(none.usedMicrosPerRequest()).isEmpty();
  }

  @Test
  void takesLatenciesOfAnyLength() {
    Histogram histogram = Measurement.newHistogram();
    Measurement.record(histogram, -1);
    Measurement.record(histogram, Long.MAX_VALUE);
    assertThat(histogram.getTotalCount()).isEqualTo(2);
  }

  @Test
  void addsUpFailures() {
    Failures sum = new Failures();
    Failures one = new Failures();
    one.add(FailureKind.TIMEOUT, "the first");
    one.add(FailureKind.TIMEOUT, "the second");
    Failures other = new Failures();
    other.add(FailureKind.FAULT, "another");
    sum.addAll(one);
    sum.addAll(other);
    assertThat(sum.total()).isEqualTo(3);
    assertThat(sum.counts()).isEqualTo(Map.of(FailureKind.TIMEOUT, 2L, FailureKind.FAULT, 1L));
    assertThat(sum.first()).contains("the first");
  }

  @Test
  void refusesImpossibleSchedules() {
    assertThatThrownBy(() -> new Schedule(Duration.ofSeconds(-1), Duration.ofSeconds(1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Schedule(Duration.ZERO, Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
  }
}
