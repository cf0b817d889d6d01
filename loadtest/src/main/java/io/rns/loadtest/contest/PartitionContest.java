package io.rns.loadtest.contest;

import io.rns.api.CallContext;
import io.rns.api.NameService;
import io.rns.api.QueryRequest;
import io.rns.api.Target;
import io.rns.client.RnsClient;
import io.rns.client.RnsConnection;
import io.rns.client.Selection;
import io.rns.loadtest.group.ServerGroup;
import io.rns.loadtest.group.ServerGroup.Moved;
import io.rns.loadtest.group.TemporaryService;
import io.rns.loadtest.load.ClientLoad;
import io.rns.loadtest.load.LoadData;
import io.rns.loadtest.load.LoadOperation;
import io.rns.loadtest.load.RawLoad;
import io.rns.loadtest.load.Work;
import io.rns.loadtest.measure.Measurement;
import io.rns.loadtest.measure.Observer;
import io.rns.loadtest.measure.Processors;
import io.rns.loadtest.measure.RatioInterval;
import io.rns.loadtest.measure.RequestArrivals;
import io.rns.loadtest.measure.Row;
import io.rns.loadtest.measure.Schedule;
import io.rns.loadtest.measure.Series;
import io.rns.loadtest.measure.Workload;
import io.rns.loadtest.quota.Quota;
import io.rns.loadtest.service.HttpTarget;
import io.rns.loadtest.service.LoadDirectory;
import io.rns.loadtest.service.LoadTransport;
import io.rns.loadtest.service.NameServiceClient;
import io.rns.loadtest.service.RnsPeer;
import io.rns.loadtest.service.Tree;
import io.rns.loadtest.work.Call;
import io.rns.loadtest.work.CallSource;
import io.rns.loadtest.work.Kind;
import io.rns.loadtest.work.Mix;
import io.rns.loadtest.work.WorkloadCaller;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A tree of two server groups against a tree of one: additions, lookups across the cut, renames from one group to the
 * other, and moves of content under load; and, before anything is assigned, against a single server.
 *
 * @param parts what is measured
 * @param processors how many each group's server and database may use together while additions are measured; 0 for as
 *        many as they can get
 * @param clients of each subtree that entries are added to
 * @param entries of the large partition that moves
 * @param moves of a small partition, there and back
 */
