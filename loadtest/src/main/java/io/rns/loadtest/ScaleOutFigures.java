package io.rns.loadtest;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.measure.Measurement;
import io.rns.loadtest.measure.Rounds;
import io.rns.loadtest.measure.Row;
import io.rns.loadtest.measure.Series;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What two servers give more than one, from series of each alone and of both. */
final class ScaleOutFigures {
  /** What two servers are to give at least, of one. */
  private static final double WANTED = 1.9;
  /** What they are to do at least with the same time of the processors. */
  private static final double WANTED_PER_PROCESSOR = 0.95;
  /** "Throughput improved to 269 requests/s from 123 requests/s", one and two servers of 2008. */
  private static final double PAPER_ONE = 123;
  private static final double PAPER_TWO = 269;

  private static final String NOT_SHOWN =
      "what machines of their own would give: servers, databases and generator share the cores, caches, memory and disk of this one, no network is "
          + "between them, and only the servers are held. That servers do not hinder each other is all that it shows.";
  private static final int P99 = 99;

  private final List<String> servers;
  private final Series first;
  private final Series both;
  private final Series second;

  /**
   * Takes what was measured.
   *
   * @param servers the names of the two, by which their use of the processors is told
   * @param measured one alone, both, the other alone
   */
  ScaleOutFigures(List<String> servers, Rounds.Outcome measured) {
    this.servers = List.copyOf(servers);
    first = measured.series().get(0);
    both = measured.series().get(1);
    second = measured.series().get(2);
    for (Series series : measured.series()) {
      for (Measurement run : series.runs()) {
        if (run.completed() == 0) {
          throw new RnsException(RnsError.UNAVAILABLE,
              "nothing was answered by " + series.workload().name() + ": " + run.failures());
        }
      }
    }
  }

  BenchReport report(String held) {
    List<Row> rows = new ArrayList<>();
    rows.add(row(first, servers.subList(0, 1)));
    rows.add(row(second, servers.subList(1, 2)));
    List<Row> rounds = rounds();
    double ratio = Series.median(rounds.stream().mapToDouble(row -> row.figure("ratio")).toArray());
    double perProcessor = Series.median(rounds.stream().mapToDouble(row -> row.figure("perProcessorRatio")).toArray());
    rows.add(row(both, servers).with("ratio", ratio).with("perProcessorRatio", perProcessor));
    rows.addAll(rounds);
    rows.add(Row.of("bar").with("ratio", WANTED).with("perProcessorRatio", WANTED_PER_PROCESSOR));
    rows.add(Row.of("paper, one").with("perSecond", PAPER_ONE));
    rows.add(Row.of("paper, two").with("perSecond", PAPER_TWO).with("ratio", PAPER_TWO / PAPER_ONE));
    Map<String, String> notes = new LinkedHashMap<>();
    notes.put("held", held);
    notes.put("throughput", verdict(ratio, WANTED, "that of one server"));
    notes.put("per second of the servers' processor time",
        verdict(perProcessor, WANTED_PER_PROCESSOR, "what one server does"));
    notes.put("not shown", NOT_SHOWN);
    return new BenchReport(rows, notes);
  }

  private static String verdict(double ratio, double bar, String of) {
    String reached = ratio >= bar ? "reached" : "missed";
    return String.format(Locale.ROOT, "%.2f x %s; wanted is %.2f x: %s", ratio, of, bar, reached);
  }

  private Row row(Series series, List<String> asked) {
    Measurement together = series.together();
    return Row.of(series.workload().name())
        .with("perSecond", series.throughput())
        .with("p50Micros", together.micros(50))
        .with("p99Micros", together.micros(P99))
        .with("processors", used(together, asked).toNanos() / (double) together.measured().toNanos())
        .with("perProcessorSecond", perProcessorSecond(together, asked))
        .with("errors", (double) together.failures().total());
  }

  private List<Row> rounds() {
    List<Row> rounds = new ArrayList<>();
    for (int round = 0; round < both.runs().size(); round++) {
      Measurement one = first.runs().get(round);
      Measurement other = second.runs().get(round);
      Measurement two = both.runs().get(round);
      double alone = (one.throughput() + other.throughput()) / 2;
      double perProcessorAlone =
          (perProcessorSecond(one, servers.subList(0, 1)) + perProcessorSecond(other, servers.subList(1, 2))) / 2;
      rounds.add(
          Row.of("both, round " + (round + 1))
              .with("perSecond", two.throughput())
              .with("ratio", two.throughput() / alone)
              .with("perProcessorRatio",
                  perProcessorAlone == 0 ? 0 : perProcessorSecond(two, servers) / perProcessorAlone));
    }
    return rounds;
  }

  /** Queries per second that servers have used of the processors; 0 if that was too little to be counted. */
  private static double perProcessorSecond(Measurement run, List<String> asked) {
    Duration used = used(run, asked);
    return used.isZero() ? 0 : run.completed() * 1e9 / used.toNanos();
  }

  private static Duration used(Measurement run, List<String> asked) {
    return asked.stream().map(server -> run.used().getOrDefault(server, Duration.ZERO)).reduce(Duration.ZERO,
        Duration::plus);
  }
}
