package io.rns.loadtest;

import io.rns.api.NameService;
import io.rns.loadtest.http.HttpClients;
import io.rns.loadtest.http.RequestSource;
import io.rns.loadtest.measure.Measurement;
import io.rns.loadtest.measure.Rounds;
import io.rns.loadtest.measure.Schedule;
import io.rns.loadtest.measure.Series;
import io.rns.loadtest.measure.Workload;
import io.rns.loadtest.work.Permutation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * Shows whether cost depends on size: pages of a big directory, queries beside its listing, cold queries in a large
 * tree.
 */
public final class SizeBenchmark {
  private static final int PAGE = 1_000;
  private static final int FILLING_CLIENTS = 4;
  private static final String WHILE_LISTING = "queries while the big directory is listed";

  private final SizeSettings settings;
  private final NameService client;
  private final Consumer<String> progress;
  private final HttpTarget service;

  /**
   * A benchmark.
   *
   * @param settings what to run
   * @param client the same service; makes and removes the entries
   * @param progress is told what is going on, in a few words
   */
  public SizeBenchmark(SizeSettings settings, NameService client, Consumer<String> progress) {
    this.settings = settings;
    this.client = client;
    this.progress = progress;
    this.service = HttpTarget.of(settings.serviceUrl());
  }

  /**
   * Makes the entries or takes those of a former run, measures, and removes them unless they are kept.
   *
   * @throws InterruptedException if the thread was interrupted; the entries are removed all the same
   * @throws io.rns.error.RnsException if the service cannot be reached or does not answer as it should
   */
  public SizeReport run() throws InterruptedException {
    try (LoadDirectory directory = SizeData.directory(client, settings)) {
      SizeData data =
          settings.reuse().isPresent()
              ? SizeData.reopen(directory)
              : SizeData.make(directory, settings.entries(), FILLING_CLIENTS, progress);
      // Cold queries come first, before other reads have filled caches with what they need; but not before the code is
      // warm.
      warmUp(data);
      List<Series> cold = cold(data);
      List<Series> pages = pages(data);
      Beside beside = besideListing(data);
      return new SizeReport(
          settings,
          data.top(),
          data.entries(),
          data.entriesPerSecond(),
          pages,
          beside.alone,
          beside.whileListing,
          beside.pagesListed,
          cold.get(0),
          cold.get(1));
    }
  }

  private void warmUp(SizeData data) throws InterruptedException {
    Rounds.run(List.of(known(data)), 1, settings.schedule(), settings.schedule(),
        step -> progress.accept("warming up"));
  }

  /** Paths in an order that never repeats one, shared by both runs of a round of either tree. */
  private List<Series> cold(SizeData data) throws InterruptedException {
    long perRound = Math.max(1, data.small().leaves() / settings.rounds());
    Workload small = cold("cold queries in a small tree", data.small(), perRound);
    Workload large = cold("cold queries in a large tree", data.large(), perRound);
    Schedule untilDone = Schedule.untilDone(settings.timeout().multipliedBy(perRound));
    return Rounds.run(List.of(small, large), settings.rounds(), untilDone, untilDone, progress);
  }

  private Workload cold(String name, Tree tree, long perRound) {
    Permutation order = Permutation.of(tree.leaves(), ThreadLocalRandom.current().nextLong(tree.leaves()));
    AtomicLong asked = new AtomicLong();
    return new Workload(
        name,
        1,
        () -> {
          long end = asked.get() + perRound;
          return HttpClients.of(
              service.address(), settings.clients(), i -> coldQueries(tree, order, asked, end), Answers::soap);
        },
        settings.timeout());
  }

  private RequestSource coldQueries(Tree tree, Permutation order, AtomicLong asked, long end) {
    return () -> {
      long number = asked.getAndUpdate(count -> Math.min(count + 1, end));
      return number == end ? null : service.post(Messages.query(tree.leaf(order.at(number)).toString()));
    };
  }

  private List<Series> pages(SizeData data) throws InterruptedException {
    long last = Math.max(0, data.entries() - PAGE);
    List<Workload> pages =
        List.of(
            page(data, "page at the start", 0), page(data, "page in the middle", last / 2),
            page(data, "page at the end", last));
    return Rounds.run(pages, settings.rounds(), settings.schedule(), settings.schedule(), progress);
  }

  private Workload page(SizeData data, String name, long from) {
    byte[] request = page(data, from);
    Probe.expect(service, request, "entry", (int) Math.min(PAGE, data.entries()));
    IntFunction<RequestSource> always = i -> () -> request;
    return new Workload(
        name, PAGE, () -> HttpClients.of(service.address(), 1, always, Answers::soap), settings.timeout());
  }

  private byte[] page(SizeData data, long from) {
    return service.post(Messages.list(data.bigDirectory(), PAGE, LoadData.pageAt(data.bigDirectory(), from)));
  }

  private record Beside(Series alone, Series whileListing, long pagesListed) {}

  private Beside besideListing(SizeData data) throws InterruptedException {
    Workload queries = known(data);
    AtomicLong page = new AtomicLong();
    List<Measurement> alone = new ArrayList<>();
    List<Measurement> beside = new ArrayList<>();
    for (int round = 0; round < settings.rounds(); round++) {
      alone.addAll(once(queries, "queries alone"));
      beside.addAll(Background.during(() -> list(data, page), () -> once(queries, WHILE_LISTING)));
    }
    Workload whileListing = new Workload(WHILE_LISTING, 1, queries.clients(), queries.timeout());
    return new Beside(new Series(queries, alone), new Series(whileListing, beside), page.get());
  }

  private List<Measurement> once(Workload workload, String what) throws InterruptedException {
    Consumer<String> step = text -> progress.accept(what);
    return Rounds.run(List.of(workload), 1, settings.schedule(), settings.schedule(), step).get(0).runs();
  }

  /** Lists page after page, from the start again after the end, until it is interrupted. */
  private void list(SizeData data, AtomicLong page) {
    long pages = Math.ceilDiv(data.entries(), PAGE);
    RequestSource source = () -> page(data, page.getAndIncrement() % pages * PAGE);
    Measurement listed =
        new Workload(
            "listing",
            PAGE,
            () -> HttpClients.of(service.address(), 1, i -> source, Answers::soap),
            settings.timeout())
            .run(new Schedule(Duration.ZERO, Duration.ofDays(1)));
    if (listed.failures().total() > 0) {
      throw new IllegalStateException("listing the big directory failed: " + listed.failures());
    }
  }

  private Workload known(SizeData data) {
    List<byte[]> requests = new ArrayList<>();
    for (long number = 0; number < data.known().leaves(); number++) {
      requests.add(service.post(Messages.query(data.known().leaf(number).toString())));
    }
    IntFunction<RequestSource> sources =
        i -> {
          SplittableRandom random = new SplittableRandom(i);
          return () -> requests.get(random.nextInt(requests.size()));
        };
    return new Workload(
        "queries alone",
        1,
        () -> HttpClients.of(service.address(), settings.clients(), sources, Answers::soap),
        settings.timeout());
  }
}
