package io.rns.loadtest.load;

import io.rns.api.EntryId;
import io.rns.api.NameService;
import io.rns.api.RnsPath;
import io.rns.loadtest.http.RawConnection;
import io.rns.loadtest.measure.LoadRun;
import io.rns.loadtest.measure.Measurement;
import io.rns.loadtest.measure.Observer;
import io.rns.loadtest.measure.Rounds;
import io.rns.loadtest.measure.Schedule;
import io.rns.loadtest.measure.Series;
import io.rns.loadtest.measure.Workload;
import io.rns.loadtest.service.Answers;
import io.rns.loadtest.service.HttpTarget;
import io.rns.loadtest.service.LoadDirectory;
import io.rns.loadtest.service.Messages;
import io.rns.loadtest.service.Tree;
import io.rns.loadtest.work.Permutation;
import io.rns.loadtest.work.Places;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Shows whether cost depends on size: pages of a big directory, queries beside its listing, cold queries in a large
 * tree.
 */
public record SizeBenchmark(Settings settings, NameService client, Consumer<String> progress) {
  private static final int PAGE = 1_000;
  private static final int FILLING_CLIENTS = 4;
  private static final long FEW = 10_000;
  private static final String BIG = "big";

  /**
   * What to run; {@code measured} is for all rounds together, {@code reuse} the directory that a former run has kept.
   */
  public record Settings(HttpTarget service, long entries, int clients, int rounds, Duration measured,
      Duration warmUp,
      Optional<RnsPath> reuse, boolean keep, Duration timeout) {
    Schedule schedule() {
      return new Schedule(warmUp, measured.dividedBy(rounds));
    }
  }

  /** The big directory, and three trees: one as large, one small for cold queries, one small for warm ones. */
  private record Data(RnsPath top, EntryId big, Tree large, Tree small, Tree known) {
    static Data of(LoadDirectory directory, long entries, EntryId big) {
      long few = Math.min(FEW, entries);
      return new Data(directory.path(), big, new Tree(directory.path("large"), entries),
          new Tree(directory.path("small"), few), new Tree(directory.path("known"), few));
    }

    byte[] page(HttpTarget service, long from) {
      return service.post(Messages.list(big, PAGE, LoadData.pageAt(big, from)));
    }
  }

  /** Adds the entries or reuses those of a former run, measures, and removes them unless they are kept. */
  public SizeReport run() throws InterruptedException {
    HttpTarget service = settings.service();
    try (LoadDirectory directory = settings.reuse().isPresent()
        ? LoadDirectory.reopen(client, settings.reuse().get())
        : LoadDirectory.create(client)) {
      if (settings.keep()) {
        directory.keep();
      }
      Map<String, Double> speeds = new LinkedHashMap<>();
      Data data = settings.reuse().isPresent()
          ? Data.of(directory, directory.count(directory.path(BIG)), directory.id(BIG))
          : make(directory, speeds);
      Workload known = known(service, data.known().places());
      // Cold queries come first, before other reads have filled caches with what they need; but not before the code is
      // warm.
      once(known, "warming up");
      List<Series> cold = cold(service, data);
      List<Series> pages = pages(service, data);
      List<Measurement> alone = new ArrayList<>();
      List<Measurement> beside = new ArrayList<>();
      AtomicLong listed = new AtomicLong();
      for (int round = 0; round < settings.rounds(); round++) {
        alone.addAll(once(known, known.name()).get(0).runs());
        beside.addAll(besideListing(service, data, known, listed));
      }
      Workload whileListing = known.as("queries while the big directory is listed", known.arrivals());
      return new SizeReport(settings, data.top(), data.large().leaves(), speeds, pages, new Series(known, alone),
          new Series(whileListing, beside), listed.get(), cold.get(0), cold.get(1));
    }
  }

  private Data make(LoadDirectory directory, Map<String, Double> speeds) throws InterruptedException {
    long entries = settings.entries();
    progress.accept("adding " + entries + " entries to one directory");
    Data data = Data.of(directory, entries, directory.directory(BIG));
    speeds.put(BIG, perSecond(directory.fill(data.big(), entries, FILLING_CLIENTS), entries));
    for (Tree tree : List.of(data.large(), data.small(), data.known())) {
      String name = tree.top().name().toString();
      progress.accept("adding a tree of " + tree.leaves() + " entries");
      directory.directory(name);
      speeds.put(name, perSecond(directory.fill(tree, FILLING_CLIENTS), tree.leaves()));
    }
    return data;
  }