public record PartitionContest(
    Set<Part> parts, double processors, int clients, long entries, int moves, Contest contest) {
  /** What can be measured by itself. */
  public enum Part {
    UNDIVIDED, ADDITIONS, LOOKUPS, MOVES
  }

  private static final double UPDATES_WANTED = 1.85;
  private static final double UNDIVIDED_WANTED = 0.95;
  private static final double WARM_WANTED = 1 / 1.1;
  /** Two round trips, and connections, instead of one, within the same tolerance. */
  private static final double COLD_WANTED = 2.2;
  private static final double RENAMES_WANTED = 100;
  private static final double MOVED_WANTED = 15_000;
  private static final double WAITED_WANTED_MILLIS = 300;
  private static final double NEW_CLIENTS_PER_SECOND = 50;
  private static final double MIXED_PER_SECOND = 300;
  private static final Mix MIXED = Mix.parse("query=60,list=10,add=15,update=10,remove=rest");
  private static final Duration LONGEST_LOAD = Duration.ofHours(12);
  private static final int FILLING_CLIENTS = 4;
  private static final int READERS = 12;
  /** What a server of a group has by default. */
  private static final List<String> AS_IN_A_GROUP =
      List.of("--port=0", "--heap=512m", "--buffer-pool=256m", "--binary-log");

  /** Starts two groups, measures, and removes them. */
  public Contest.Report run(Path launcher, Consumer<String> progress) throws InterruptedException {
    String held = processors == 0
        ? "no: each group takes as much of the processors as it gets"
        : "each group's server and database together to " + Quota.check(processors);
    progress.accept("starting 2 groups");
    try (ServerGroup group = ServerGroup.divided(launcher, 2, Map.of());
        RnsConnection names = client(group.members().getFirst().url())) {
      return new Run(launcher, group, names, progress).report(held);
    }
  }

  /** A client that learns which servers have which part of the tree. */
  private static RnsConnection client(URI server) {
    return RnsClient.builder().server(server).selection(Selection.NEAREST).build();
  }

  /** The measurements of one tree. */
  private final class Run {
    private final Path launcher;
    private final ServerGroup group;
    private final URI first;
    private final URI second;
    private final NameService names;
    private final RnsPeer peer;
    private final Consumer<String> progress;
    private final List<Row> rows = new ArrayList<>();
    private final Map<String, String> notes = new LinkedHashMap<>();
    private final AtomicLong numbers = new AtomicLong();

    Run(Path launcher, ServerGroup group, NameService names, Consumer<String> progress) {
      this.launcher = launcher;
      this.group = group;
      this.names = names;
      this.progress = progress;
      first = group.members().get(0).url();
      second = group.members().get(1).url();
      peer = new RnsPeer(HttpTarget.of(RnsClient.soapEndpoint(first).toString()), names, LoadTransport.CLIENT);
    }

    Contest.Report report(String held) throws InterruptedException {
      notes.put("held", held);
      if (parts.contains(Part.UNDIVIDED)) {
        undivided();
      }
      progress.accept("adding entries to work with");
      LoadData home = data(directory(0));
      LoadData away = data(directory(1));
      if (parts.contains(Part.ADDITIONS)) {
        updates(List.of(home, data(directory(0))), List.of(away, data(directory(1))));
      }
      if (parts.contains(Part.LOOKUPS)) {
        queries(home, away);
      }
      if (parts.contains(Part.MOVES)) {
        LoadDirectory small = directory(1);
        LoadDirectory large = directory(1);
        moves(small, large);
        renames(home, away, small, large);
      }
      return new Contest.Report(rows, notes);
    }

    /** A tree of two groups, of which the root's has everything, against a single server. */
    private void undivided() throws InterruptedException {
      progress.accept("starting a single server");
      try (TemporaryService single = TemporaryService.start(launcher, AS_IN_A_GROUP, data -> Map.of());
          RnsConnection there = single.client()) {
        LoadDirectory alone = LoadDirectory.create(there);
        alone.keep();
        RawLoad atSingle = new RawLoad(single.target(Optional.empty()), data(alone), GroupClients.TIMEOUT);
        RawLoad inTree = new RawLoad(
            HttpTarget.of(RnsClient.soapEndpoint(first).toString()), data(directory(0)), GroupClients.TIMEOUT);
        List<Contest.Pair> pairs = List.of(
            undivided("query", LoadOperation.QUERY, READERS, atSingle, inTree),
            undivided("add", LoadOperation.ADD, clients, atSingle, inTree));
        Map<Workload, Series> measured = new HashMap<>();
        List<Workload> all =
            pairs.stream().flatMap(pair -> Stream.of(pair.yardstick(), pair.workload())).toList();
        for (Workload each : all) {
          Contest.warm(contest.warmUp(), each, progress);
        }
        warm().run(all, progress).forEach(series -> measured.put(series.workload(), series));
        for (Contest.Pair pair : pairs) {
          rows.add(Contest.row(measured.get(pair.yardstick())));
          rows.add(pair.row(measured, notes));
        }
      }
    }

    /** The turns of contestants that are warm. */
    private Contest warm() {
      return new Contest(contest.rounds(), Duration.ZERO, contest.turn());
    }

    private static Contest.Pair undivided(
        String what, LoadOperation operation, int clients, RawLoad atSingle, RawLoad inTree) {
      Workload single = atSingle.of(operation, clients);
      Workload tree = inTree.of(operation, clients);
      return new Contest.Pair(tree.as(what + ": two groups, nothing assigned", tree.arrivals()),
          single.as(what + ": single server", single.arrivals()), UNDIVIDED_WANTED);
    }

    /** A directory that a group owns; it is not removed, since its service is. */
    private LoadDirectory directory(int owner) throws InterruptedException {
      LoadDirectory directory = LoadDirectory.create(names);
      directory.keep();
      if (owner > 0) {
        Moved unused = group.assign(directory.path().toString(), owner);
      }
      return directory;
    }

    private LoadData data(LoadDirectory directory) throws InterruptedException {
      return LoadData.withoutListing(directory, Work.QUERIES);
    }

    /** As many clients at two subtrees of one group, of the other, and at one of each. */
    private void updates(List<LoadData> home, List<LoadData> away) throws InterruptedException {
      Workload one =
          Contest.together("add: group 0 has both", home.stream().map(data -> additions(first, data)).toList());
      Workload other =
          Contest.together("add: group 1 has both", away.stream().map(data -> additions(second, data)).toList());
      Workload both =
          Contest.together("add: each has one", List.of(additions(first, home.get(0)), additions(second, away.get(0))));
      List<Workload> all = List.of(one, both, other);
      for (Workload each : all) {
        Contest.warm(contest.warmUp(), each, progress);
      }
      List<List<Long>> processes =
          group.members().stream().map(member -> List.of(member.serverPid(), member.databasePid())).toList();
      try (Quota quota = Quota.together(processors, processes)) {
        progress.accept(quota.toString());
        List<Series> measured = warm().run(all, progress);
        rows.add(Contest.row(measured.get(0)));
        rows.add(Contest.row(measured.get(2)));
        rows.add(scaled(measured.get(0), measured.get(1), measured.get(2)));
      }
    }

    private Workload additions(URI server, LoadData data) {
      HttpTarget target = HttpTarget.of(RnsClient.soapEndpoint(server).toString());
      return new RawLoad(target, data, GroupClients.TIMEOUT).of(LoadOperation.ADD, clients);
    }

    private Row scaled(Series one, Series both, Series other) {
      List<Double> alone = IntStream.range(0, both.runs().size())
          .mapToObj(round -> (one.runs().get(round).throughput() + other.runs().get(round).throughput()) / 2).toList();
      List<Double> together = Contest.figures(both, Measurement::throughput);
      RatioInterval interval = RatioInterval.of(together, alone);
      double ratio = Series.median(
          IntStream.range(0, alone.size()).mapToDouble(round -> together.get(round) / alone.get(round)).toArray());
      notes.put("additions",
          Contest.verdict("%.2f x those of one group; wanted is %.2f x", ratio, UPDATES_WANTED,
              ratio >= UPDATES_WANTED));
      return Contest.row(both).with("ratio", ratio).with("low", interval.low()).with("high", interval.high())
          .with("bar", UPDATES_WANTED);
    }

    private void queries(LoadData home, LoadData away) throws InterruptedException {
      Workload uncut = lookups("query: no cut", home);
      Workload cut = lookups("query: across a cut", away);
      Workload newUncut = newClients("query of a new client: no cut", home);
      Workload newCut = newClients("query of a new client: across a cut", away);
      Workload forwarded = GroupClients.queries("query: forwarded to the other group", first, away, READERS);
      Workload direct = GroupClients.queries("query: at the other group", second, away, READERS);
      Map<Workload, Series> measured = new HashMap<>();
      contest.run(List.of(uncut, cut, direct, forwarded, newUncut, newCut), progress)
          .forEach(series -> measured.put(series.workload(), series));
      rows.add(Contest.row(measured.get(uncut)));
      rows.add(new Contest.Pair(cut, uncut, WARM_WANTED).row(measured, notes));
      rows.add(Contest.row(measured.get(direct)));
      rows.add(Contest.row(measured.get(forwarded)));
      rows.add(Contest.row(measured.get(newUncut)));
      double times =
          measured.get(newCut).together().micros(50) / measured.get(newUncut).together().micros(50);
      rows.add(Contest.row(measured.get(newCut)).with("times", times).with("bar", COLD_WANTED));
      notes.put("first query of a client", Contest.verdict(
          "p50 %.2f x that without a cut; wanted is at most %.1f x", times, COLD_WANTED, times <= COLD_WANTED));
    }

    private Workload lookups(String name, LoadData data) {
      return new ClientLoad(names, names, data, 0, GroupClients.TIMEOUT).of(LoadOperation.QUERY, READERS)
          .as(name, RequestArrivals.AT_ONCE);
    }

    /** Each request is the first one of a client, which knows one server and no partition. */
    private Workload newClients(String name, LoadData data) {
      AtomicLong next = new AtomicLong();
      Runnable query = () -> {
        String path = data.places().junction((int) (next.getAndIncrement() % data.places().junctions()));
        try (NameService client = client(first)) {
          NameServiceClient.requireDone(
              client.query(CallContext.ANONYMOUS, QueryRequest.of(Target.of(path))).value());
        }
      };
      return new Workload(name, 1, () -> List.of(new NameServiceClient(() -> query)),
          new RequestArrivals.Open(NEW_CLIENTS_PER_SECOND, RequestArrivals.Spacing.EVEN, 1, 0), GroupClients.TIMEOUT);
    }

    private void moves(LoadDirectory small, LoadDirectory large) throws InterruptedException {
      Workload smallLoad = mixed(data(small));
      Workload largeLoad = mixed(data(large));
      progress.accept("adding " + entries + " entries to the large partition");
      large.directory("more");
      Measurement unused = large.fill(new Tree(large.path("more"), entries), FILLING_CLIENTS);
      // Else requests pile up for as long as servers that are cold answer fewer of them than come.
      Contest.warm(contest.warmUp(), smallLoad, progress);
      List<Moved> all = new ArrayList<>();
      move("move of a small partition", small, moves, smallLoad, all);
      move("move of a large partition", large, 1, largeLoad, all);
      double worst = all.stream().mapToDouble(Moved::waitedMillis).max().orElse(0);
      notes.put("writes wait during the last step of a move", Contest.verdict(
          "at most %.0f ms in " + all.size() + " moves; wanted is below %.0f ms", worst, WAITED_WANTED_MILLIS,
          worst < WAITED_WANTED_MILLIS));
    }

    /** There and back, under requests to what moves. */
    private void move(String name, LoadDirectory directory, int times, Workload load, List<Moved> all)
        throws InterruptedException {
      List<Moved> moved = new ArrayList<>();
      CountDownLatch loaded = new CountDownLatch(1);
      Observer observer = new Observer(Processors.OWN, second -> loaded.countDown(), () -> {});
      FutureTask<Measurement> meanwhile =
          new FutureTask<>(() -> load.run(Schedule.untilDone(LONGEST_LOAD), observer));
      Thread thread = Thread.ofPlatform().start(meanwhile);
      try {
        boolean unused = loaded.await(GroupClients.TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        for (int i = 0; i < 2 * times; i++) {
          progress.accept(name + ": " + (i + 1) + " of " + 2 * times);
          moved.add(group.assign(directory.path().toString(), i % 2));
        }
      } finally {
        thread.interrupt();
        thread.join();
      }
      all.addAll(moved);
      Series series = new Series(load.as(name, load.arrivals()), List.of(meanwhile.resultNow()));
      double perSecond = Series.median(moved.stream().mapToDouble(one -> one.entries() / one.seconds()).toArray());
      rows.add(Contest.row(series)
          .with("entries", (double) moved.getLast().entries())
          .with("seconds", Series.median(moved.stream().mapToDouble(Moved::seconds).toArray()))
          .with("entriesPerSecond", perSecond)
          .with("waitedMillis", Series.median(moved.stream().mapToDouble(Moved::waitedMillis).toArray()))
          .with("longestWaitMillis", moved.stream().mapToDouble(Moved::waitedMillis).max().orElse(0))
          .with("moves", moved.size())
          .with("bar", MOVED_WANTED));
    }

    private Workload mixed(LoadData data) {
      Workload load = peer.workload("mixed", READERS, i -> {
        long number = numbers.incrementAndGet();
        return new WorkloadCaller(MIXED, data.places(), data.choice(), "c" + number + "n", number);
      }, GroupClients.TIMEOUT);
      return load.as("mixed",
          new RequestArrivals.Open(MIXED_PER_SECOND, RequestArrivals.Spacing.POISSON, 1, 0));
    }

    private void renames(LoadData home, LoadData away, LoadDirectory small, LoadDirectory large)
        throws InterruptedException {
      List<String> junctions = IntStream.range(0, READERS).mapToObj(i -> "/renamed-" + i).toList();
      home.directory().make(List.of(), junctions);
      Workload across = renames("rename to the other group and back", junctions.stream()
          .map(name -> new Shuttle(home.directory().path() + name, away.directory().path() + name)).toList());
      Workload ofSmall = renames("rename of a small partition", List.of(Shuttle.of(small)));
      Workload ofLarge = renames("rename of a large partition", List.of(Shuttle.of(large)));
      List<Series> measured = contest.run(List.of(across, ofSmall, ofLarge), progress);
      double rate = measured.get(0).throughput();
      double times = measured.get(2).together().micros(50) / measured.get(1).together().micros(50);
      rows.add(Contest.row(measured.get(0)).with("bar", RENAMES_WANTED));
      rows.add(Contest.row(measured.get(1)));
      rows.add(Contest.row(measured.get(2)).with("times", times));
      notes.put("renames to the other group",
          Contest.verdict("%.0f/s; wanted are %.0f/s", rate, RENAMES_WANTED, rate >= RENAMES_WANTED));
    }

    private Workload renames(String name, List<Shuttle> shuttles) {
      return peer.workload(name, shuttles.size(), shuttles::get, GroupClients.TIMEOUT);
    }
  }

  /** Moves an entry to another path and back, also over several runs. */
  private static final class Shuttle implements CallSource {
    private String here;
    private String there;

    Shuttle(String here, String there) {
      this.here = here;
      this.there = there;
    }

    static Shuttle of(LoadDirectory directory) {
      return new Shuttle(directory.path().toString(), directory.path() + "-renamed");
    }

    @Override
    public Call next() {
      return new Call(Kind.MOVE, here, there);
    }

    @Override
    public void done(Call call, boolean succeeded) {
      if (succeeded) {
        here = call.to();
        there = call.path();
      }
    }
  }
}
