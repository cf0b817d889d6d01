package io.rns.loadtest.contest;

import io.rns.api.NameService;
import io.rns.api.RnsPath;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.group.TemporaryService;
import io.rns.loadtest.launcher.Io;
import io.rns.loadtest.launcher.Launcher;
import io.rns.loadtest.launcher.Scratch;
import io.rns.loadtest.load.LoadData;
import io.rns.loadtest.load.LoadOperation;
import io.rns.loadtest.load.RawLoad;
import io.rns.loadtest.load.Work;
import io.rns.loadtest.measure.LoadClient;
import io.rns.loadtest.measure.Observer;
import io.rns.loadtest.measure.RequestArrivals;
import io.rns.loadtest.measure.Row;
import io.rns.loadtest.measure.Series;
import io.rns.loadtest.measure.Workload;
import io.rns.loadtest.peer.PeerService;
import io.rns.loadtest.service.HttpTarget;
import io.rns.loadtest.service.LoadDirectory;
import io.rns.loadtest.service.LoadTransport;
import io.rns.loadtest.service.RnsPeer;
import io.rns.loadtest.service.Tree;
import io.rns.loadtest.work.Call;
import io.rns.loadtest.work.CallSource;
import io.rns.loadtest.work.Keys;
import io.rns.loadtest.work.Kind;
import io.rns.loadtest.work.Mix;
import io.rns.loadtest.work.SessionClient;
import io.rns.loadtest.work.WorkloadCaller;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Changes, listings, and lookups of names that are in no cache, each in turns with its yardstick; then import, export
 * and search of a large tree by commands.
 *
 * @param server the service, as commands take it
 * @param counts numbers of clients for single additions; everything else has the second one
 */
public record WriteContest(Path launcher, URI server, List<Integer> counts, Contest contest, Observer observer) {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final Duration WALK = Duration.ofMinutes(10);
  private static final int FILLING_CLIENTS = 4;
  /** More than 12 clients remove; a run without any left ends early. */
  private static final int REMOVED_PER_SECOND = 10_000;
  /** As many as the packages of Debian have paths, in 33,246 directories. */
  private static final int WALKED = 66_494;
  private static final int COLD = 20_000;
  /** Entries of a client's own: one that moves all the time waits for what the database keeps of its former places. */
  private static final int OWN = 64;
  private static final int ROWS = 1_000;

  /** Adds entries, measures, and removes them. {@code table} and {@code tree} are left with what was added to them. */
  public Contest.Report run(
      NameService names, HttpTarget target, PeerService table, PeerService tree, Consumer<String> progress)
      throws InterruptedException {
    progress.accept("starting a service that caches nothing");
    List<Row> rows = new ArrayList<>();
    Map<String, String> notes = new LinkedHashMap<>(Map.of("insert", table.durability(), "their list",
        tree.durability()));
    try (TemporaryService cold = TemporaryService.start(launcher, List.of("--port=0"),
        data -> Map.of("RNS_CACHE_BYTES", "1"));
        NameService coldNames = cold.client();
        LoadDirectory coldDirectory = LoadDirectory.create(coldNames);
        LoadDirectory directory = LoadDirectory.create(names)) {
      progress.accept("adding entries to work with");
      Turns turns = new Turns(target, names, directory, table, tree);
      turns.changes();
      turns.lists();
      turns.lookups(new RnsPeer(cold.target(Optional.empty()), coldNames, LoadTransport.RAW), coldDirectory);
      Map<Workload, Series> measured = new LinkedHashMap<>();
      contest.run(turns.workloads, observer, progress).forEach(series -> measured.put(series.workload(), series));
      turns.yardsticks.forEach(yardstick -> rows.add(Contest.row(measured.get(yardstick))));
      turns.pairs.forEach(pair -> rows.add(pair.row(measured, notes)));
      walk(directory.path().toString(), rows, progress);
      return new Contest.Report(rows, notes);
    }
  }