  private static double perSecond(Measurement filled, long entries) {
    return entries * 1e9 / filled.measured().toNanos();
  }

  private Workload workload(HttpTarget service, String name, int items, int clients,
      IntFunction<Supplier<byte @Nullable []>> sources) {
    return new Workload(name, items, () -> RawConnection.clients(service.address(), clients, sources, Answers::soap),
        settings.timeout());
  }

  /** Paths in an order that never repeats one, shared by both runs of a round of either tree. */
  private List<Series> cold(HttpTarget service, Data data) throws InterruptedException {
    long perRound = Math.max(1, data.small().leaves() / settings.rounds());
    Schedule untilDone = Schedule.untilDone(settings.timeout().multipliedBy(perRound));
    return Rounds.run(List.of(cold(service, "cold queries in a small tree", data.small(), perRound),
        cold(service, "cold queries in a large tree", data.large(), perRound)), settings.rounds(), untilDone, untilDone,
        Observer.NONE, progress).complete();
  }

  private Workload cold(HttpTarget service, String name, Tree tree, long perRound) {
    Permutation order = Permutation.of(tree.leaves(), ThreadLocalRandom.current().nextLong(tree.leaves()));
    AtomicLong asked = new AtomicLong();
    return new Workload(
        name,
        1,
        () -> {
          long end = asked.get() + perRound;
          Supplier<byte @Nullable []> source = () -> {
            long number = asked.getAndUpdate(count -> Math.min(count + 1, end));
            return number == end ? null : service.post(Messages.query(List.of(tree.leaf(order.at(number)).toString())));
          };
          return RawConnection.clients(service.address(), settings.clients(), i -> source, Answers::soap);
        },
        settings.timeout());
  }

  private List<Series> pages(HttpTarget service, Data data) throws InterruptedException {
    long last = Math.max(0, data.large().leaves() - PAGE);
    Map<String, Long> starts = new LinkedHashMap<>();
    starts.put("page at the start", 0L);
    starts.put("page in the middle", last / 2);
    starts.put("page at the end", last);
    List<Workload> pages = new ArrayList<>();
    starts.forEach((name, from) -> {
      byte[] request = data.page(service, from);
      Answers.expect(service, request, "entry", (int) Math.min(PAGE, data.large().leaves()));
      pages.add(workload(service, name, PAGE, 1, i -> () -> request));
    });
    return Rounds.run(pages, settings.rounds(), settings.schedule(), settings.schedule(), Observer.NONE, progress)
        .complete();
  }

  private List<Series> once(Workload workload, String what) throws InterruptedException {
    return Rounds.run(List.of(workload), 1, settings.schedule(), settings.schedule(), Observer.NONE,
        step -> progress.accept(what)).complete();
  }

  /** Queries while another client lists the big directory, from the start again after its end. */
  private List<Measurement> besideListing(HttpTarget service, Data data, Workload queries, AtomicLong page)
      throws InterruptedException {
    long pages = Math.ceilDiv(data.large().leaves(), PAGE);
    AtomicBoolean ended = new AtomicBoolean();
    Supplier<byte @Nullable []> source =
        () -> ended.get() ? null : data.page(service, page.getAndIncrement() % pages * PAGE);
    CompletableFuture<Measurement> listing = CompletableFuture.supplyAsync(
        () -> LoadRun.run(RawConnection.clients(service.address(), 1, i -> source, Answers::soap),
            Schedule.untilDone(Duration.ofDays(1)), settings.timeout()));
    List<Measurement> measured;
    try {
      measured = once(queries, "queries while the big directory is listed").get(0).runs();
    } finally {
      ended.set(true);
    }
    Measurement listed = listing.join();
    if (listed.failures().total() > 0) {
      throw new IllegalStateException("listing the big directory failed: " + listed.failures());
    }
    return measured;
  }

  private Workload known(HttpTarget service, Places places) {
    List<byte[]> requests = new ArrayList<>();
    for (int number = 0; number < places.junctions(); number++) {
      requests.add(service.post(Messages.query(List.of(places.junction(number)))));
    }
    return workload(service, "queries alone", 1, settings.clients(), i -> {
      SplittableRandom random = new SplittableRandom(i);
      return () -> requests.get(random.nextInt(requests.size()));
    });
  }
}
