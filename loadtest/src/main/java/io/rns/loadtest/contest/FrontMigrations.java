package io.rns.loadtest.contest;

import io.rns.api.Consistency;
import io.rns.loadtest.group.TemporaryService.TakenOver;
import io.rns.loadtest.launcher.Poll;
import io.rns.loadtest.measure.Measurement;
import io.rns.loadtest.measure.RequestArrivals;
import io.rns.loadtest.measure.Row;
import io.rns.loadtest.measure.Schedule;
import io.rns.loadtest.measure.Series;
import io.rns.loadtest.measure.Workload;
import io.rns.loadtest.service.Messages;
import io.rns.loadtest.service.References;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/**
 * Replaces a front while clients send requests: how long none of them gets a response, what moves with a request that a
 * server has, and how long clients wait for responses meanwhile.
 *
 * @param clients of the warm-up
 * @param connections of the clients while the front is replaced
 * @param migrations under the load that has a bar; an eighth of them under each other load
 */
record FrontMigrations(FrontedService service, Duration warmUp, int clients, int connections, int migrations,
    Consumer<String> progress) {
  private static final double MEDIAN_WANTED_MILLIS = 15;
  private static final double P99_WANTED_MILLIS = 50;
  private static final int PERCENT = 100;
  private static final int P99 = 99;
  private static final Duration LONGEST_LOAD = Duration.ofHours(1);
  private static final Duration STEADY = Duration.ofSeconds(10);
  private static final Duration SHORT_STEADY = Duration.ofSeconds(2);
  private static final int LESS = 8;
  private static final Messages ANY = new Messages(Consistency.ANY, References.SHORT);
  private static final Messages LATEST = new Messages(Consistency.SESSION, References.SHORT);
  private static final Load BUSY = new Load("requests while fronts are replaced", 5_000, 1, FrontedService.MEDIUM, ANY);
  /** A server has each request for a while: the figures on requests that move, by their number and size. */
  private static final List<Load> PASSED = List.of(
      lookups("500 lookups/s", 500), lookups("1,000 lookups/s", 1_000), lookups("2,000 lookups/s", 2_000),
      lookups("3,000 lookups/s", 3_000), lookups("5,000 lookups/s", 5_000), lookups("7,000 lookups/s", 7_000),
      pages("500 pages/s of 4 KB", FrontedService.SMALL), pages("500 pages/s", FrontedService.MEDIUM),
      pages("500 pages/s of 128 KB", FrontedService.LARGE));

  /**
   * Requests that clients send.
   *
   * @param pages how many of 100 are for a page
   * @param entries of a page
   */
  private record Load(String name, double perSecond, int pages, int entries, Messages messages) {}

  private static Load lookups(String name, double perSecond) {
    return new Load(name, perSecond, 0, FrontedService.MEDIUM, LATEST);
  }

  private static Load pages(String name, int entries) {
    return new Load(name, 500, PERCENT, entries, LATEST);
  }

  /** One migration, and the time after it. */
  private record Replaced(Responses.Period moving, Responses.Period resting, TakenOver taken) {}

  /** Under the load that has a bar. */
  Row busy(Map<String, String> notes) throws InterruptedException {
    // Else requests pile up for as long as processes that are cold answer fewer of them than come.
    Contest.warm(warmUp, service.load("requests", service.front(), ANY, 1, clients), progress);
    List<Replaced> all = new ArrayList<>();
    Series series = migrate(BUSY, migrations, STEADY, all);
    Measurement came = series.together();
    List<Double> moving = all.stream().map(each -> each.moving().silenceMillis()).toList();
    double median = median(all, each -> each.moving().silenceMillis());
    double p99 = percentile(moving, P99);
    double rest = median(all, each -> each.resting().silenceMillis());
    notes.put("migration",
        String.format(Locale.ROOT, "no response for %.1f ms (median), %.1f ms (p99 of %d), %.1f ms "
            + "(median) without a migration; failed: %s", median, p99, migrations, rest, came.failures()));
    return Contest.row(series).with("connections", connections).with("migrations", migrations)
        .with("reconnects", (double) came.reconnects()).with("pauseMillis", median).with("pauseP99Millis", p99)
        .with("restingMillis", rest).with("movingP99Millis", median(all, each -> each.moving().p99Millis()))
        .with("restingP99Millis", median(all, each -> each.resting().p99Millis())).with("bar", MEDIAN_WANTED_MILLIS)
        .with("p99Bar", P99_WANTED_MILLIS);
  }

  /** Under loads of different size, passed on by the front. */
  List<Row> passed() throws InterruptedException {
    List<Row> rows = new ArrayList<>();
    for (Load load : PASSED) {
      List<Replaced> all = new ArrayList<>();
      Series series = migrate(load, Math.ceilDiv(migrations, LESS), SHORT_STEADY, all);
      long requests = all.stream().mapToLong(each -> each.taken().requests()).sum();
      long bytes = all.stream().mapToLong(each -> each.taken().requestBytes()).sum();
      rows.add(Contest.row(series).with("moved", median(all, each -> each.taken().requests()))
          .with("bytesEach", requests == 0 ? 0 : bytes / (double) requests)
          .with("pauseMillis", median(all, each -> each.moving().silenceMillis()))
          .with("movingP50Millis", median(all, each -> each.moving().medianMillis()))
          .with("movingP99Millis", median(all, each -> each.moving().p99Millis()))
          .with("restingP50Millis", median(all, each -> each.resting().medianMillis()))
          .with("restingP99Millis", median(all, each -> each.resting().p99Millis())));
    }
    return rows;
  }

  private Series migrate(Load load, int times, Duration steady, List<Replaced> to) throws InterruptedException {
    Responses responses = new Responses();
    Workload sent = service.load("migration: " + load.name(), service.front(), load.messages(), load.pages(),
        load.entries(), connections);
    Workload watched = new Workload(load.name(), 1,
        () -> sent.clients().get().stream().map(responses::of).toList(),
        new RequestArrivals.Open(load.perSecond(), RequestArrivals.Spacing.EVEN, 1, 0), sent.timeout());
    FutureTask<Measurement> meanwhile = new FutureTask<>(() -> watched.run(Schedule.untilDone(LONGEST_LOAD)));
    Thread thread = Thread.ofPlatform().start(meanwhile);
    long enough = Math.round(load.perSecond() * steady.toMillis() / 1e3);
    try {
      await(responses, enough);
      for (int i = 0; i < times; i++) {
        progress.accept("migration " + (i + 1) + " of " + times + ": " + load.name());
        Responses.Period unused = responses.next();
        TakenOver taken = service.service().migrateFront();
        Responses.Period moving = responses.next();
        await(responses, enough);
        to.add(new Replaced(moving, responses.next(), taken));
      }
    } finally {
      thread.interrupt();
      thread.join();
    }
    return new Series(watched, List.of(meanwhile.resultNow()));
  }

  private static void await(Responses responses, long more) throws InterruptedException {
    long enough = responses.count() + more;
    Poll.until("clients get responses", () -> responses.count() >= enough);
  }

  private static double median(List<Replaced> all, ToDoubleFunction<Replaced> figure) {
    return Series.median(all.stream().mapToDouble(figure).toArray());
  }

  static double percentile(List<Double> figures, int percent) {
    List<Double> sorted = figures.stream().sorted().toList();
    return sorted.get(Math.ceilDiv(sorted.size() * percent, PERCENT) - 1);
  }
}