  /** The workloads, each beside its yardstick, so that what is compared is near in time. */
  private final class Turns {
    final List<Workload> workloads = new ArrayList<>();
    final List<Workload> yardsticks = new ArrayList<>();
    final List<Contest.Pair> pairs = new ArrayList<>();
    private final int clients = counts.get(Math.min(1, counts.size() - 1));
    private final String beside = ": " + clients + " clients";
    private final HttpTarget target;
    private final NameService names;
    private final LoadDirectory directory;
    private final PeerService table;
    private final PeerService tree;
    private final PeerService rns;
    private final LoadData data;
    private final AtomicLong numbers = new AtomicLong();

    Turns(HttpTarget target, NameService names, LoadDirectory directory, PeerService table, PeerService tree)
        throws InterruptedException {
      this.target = target;
      this.names = names;
      this.directory = directory;
      this.table = table;
      this.tree = tree;
      this.rns = new RnsPeer(target, names, LoadTransport.RAW);
      this.data = LoadData.withoutListing(directory, Work.QUERIES);
    }

    private Workload yardstick(Workload workload) {
      workloads.add(workload);
      yardsticks.add(workload);
      return workload;
    }

    private void compare(Workload workload, Workload with, double bar) {
      workloads.add(workload);
      pairs.add(new Contest.Pair(workload, with, bar));
    }

    void changes() {
      RawLoad raw = new RawLoad(target, data, TIMEOUT);
      for (int count : counts) {
        String suffix = ": " + count + (count == 1 ? " client" : " clients");
        Workload inserts = yardstick(table.workload("insert" + suffix, count, i -> this::newRow, TIMEOUT));
        compare(raw.of(LoadOperation.ADD, count).as("add" + suffix, RequestArrivals.AT_ONCE), inserts,
            count == 1 ? 0.6 : count < 64 ? 0.9 : 1.2);
      }
      Contest.Pair single = pairs.get(counts.indexOf(clients));
      compare(raw.of(LoadOperation.ADD_BATCH, clients).as("add in batches of 100" + beside, RequestArrivals.AT_ONCE),
          single.yardstick(), 6);
      Workload add = single.workload();
      compare(own(Kind.UPDATE), add, 1 / 1.3);
      compare(own(Kind.MOVE), add, 1 / 1.3);
      compare(removals(), add, 1 / 1.3);
    }

    private Call newRow() {
      return Call.of(Kind.ADD, "/n" + numbers.incrementAndGet());
    }

    /** Changes of what each client has added itself. */
    private Workload own(Kind kind) {
      Keys.Choice choice = Keys.UNIFORM.among(data.places().junctions(), data.places().perDirectory());
      return rns.workload(kind + beside, clients, i -> {
        long number = numbers.incrementAndGet();
        return new WorkloadCaller(new Mix(Map.of(kind, 100.0)), data.places(), choice, "c" + number + "n", number,
            OWN);
      }, TIMEOUT);
    }

    /** Removals of junctions that are added before each run. */
    private Workload removals() {
      return new Workload("remove" + beside, 1, () -> {
        String name = "removed-" + numbers.incrementAndGet();
        Duration turn = contest.turn().warmUp().plus(contest.turn().measured());
        long count = turn.toMillis() * REMOVED_PER_SECOND / 1_000;
        fill(name, count);
        AtomicLong next = new AtomicLong();
        CallSource calls = () -> {
          long number = next.getAndIncrement();
          return number < count ? Call.of(Kind.REMOVE, directory.path(name) + "/" + Tree.leafName(number)) : null;
        };
        return IntStream.range(0, clients).<LoadClient>mapToObj(i -> new SessionClient(rns.session(), calls)).toList();
      }, TIMEOUT);
    }

