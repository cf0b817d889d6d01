package io.rns.loadtest;

import io.rns.api.NameService;
import io.rns.loadtest.http.HttpClients;
import io.rns.loadtest.http.SocketMain;
import io.rns.loadtest.measure.Arrivals;
import io.rns.loadtest.measure.Observer;
import io.rns.loadtest.measure.Processors;
import io.rns.loadtest.measure.Rounds;
import io.rns.loadtest.measure.Second;
import io.rns.loadtest.measure.Series;
import io.rns.loadtest.measure.Workload;
import io.rns.loadtest.pool.Child;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Runs one operation against a service, in turns with its yardsticks. */
public final class Benchmark {
  private static final int FILLING_CLIENTS = 4;

  private final LoadSettings settings;
  private final NameService client;
  private final NameService standard;
  private final NameService reader;
  private final Consumer<String> progress;
  private final Consumer<Second> seconds;
  private final Optional<Writer> record;
  private final Runnable before;

  /**
   * A benchmark.
   *
   * @param settings what to run
   * @param client the same service; makes and removes the data of the load
   * @param standard the same service, asked by nothing but the standards
   * @param reader where a session reads what it wrote
   * @param progress is told what is going on, in a few words
   * @param seconds is told what each second of a run gave
   * @param record where what a mix asks for is written as a trace; it is not closed
   * @param before is run before each run of the load or a yardstick
   */
  public Benchmark(
      LoadSettings settings,
      NameService client,
      NameService standard,
      NameService reader,
      Consumer<String> progress,
      Consumer<Second> seconds,
      Optional<Writer> record,
      Runnable before) {
    this.settings = settings;
    this.client = client;
    this.standard = standard;
    this.reader = reader;
    this.progress = progress;
    this.seconds = seconds;
    this.record = record;
    this.before = before;
  }

  /**
   * Makes a directory for the load under the root, runs, and removes the directory. When the calling thread is
   * interrupted while the load runs, the report tells what was measured until then.
   *
   * @throws InterruptedException if the thread was interrupted before anything was measured; the directory is removed
   *         all the same
   * @throws io.rns.error.RnsException if the service cannot be reached or does not answer as it should
   */
  public LoadReport run() throws InterruptedException {
    return switch (settings.server()) {
      case RNS -> runWithServer();
      case NONE ->
        runWithoutService(
            HttpTarget.of(settings.serviceUrl()), (server, count, sources, check) -> NoServer.clients(count, sources),
            settings.processes());
      case SOCKET -> runWithSocket();
    };
  }

  private LoadReport runWithSocket() throws InterruptedException {
    try (Child server = Child.start(SocketMain.class, List.of())) {
      HttpTarget target = HttpTarget.of("http://127.0.0.1:" + server.hear() + "/");
      return runWithoutService(target, HttpClients::of, Map.of("socket", List.of(server.pid())));
    }
  }

  /** Runs on entries that nobody has made. */
  private LoadReport runWithoutService(HttpTarget target, RawLoad.Connector connector,
      Map<String, List<Long>> processes)
      throws InterruptedException {
    LoadData data = LoadData.imagined(LoadDirectory.unmade(client), settings.work());
    RawLoad raw = new RawLoad(target, data, connector, settings.timeout());
    MixLoad mix = mix(data);
    List<Workload> steps =
        steps(clients -> settings.operation() == LoadOperation.MIX ? mix.of(clients)
            : raw.of(settings.operation(), clients));
    return report(steps, run(steps, processes), Map.of(), Map.of(), null);
  }

