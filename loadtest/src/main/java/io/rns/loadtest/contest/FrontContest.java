package io.rns.loadtest.contest;

import io.rns.api.Consistency;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.measure.Failure;
import io.rns.loadtest.measure.LoadClient;
import io.rns.loadtest.measure.Measurement;
import io.rns.loadtest.measure.Observer;
import io.rns.loadtest.measure.ProcessMemory;
import io.rns.loadtest.measure.Processors;
import io.rns.loadtest.measure.RatioInterval;
import io.rns.loadtest.measure.Row;
import io.rns.loadtest.measure.Schedule;
import io.rns.loadtest.measure.Series;
import io.rns.loadtest.measure.Workload;
import io.rns.loadtest.quota.Quota;
import io.rns.loadtest.service.DirectFetch;
import io.rns.loadtest.service.Messages;
import io.rns.loadtest.service.References;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Fronts beside servers alone: what a lookup costs through one, whether a front and a server do more than two servers,
 * how listings grow with the servers that clients are sent to, how long clients wait while a front is replaced, and
 * what an idle connection takes.
 *
 * @param parts what is measured
 * @param processors how many a server, with its database, and a front may use each where shares are compared
 * @param connections of the clients while fronts are replaced
 * @param migrations of a front under load
 */
public record FrontContest(
    Set<Part> parts, double processors, int clients, int connections, int migrations, Contest contest) {
  /** What can be measured by itself. */
  public enum Part {
    QUERIES, SHARES, DIRECT, MIGRATIONS, IDLE
  }

  private static final double CACHED_WANTED = 0.8;
  private static final double PASSED_WANTED = 0.45;
  private static final double SHARES_WANTED = 1.25;
  private static final double LINEAR_WANTED = 0.9;
  private static final double FRONT_SHARE_WANTED = 0.15;
  private static final double IDLE_WANTED_KIB = 12;
  private static final int MOST_SERVERS = 4;
  /** How many of 100 requests are for a page. */
  private static final List<Integer> PAGES = List.of(2, 5, 10, 25);
  /** After that a front knows which servers drain. */
  private static final Duration TOLD = Duration.ofSeconds(3);
  private static final int IDLE_CONNECTIONS = 10_000;
  private static final Messages ANY = new Messages(Consistency.ANY, References.SHORT);
  private static final Messages LATEST = new Messages(Consistency.SESSION, References.SHORT);

  /** Starts services with fronts, measures, and removes them. */
  public Contest.Report run(Path launcher, Consumer<String> progress) throws InterruptedException {
    return new Run(launcher, progress).report();
  }

  private final class Run {
    private final Path launcher;
    private final Consumer<String> progress;
    private final List<Row> rows = new ArrayList<>();
    private final Map<String, String> notes = new LinkedHashMap<>();

    Run(Path launcher, Consumer<String> progress) {
      this.launcher = launcher;
      this.progress = progress;
    }

    Contest.Report report() throws InterruptedException {
      if (parts.size() > 1 || !parts.contains(Part.DIRECT)) {
        beside();
      }
      if (parts.contains(Part.DIRECT)) {
        direct();
      }
      return new Contest.Report(rows, notes);
    }

    /** What takes a server and a front. */
    private void beside() throws InterruptedException {
      progress.accept("starting a server and a front");
      try (FrontedService one = FrontedService.start(launcher, List.of())) {
        if (parts.contains(Part.QUERIES)) {
          queries(one);
        }
        if (parts.contains(Part.SHARES)) {
          progress.accept("starting another server and front");
          try (FrontedService other = FrontedService.start(launcher, List.of())) {
            shares(one, other);
          }
        }
        if (parts.contains(Part.MIGRATIONS)) {
          FrontMigrations all =
              new FrontMigrations(one, contest.warmUp(), clients, connections, migrations, progress);
          rows.add(all.busy(notes));
          rows.addAll(all.passed());
        }
        if (parts.contains(Part.IDLE)) {
          idle(one);
        }
      }
    }

    private void queries(FrontedService one) throws InterruptedException {
      Workload server = one.load("query: server", one.server(), ANY, 0, clients);
      Workload cached = one.load("query: answered by the front", one.front(), ANY, 0, clients);
      Workload passed = one.load("query: through the front", one.front(), LATEST, 0, clients);
      Map<Workload, Series> measured = new HashMap<>();
      contest.run(List.of(cached, server, passed), progress)
          .forEach(series -> measured.put(series.workload(), series));
      rows.add(Contest.row(measured.get(server)));
      rows.add(new Contest.Pair(cached, server, CACHED_WANTED).row(measured, notes));
      rows.add(new Contest.Pair(passed, server, PASSED_WANTED).row(measured, notes));
    }

    /** A load, and the processes that share the processors while it runs, a list with one share each. */
    private record Held(Workload load, List<List<Long>> processes) {}

    /** With as many processors for a front and a server as for two servers, and for two servers behind fronts. */
    private void shares(FrontedService one, FrontedService other) throws InterruptedException {
      notes.put("held", "each to " + Quota.check(processors));
      for (int pages : PAGES) {
        String what = pages + " % pages: ";
        List<Held> contestants = List.of(
            new Held(Contest.together(what + "two servers", List.of(
                one.load("one", one.server(), ANY, pages, clients / 2),
                other.load("other", other.server(), ANY, pages, clients / 2))),
                List.of(one.serverPids(), other.serverPids())),
            new Held(one.load(what + "front with cache, server", one.front(), ANY, pages, clients),
                List.of(one.frontPids(), one.serverPids())),
            new Held(one.load(what + "front that passes all on, server", one.front(), LATEST, pages, clients),
                List.of(one.frontPids(), one.serverPids())),
            new Held(Contest.together(what + "two fronts with servers", List.of(
                one.load("one", one.front(), ANY, pages, clients / 2),
                other.load("other", other.front(), ANY, pages, clients / 2))),
                List.of(one.allPids(), other.allPids())));
        if (pages == PAGES.getFirst()) {
          for (Held each : contestants) {
            Contest.warm(contest.warmUp(), each.load(), progress);
          }
        }
        List<Series> measured = inTurns(contestants);
        rows.add(Contest.row(measured.getFirst()));
        for (Series each : measured.subList(1, measured.size())) {
          RatioInterval interval = RatioInterval.of(
              Contest.figures(each, Measurement::throughput),
              Contest.figures(measured.getFirst(), Measurement::throughput));
          rows.add(Contest.row(each).with("ratio", each.ratioTo(measured.getFirst())).with("low", interval.low())
              .with("high", interval.high()).with("bar", SHARES_WANTED));
        }
      }
    }

    private List<Series> inTurns(List<Held> contestants) throws InterruptedException {
      List<List<Measurement>> runs = contestants.stream().<List<Measurement>>map(each -> new ArrayList<>()).toList();
      for (int round = 0; round < contest.rounds(); round++) {
        for (int i = 0; i < contestants.size(); i++) {
          Held each = contestants.get(i);
          try (Quota quota = Quota.together(processors, each.processes())) {
            progress.accept(
                "round " + (round + 1) + " of " + contest.rounds() + ": " + each.load().name() + "; " + quota);
            runs.get(i).add(run(each.load(), contest.turn(), Observer.NONE));
          }
        }
      }
      return IntStream.range(0, contestants.size())
          .mapToObj(i -> new Series(contestants.get(i).load(), runs.get(i))).toList();
    }

    /** Listings that the front sends clients to servers for, of one to four servers, in turns: the others drain. */
    private void direct() throws InterruptedException {
      double share = processors / 2;
      progress.accept("starting " + MOST_SERVERS + " servers and a front");
      try (FrontedService served = FrontedService.start(launcher, List.of("--replicas=" + (MOST_SERVERS - 1)))) {
        List<Workload> loads = IntStream.rangeClosed(1, MOST_SERVERS)
            .mapToObj(count -> fetches(count + " servers, direct", served, count * clients)).toList();
        // Each server has to compile its code, and a share is too little for that.
        Contest.warm(contest.warmUp().multipliedBy(2 * MOST_SERVERS), loads.getLast(), progress);
        List<List<Measurement>> runs = loads.stream().<List<Measurement>>map(each -> new ArrayList<>()).toList();
        List<Long> servers = served.service().serverPids();
        List<Long> held = Stream.concat(servers.stream(), served.frontPids().stream()).toList();
        for (int round = 0; round < contest.rounds(); round++) {
          drain(served, 2, MOST_SERVERS);
          for (int count = 1; count <= MOST_SERVERS; count++) {
            if (count > 1) {
              String unused = served.service().run("drain", "server-" + count, "--end");
            }
            Observer observer = new Observer(
                new Processors(Map.of("front", served.frontPids(), "servers", servers.subList(0, count))),
                second -> {}, () -> {});
            try (Quota quota = Quota.each(share, held)) {
              progress.accept("round " + (round + 1) + " of " + contest.rounds() + ": " + count + " servers; " + quota);
              runs.get(count - 1)
                  .add(run(loads.get(count - 1), new Schedule(TOLD, contest.turn().measured()), observer));
            }
          }
        }
        double first = new Series(loads.getFirst(), runs.getFirst()).throughput();
        for (int count = 1; count <= MOST_SERVERS; count++) {
          Series series = new Series(loads.get(count - 1), runs.get(count - 1));
          rows.add(Contest.row(series).with("linear", series.throughput() / (count * first))
              .with("frontShare", used(series, "front") / share)
              .with("serverShare", used(series, "servers") / share / count)
              .with("bar", LINEAR_WANTED).with("shareBar", FRONT_SHARE_WANTED));
          progress.accept(rows.getLast().toString());
        }
      }
    }

    private static void drain(FrontedService served, int first, int last) throws InterruptedException {
      for (int number = first; number <= last; number++) {
        String unused = served.service().run("drain", "server-" + number);
      }
    }

    /** Processors that processes used. */
    private static double used(Series series, String processes) {
      Measurement all = series.together();
      return all.used().getOrDefault(processes, Duration.ZERO).toNanos() / (double) all.measured().toNanos();
    }

    /** Whole listings of clients that the front sends to a server for each. */
    private static Workload fetches(String name, FrontedService served, int clients) {
      List<String> targets = served.directories().stream()
          .map(path -> served.front().getRawPath() + "/names" + path + "?list").toList();
      AtomicLong next = new AtomicLong();
      return new Workload(name, 1, () -> IntStream.range(0, clients)
          .<LoadClient>mapToObj(client -> new DirectFetch(served.front(),
              () -> targets.get((int) (next.getAndIncrement() % targets.size()))))
          .toList(), GroupClients.TIMEOUT);
    }

    /** Memory of the front for connections that have sent one request each, at most. */
    private void idle(FrontedService one) {
      Workload many = one.load("idle connections", one.front(), ANY, 0, IDLE_CONNECTIONS);
      progress.accept("opening " + IDLE_CONNECTIONS + " connections");
      ProcessMemory memory = new ProcessMemory(one.service().front().pid());
      double heap = memory.liveHeapKib();
      double resident = memory.residentKib();
      List<LoadClient> open = many.clients().get();
      try {
        for (LoadClient client : open) {
          Failure failure = client.prepare() ? client.perform() : null;
          if (failure != null) {
            throw new RnsException(RnsError.UNAVAILABLE, "a connection to the front failed: " + failure);
          }
        }
        double most = memory.residentKib();
        // What the heap had free does not show in the process's memory, and what it had not shows in both.
        double each = (most - resident + memory.liveHeapKib() - heap) / IDLE_CONNECTIONS;
        rows.add(Row.of(many.name()).with("connections", IDLE_CONNECTIONS).with("kibEach", each)
            .with("allMib", most / 1_024).with("bar", IDLE_WANTED_KIB));
        notes.put("idle connections",
            Contest.verdict("at most %.1f KiB each; wanted is below %.0f KiB", each, IDLE_WANTED_KIB,
                each < IDLE_WANTED_KIB));
      } finally {
        open.forEach(LoadClient::close);
      }
    }
  }

  private static Measurement run(Workload load, Schedule schedule, Observer observer) throws InterruptedException {
    Measurement came = load.run(schedule, observer);
    if (Thread.interrupted()) {
      throw new InterruptedException("stopped");
    }
    return came;
  }
}