    private void fill(String name, long count) {
      try {
        directory.fill(directory.directory(name), count, FILLING_CLIENTS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new RnsException(RnsError.UNAVAILABLE, "stopped while adding entries", e);
      }
    }

    /** Through the client libraries of both. */
    void lists() throws InterruptedException {
      PeerService client = new RnsPeer(target, names, LoadTransport.CLIENT);
      for (int size : List.of(100, 1_000)) {
        String name = "listed-" + size;
        fill(name, size);
        PeerContest.fill(tree, List.of(Call.of(Kind.MKDIR, "/" + name)), 1);
        PeerContest.fill(tree,
            IntStream.range(0, size).mapToObj(i -> Call.of(Kind.ADD, "/" + name + "/e" + i)).toList(),
            FILLING_CLIENTS);
        String work = "list of " + size + beside;
        CallSource theirs = () -> Call.of(Kind.LIST, "/" + name);
        CallSource ours = () -> Call.of(Kind.LIST, directory.path(name).toString());
        compare(client.workload(work, clients, i -> ours, TIMEOUT),
            yardstick(tree.workload("their " + work, clients, i -> theirs, TIMEOUT)), 1);
      }
    }

    /** Of the fourth name of a path, none of which is cached, beside one statement for one name. */
    void lookups(PeerService cold, LoadDirectory coldDirectory) throws InterruptedException {
      Tree paths = new Tree(coldDirectory.path("cold"), COLD, 1, 1);
      coldDirectory.directory("cold");
      coldDirectory.fill(paths, FILLING_CLIENTS);
      PeerContest.fill(table, IntStream.range(0, ROWS).mapToObj(i -> Call.of(Kind.ADD, "/r" + i)).toList(), clients);
      Workload select = yardstick(table.workload("select" + beside, clients,
          i -> drawn(i, random -> "/r" + random.nextInt(ROWS)), TIMEOUT));
      compare(cold.workload("cold query" + beside, clients,
          i -> drawn(i, random -> paths.leaf(random.nextInt(COLD)).toString()), TIMEOUT), select, 2.5 / 4);
    }

    private static CallSource drawn(long seed, Function<SplittableRandom, String> path) {
      SplittableRandom random = new SplittableRandom(seed);
      return () -> Call.of(Kind.QUERY, path.apply(random));
    }
  }

  /** The time of whole commands, start included. */
  private void walk(String directory, List<Row> rows, Consumer<String> progress) throws InterruptedException {
    Map<String, List<Double>> seconds = new LinkedHashMap<>();
    try (Scratch scratch = Scratch.of("rns-walk")) {
      for (int round = 1; round <= contest.rounds(); round++) {
        String top = directory + "/tree-" + round;
        Tree tree = new Tree(RnsPath.parse(top), WALKED, 8, 3);
        Path file = scratch.path().resolve("entries");
        List<String> lines = LongStream.range(0, WALKED).mapToObj(number -> tree.leaf(number).toString())
            .map(path -> path + "\t" + Call.addressOf(path)).toList();
        Path unused = Io.get("writing " + file, () -> Files.write(file, lines));
        for (List<String> command : List.of(
            List.of("import", file.toString()), List.of("export", top), List.of("find", top, "--name", "*7"))) {
          progress.accept("round " + round + " of " + contest.rounds() + ": " + command.getFirst());
          observer.processors().awaitIdle();
          seconds.computeIfAbsent(command.getFirst(), any -> new ArrayList<>()).add(seconds(command));
        }
      }
    }
    seconds.forEach((command, each) -> {
      double median = Series.median(each.stream().mapToDouble(one -> one).toArray());
      rows.add(Row.of(command).with("entries", WALKED).with("seconds", median).with("perSecond", WALKED / median));
    });
  }

  private double seconds(List<String> command) throws InterruptedException {
    List<String> arguments = new ArrayList<>(command);
    arguments.add("--server=" + server);
    long began = System.nanoTime();
    Launcher.Ended ended = new Launcher(launcher).run(arguments, Map.of(), WALK);
    if (ended.code() != 0) {
      throw new RnsException(RnsError.UNAVAILABLE, "'rns " + command.getFirst() + "': " + ended.lastWords());
    }
    return (System.nanoTime() - began) / 1e9;
  }
}