  private LoadReport runWithServer() throws InterruptedException {
    HttpTarget service = HttpTarget.of(settings.serviceUrl());
    progress.accept("making entries to work with");
    try (LoadDirectory directory = LoadDirectory.create(client);
        Yardsticks yardsticks = new Yardsticks(settings, service)) {
      LoadOperation operation = settings.operation();
      int listed = operation == LoadOperation.LISTING ? operation.items() : 0;
      LoadData data = LoadData.make(directory, settings.work(), listed, FILLING_CLIENTS);
      RawLoad raw = new RawLoad(service, data, HttpClients::of, settings.timeout());
      probe(service, raw, data);
      yardsticks.prepare(raw);
      List<Workload> steps = steps(load(raw, data));
      List<Workload> workloads = new ArrayList<>(steps);
      workloads.addAll(yardsticks.workloads());
      Rounds.Outcome outcome = run(workloads, settings.processes());
      progress.accept("removing the entries");
      return report(steps, outcome, yardsticks.missing(), yardsticks.durability(), added(data));
    }
  }

  /** How the load is made for a number of clients. */
  private IntFunction<Workload> load(RawLoad raw, LoadData data) {
    LoadOperation operation = settings.operation();
    if (operation == LoadOperation.MIX) {
      return mix(data)::of;
    }
    if (settings.via() == LoadTransport.RAW && !operation.isConversation()) {
      return clients -> raw.of(operation, clients);
    }
    NameService spoken = operation == LoadOperation.LISTING ? standard : client;
    return clients -> new ClientLoad(spoken, reader, data, settings).of(operation, clients);
  }

  private MixLoad mix(LoadData data) {
    return new MixLoad(settings, data, Sessions.of(settings, client), record);
  }

  /** The load with each number of clients. */
  private List<Workload> steps(IntFunction<Workload> load) {
    boolean several = settings.steps().size() > 1;
    List<Workload> steps = new ArrayList<>();
    for (int clients : settings.steps()) {
      Workload one = load.apply(clients);
      Arrivals arrivals = settings.operation() == LoadOperation.SESSION ? Arrivals.AT_ONCE : settings.arrivals();
      steps.add(one.as(several ? one.name() + ", " + clients + " clients" : one.name(), arrivals));
    }
    return steps;
  }

  private Rounds.Outcome run(List<Workload> workloads, Map<String, List<Long>> processes) {
    return Rounds.run(
        workloads,
        settings.rounds(),
        settings.firstRound(),
        settings.laterRounds(),
        new Observer(new Processors(processes), seconds, before),
        progress);
  }

  private LoadReport report(
      List<Workload> steps,
      Rounds.Outcome outcome,
      Map<String, String> missing,
      Map<String, String> database,
      LoadReport.@Nullable Added added)
      throws InterruptedException {
    List<LoadReport.Step> measured = new ArrayList<>();
    List<Series> yardsticks = new ArrayList<>();
    for (Series series : outcome.series()) {
      int step = steps.indexOf(series.workload());
      if (step < 0) {
        yardsticks.add(series);
      } else {
        measured.add(new LoadReport.Step(settings.steps().get(step), series));
      }
    }
    if (measured.isEmpty()) {
      throw new InterruptedException("nothing was measured yet");
    }
    return new LoadReport(settings, measured, yardsticks, missing, database, added, outcome.interrupted());
  }

  private LoadReport.@Nullable Added added(LoadData data) {
    return settings.operation().adds() ? new LoadReport.Added(data.added().sum(), data.countAdded()) : null;
  }

  private static void probe(HttpTarget service, RawLoad raw, LoadData data) {
    for (LoadOperation operation : LoadOperation.values()) {
      switch (operation) {
        case QUERY, QUERY_BATCH ->
          Probe.expect(service, raw.sample(operation), "EntryProperties", operation.items());
        case LIST -> Probe.expect(service, raw.sample(operation), "entry", operation.items());
        case ADD, ADD_BATCH -> {
          Probe.expect(service, raw.sample(operation), "addResponse", operation.items());
          data.added().add(operation.items());
        }
        case LOOKUP, LOOKUP_BATCH ->
          Probe.expect(service, raw.sample(operation), "entry-response", operation.items());
        case LISTING, SESSION, MIXED, MIX, TRACE -> {
        }
      }
    }
  }
}
