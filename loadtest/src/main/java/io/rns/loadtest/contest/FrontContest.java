package io.rns.loadtest.contest;

import io.rns.api.Consistency;
import io.rns.client.RnsClient;
import io.rns.client.RnsConnection;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.group.TemporaryService;
import io.rns.loadtest.group.TemporaryService.Front;
import io.rns.loadtest.http.RawConnection;
import io.rns.loadtest.launcher.Poll;
import io.rns.loadtest.measure.Failure;
import io.rns.loadtest.measure.LoadClient;
import io.rns.loadtest.measure.Measurement;
import io.rns.loadtest.measure.Observer;
import io.rns.loadtest.measure.ProcessMemory;
import io.rns.loadtest.measure.Processors;
import io.rns.loadtest.measure.RatioInterval;
import io.rns.loadtest.measure.RequestArrivals;
import io.rns.loadtest.measure.Row;
import io.rns.loadtest.measure.Schedule;
import io.rns.loadtest.measure.Series;
import io.rns.loadtest.measure.Workload;
import io.rns.loadtest.quota.Quota;
import io.rns.loadtest.service.Answers;
import io.rns.loadtest.service.DirectFetch;
import io.rns.loadtest.service.HttpTarget;
import io.rns.loadtest.service.LoadDirectory;
import io.rns.loadtest.service.Messages;
import io.rns.loadtest.service.References;
import io.rns.loadtest.work.Call;
import io.rns.loadtest.work.Kind;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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
  private static final double PAUSE_MEDIAN_WANTED_MILLIS = 15;
  private static final double PAUSE_P99_WANTED_MILLIS = 50;
  private static final double IDLE_WANTED_KIB = 12;
  private static final int MOST_SERVERS = 4;
  private static final double RATE = 5_000;
  private static final int DIRECTORIES = 4;
  private static final int JUNCTIONS = 250;
  /** How many of 100 requests are for a page. */
  private static final List<Integer> PAGES = List.of(2, 5, 10, 25);
  private static final int PERCENT = 100;
  private static final int P99 = 99;
  private static final int IDLE_CONNECTIONS = 10_000;
  private static final Duration LONGEST_LOAD = Duration.ofHours(1);
  /** Of ten seconds without a migration. */
  private static final long STEADY_RESPONSES = 50_000;
  private static final Messages ANY = new Messages(Consistency.ANY, References.SHORT);
  private static final Messages LATEST = new Messages(Consistency.SESSION, References.SHORT);

  /** Starts services with fronts, measures, and removes them. */
  public Contest.Report run(Path launcher, Consumer<String> progress) throws InterruptedException {
    return new Run(launcher, progress).report();
  }

  /** A service with entries to ask for: four directories of junctions. */
  private record Served(TemporaryService service, List<String> directories) implements AutoCloseable {
    static Served start(Path launcher, List<String> options) throws InterruptedException {
      TemporaryService service = TemporaryService.start(launcher,
          Stream.concat(Stream.of("--port=0", "--fronts=1"), options.stream()).toList(), data -> Map.of());
      try (RnsConnection names = RnsClient.builder().server(service.url()).build()) {
        LoadDirectory directory = LoadDirectory.create(names);
        directory.keep();
        List<String> below = IntStream.range(0, DIRECTORIES).mapToObj(number -> "/d" + number).toList();
        directory.make(below, below.stream()
            .flatMap(name -> IntStream.range(0, JUNCTIONS).mapToObj(number -> name + "/n" + number)).toList());
        return new Served(service, below.stream().map(name -> directory.path() + name).toList());
      } catch (RuntimeException e) {
        try (service) {
          throw e;
        }
      }
    }

    URI server() {
      return service.url();
    }

    URI front() {
      return service.front().url();
    }

    List<Long> serverPids() {
      return service.pids();
    }

    List<Long> frontPids() {
      return List.of(service.front().pid());
    }

    List<Long> allPids() {
      return Stream.concat(serverPids().stream(), frontPids().stream()).toList();
    }

    @Override
    public void close() {
      service.close();
    }

    /** Requests to a server or a front, of which so many of 100 are for a page of a directory. */
    Workload load(String name, URI where, Messages messages, int pages, int clients) {
      HttpTarget target = HttpTarget.of(RnsClient.soapEndpoint(where).toString());
      List<byte[]> lists = directories.stream().map(path -> post(target, messages, Kind.LIST, path)).toList();
      List<byte[]> queries = directories.stream().flatMap(directory -> IntStream.range(0, JUNCTIONS)
          .mapToObj(number -> post(target, messages, Kind.QUERY, directory + "/n" + number))).toList();
      return new Workload(name, 1, () -> RawConnection.clients(target.address(), clients, client -> {
        SplittableRandom random = new SplittableRandom(client);
        return () -> {
          List<byte[]> some = random.nextInt(PERCENT) < pages ? lists : queries;
          return some.get(random.nextInt(some.size()));
        };
      }, Answers::soap), GroupClients.TIMEOUT);
    }

    private static byte[] post(HttpTarget target, Messages messages, Kind kind, String path) {
      return target.post(messages.of(Call.of(kind, path)));
    }
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
      try (Served one = Served.start(launcher, List.of())) {
        if (parts.contains(Part.QUERIES)) {
          queries(one);
        }
        if (parts.contains(Part.SHARES)) {
          progress.accept("starting another server and front");
          try (Served other = Served.start(launcher, List.of())) {
            shares(one, other);
          }
        }
        if (parts.contains(Part.MIGRATIONS)) {
          migrations(one);
        }
        if (parts.contains(Part.IDLE)) {
          idle(one);
        }
      }
    }

    private void queries(Served one) throws InterruptedException {
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
    private void shares(Served one, Served other) throws InterruptedException {
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

    /** Listings that the front sends clients to servers for, of one to four servers. */
    private void direct() throws InterruptedException {
      double share = processors / 2;
      double first = 0;
      for (int count = 1; count <= MOST_SERVERS; count++) {
        progress.accept("starting " + count + " servers and a front");
        try (Served served =
            Served.start(launcher, count == 1 ? List.of() : List.of("--replicas=" + (count - 1)))) {
          Workload load = fetches(count + " servers, direct", served, count * clients);
          // Each server needs as many requests: a share is too little for its compiler.
          Contest.warm(contest.warmUp().multipliedBy(count), load, progress);
          List<Long> servers = served.service().serverPids();
          List<Long> held = Stream.concat(servers.stream(), served.frontPids().stream()).toList();
          Observer observer = new Observer(
              new Processors(Map.of("front", served.frontPids(), "servers", servers)), second -> {}, () -> {});
          List<Measurement> runs = new ArrayList<>();
          try (Quota quota = Quota.each(share, held)) {
            progress.accept(quota.toString());
            for (int round = 0; round < contest.rounds(); round++) {
              runs.add(run(load, contest.turn(), observer));
            }
          }
          Series series = new Series(load, runs);
          first = count == 1 ? series.throughput() : first;
          rows.add(Contest.row(series).with("linear", series.throughput() / (count * first))
              .with("frontShare", used(series, "front") / share)
              .with("serverShare", used(series, "servers") / share / count)
              .with("bar", LINEAR_WANTED).with("shareBar", FRONT_SHARE_WANTED));
          progress.accept(rows.getLast().toString());
        }
      }
    }

    /** Processors that processes used. */
    private static double used(Series series, String processes) {
      Measurement all = series.together();
      return all.used().getOrDefault(processes, Duration.ZERO).toNanos() / (double) all.measured().toNanos();
    }

    /** Whole listings of clients that the front sends to a server for each. */
    private static Workload fetches(String name, Served served, int clients) {
      List<String> targets = served.directories().stream()
          .map(path -> served.front().getRawPath() + "/names" + path + "?list").toList();
      AtomicLong next = new AtomicLong();
      return new Workload(name, 1, () -> IntStream.range(0, clients)
          .<LoadClient>mapToObj(client -> new DirectFetch(served.front(),
              () -> targets.get((int) (next.getAndIncrement() % targets.size()))))
          .toList(), GroupClients.TIMEOUT);
    }

    /** Replaces a front while clients send requests, and measures for how long none of them gets a response. */
    private void migrations(Served one) throws InterruptedException {
      // Else requests pile up for as long as processes that are cold answer fewer of them than come.
      Contest.warm(contest.warmUp(), one.load("requests", one.front(), ANY, 1, clients), progress);
      Silence silence = new Silence();
      Workload busy = one.load("requests while fronts are replaced", one.front(), ANY, 1, connections);
      Workload load = new Workload(busy.name(), 1, () -> busy.clients().get().stream()
          .<LoadClient>map(client -> new Watched(client, silence)).toList(),
          new RequestArrivals.Open(RATE, RequestArrivals.Spacing.EVEN, 1, 0), busy.timeout());
      FutureTask<Measurement> meanwhile = new FutureTask<>(() -> load.run(Schedule.untilDone(LONGEST_LOAD)));
      Thread thread = Thread.ofPlatform().start(meanwhile);
      List<Double> moving = new ArrayList<>();
      List<Double> resting = new ArrayList<>();
      try {
        awaitSteady(silence);
        for (int i = 0; i < migrations; i++) {
          progress.accept("migration " + (i + 1) + " of " + migrations);
          silence.begin();
          one.service().migrateFront();
          moving.add(silence.longestMillis());
          silence.begin();
          awaitSteady(silence);
          resting.add(silence.longestMillis());
        }
      } finally {
        thread.interrupt();
        thread.join();
      }
      Measurement came = meanwhile.resultNow();
      double median = Series.median(moving.stream().mapToDouble(each -> each).toArray());
      double p99 = percentile(moving, P99);
      double rest = Series.median(resting.stream().mapToDouble(each -> each).toArray());
      rows.add(Contest.row(new Series(load, List.of(came))).with("connections", connections)
          .with("migrations", migrations).with("reconnects", (double) came.reconnects())
          .with("pauseMillis", median).with("pauseP99Millis", p99)
          .with("restingMillis", rest)
          .with("bar", PAUSE_MEDIAN_WANTED_MILLIS).with("p99Bar", PAUSE_P99_WANTED_MILLIS));
      notes.put("migration",
          String.format(Locale.ROOT, "no response for %.1f ms (median), %.1f ms (p99 of %d), %.1f ms "
              + "(median) without a migration; failed: %s", median, p99, migrations, rest, came.failures()));
    }

    private void awaitSteady(Silence silence) throws InterruptedException {
      long enough = silence.responses() + STEADY_RESPONSES;
      Poll.until("clients get responses", () -> silence.responses() >= enough);
    }

    /** Memory of the front for connections that have sent one request each, at most. */
    private void idle(Served one) {
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

  static double percentile(List<Double> figures, int percent) {
    List<Double> sorted = figures.stream().sorted().toList();
    return sorted.get(Math.ceilDiv(sorted.size() * percent, PERCENT) - 1);
  }

  /** The longest time in which no client got a response. Thread-safe. */
  static final class Silence {
    private long last = System.nanoTime();
    private long longest;
    private long responses;

    synchronized void begin() {
      longest = 0;
    }

    synchronized void answered(long now) {
      longest = Math.max(longest, now - last);
      last = now;
      responses++;
    }

    synchronized long responses() {
      return responses;
    }

    synchronized double longestMillis() {
      return longest / 1e6;
    }
  }

  /** A client of which each response ends a silence. */
  private record Watched(LoadClient client, Silence silence) implements LoadClient {
    @Override
    public boolean prepare() {
      return client.prepare();
    }

    @Override
    public @Nullable Failure perform() {
      Failure failure = client.perform();
      if (failure == null) {
        silence.answered(System.nanoTime());
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
