package io.rns.loadtest.contest;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.measure.Measurement;
import io.rns.loadtest.measure.Observer;
import io.rns.loadtest.measure.RatioInterval;
import io.rns.loadtest.measure.Rounds;
import io.rns.loadtest.measure.Row;
import io.rns.loadtest.measure.Schedule;
import io.rns.loadtest.measure.Series;
import io.rns.loadtest.measure.Workload;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/**
 * Workloads that take turns under the same conditions, so that their figures can be compared: all of them run once to
 * warm up before the first is measured.
 */
public record Contest(int rounds, Duration warmUp, Schedule turn) {
  private static final int P99 = 99;
  private static final int WARM_UP_PARTS = 5;
  private static final int MOST_WARM_UP_PARTS = 4 * WARM_UP_PARTS;
  private static final double FASTER = 1.03;

  /** Figures, and notes by subject. */
  public record Report(List<Row> rows, Map<String, String> notes) {}

  /** A workload, what it is compared with, and how many times the rate of that it should reach at least. */
  record Pair(Workload workload, Workload yardstick, double bar) {
    /** The row of the workload, with the ratio and its interval of 95 %; a note says whether the bar is reached. */
    Row row(Map<Workload, Series> measured, Map<String, String> notes) {
      Series series = measured.get(workload);
      Series other = measured.get(yardstick);
      double items = (double) workload.itemsPerRequest() / yardstick.itemsPerRequest();
      RatioInterval ratio = RatioInterval.of(
          figures(series, run -> run.throughput() * items), figures(other, Measurement::throughput));
      double median = series.ratioTo(other);
      notes.put(workload.name(),
          verdict("%.2f x " + yardstick.name() + "; wanted is %.2f x", median, bar, median >= bar));
      return Contest.row(series).with("ratio", median).with("low", ratio.low()).with("high", ratio.high())
          .with("bar", bar);
    }
  }

  public List<Series> run(List<Workload> workloads, Consumer<String> progress) throws InterruptedException {
    return run(workloads, Observer.NONE, progress);
  }

  public List<Series> run(List<Workload> workloads, Observer observer, Consumer<String> progress)
      throws InterruptedException {
    if (!warmUp.isZero()) {
      Schedule once = new Schedule(Duration.ZERO, warmUp);
      List<Series> unused = Rounds.run(workloads, 1, once, once, Observer.NONE,
          text -> progress.accept(text.replaceFirst("^round 1 of 1", "warm-up"))).complete();
    }
    return Rounds.run(workloads, rounds, turn, turn, observer, progress).complete();
  }

  /**
   * Loads for at least that time, and up to four times as long while it still gets faster: servers that have just been
   * started compile their code, and one with half a processor takes minutes to.
   */
  static void warm(Duration least, Workload load, Consumer<String> progress) throws InterruptedException {
    progress.accept("warm-up: " + load.name());
    Schedule part = new Schedule(Duration.ZERO, least.dividedBy(WARM_UP_PARTS));
    double fastest = 0;
    int since = 0;
    for (int i = 0; i < MOST_WARM_UP_PARTS && (i < WARM_UP_PARTS || since < 2); i++) {
      double rate = load.run(part).throughput();
      if (Thread.interrupted()) {
        throw new InterruptedException("stopped");
      }
      since = rate > FASTER * fastest ? 0 : since + 1;
      fastest = Math.max(fastest, rate);
    }
  }

  /** The figures that every contestant has. */
  public static Row row(Series series) {
    Measurement together = series.together();
    if (together.completed() == 0) {
      throw new RnsException(RnsError.UNAVAILABLE,
          "no request of '" + series.workload().name() + "' was answered: " + together.failures());
    }
    return Row.of(series.workload().name())
        .with("perSecond", series.throughput())
        .with("p50Micros", together.micros(50))
        .with("p99Micros", together.micros(P99))
        .with("errors", (double) together.failures().total());
  }

  /** The clients of several workloads at the same time. */
  static Workload together(String name, List<Workload> each) {
    Workload first = each.getFirst();
    return new Workload(name, first.itemsPerRequest(),
        () -> each.stream().flatMap(one -> one.clients().get().stream()).toList(), first.timeout());
  }

  /** A figure of each round. */
  static List<Double> figures(Series series, ToDoubleFunction<Measurement> figure) {
    return series.runs().stream().mapToDouble(figure).boxed().toList();
  }

  /** A figure beside its bar, for a note. */
  static String verdict(String format, double figure, double bar, boolean reached) {
    return String.format(Locale.ROOT, format, figure, bar) + (reached ? ": reached" : ": missed");
  }
}
