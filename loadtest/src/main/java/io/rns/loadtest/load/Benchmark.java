package io.rns.loadtest.load;

import io.rns.api.NameService;
import io.rns.loadtest.http.SocketMain;
import io.rns.loadtest.launcher.ServerProcess;
import io.rns.loadtest.measure.Observer;
import io.rns.loadtest.measure.Processors;
import io.rns.loadtest.measure.RequestArrivals;
import io.rns.loadtest.measure.Rounds;
import io.rns.loadtest.measure.Second;
import io.rns.loadtest.measure.Series;
import io.rns.loadtest.measure.Workload;
import io.rns.loadtest.service.Answers;
import io.rns.loadtest.service.HttpTarget;
import io.rns.loadtest.service.LoadDirectory;
import io.rns.loadtest.service.LoadTransport;
import io.rns.loadtest.work.CallSource;
import io.rns.loadtest.work.Keys;
import io.rns.loadtest.work.SessionClient;
import io.rns.loadtest.work.TraceWriter;
import io.rns.loadtest.work.WorkloadCaller;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Runs one operation against a service, in turns with its yardsticks.
 *
 * @param standard the same service by the standards alone
 * @param reader where a session reads what it wrote
 * @param record where a mix is written as a trace; it is not closed
 * @param before is run before each run of the load or a yardstick
 */
public record Benchmark(
    LoadSettings settings, NameService client, NameService standard, NameService reader, Consumer<String> progress,
    Consumer<Second> seconds, Optional<Writer> record, Runnable before) {
  /**
   * Creates a directory for the load under the root, runs, and removes the directory. If the calling thread is
   * interrupted while the load runs, the report has what was measured until then.
   */
  public LoadReport run() throws InterruptedException {
    return switch (settings.server()) {
      case RNS -> {
        LoadReport report = runWithServer();
        // The service deletes the entries step by step: the next load would pay for it.
        new Processors(settings.processes()).awaitIdle();
        yield report;
      }
      case NONE -> runWithoutService(settings.target(), false, settings.processes());
      case SOCKET -> {
        try (ServerProcess server = ServerProcess.start(SocketMain.class)) {
          HttpTarget target = HttpTarget.of("http://127.0.0.1:" + server.readLine() + "/");
          yield runWithoutService(target, true, Map.of("socket", List.of(server.pid())));
        }
      }
    };
  }

  /** Runs on entries that do not exist. */
  private LoadReport runWithoutService(HttpTarget target, boolean sent, Map<String, List<Long>> processes)
      throws InterruptedException {
    LoadDirectory directory = LoadDirectory.imagined(client);
    LoadData data = LoadData.imagined(directory, settings.work());
    RawLoad raw = new RawLoad(target, data, sent, settings.timeout());
    List<Workload> steps = steps(settings.operation() == LoadOperation.MIX ? mix(data, directory)
        : clients -> raw.of(settings.operation(), clients));
    return report(steps, run(steps, processes), Map.of(), Map.of(), null);
  }

  private LoadReport runWithServer() throws InterruptedException {
    HttpTarget service = settings.target();
    LoadOperation operation = settings.operation();
    progress.accept("adding entries to work with");
    try (LoadDirectory directory = LoadDirectory.create(client);
        Yardsticks yardsticks = new Yardsticks(settings)) {
      LoadData data = LoadData.make(directory, settings.work(),
          operation == LoadOperation.LISTING ? operation.items() : LoadData.LISTED_ENTRIES);
      RawLoad raw = new RawLoad(service, data, settings.timeout());
      probe(service, raw, data);
      yardsticks.prepare(raw);
      List<Workload> steps =
          steps(operation == LoadOperation.MIX ? mix(data, directory) : clients -> load(raw, data, clients));
      List<Workload> workloads = new ArrayList<>(steps);
      workloads.addAll(yardsticks.workloads);
      Rounds.Outcome outcome = run(workloads, settings.processes());
      progress.accept("removing the entries");
      LoadReport.Added added =
          operation.adds() ? new LoadReport.Added(data.added().sum(), data.countAdded()) : null;
      return report(steps, outcome, yardsticks.missing, yardsticks.database(), added);
    }
  }

  private Workload load(RawLoad raw, LoadData data, int clients) {
    LoadOperation operation = settings.operation();
    if (settings.via() == LoadTransport.RAW && !operation.isConversation()) {
      return raw.of(operation, clients);
    }
    NameService called = operation == LoadOperation.LISTING ? standard : client;
    return new ClientLoad(called, reader, data, settings.rate(), settings.timeout()).of(operation, clients);
  }

  private IntFunction<Workload> mix(LoadData data, LoadDirectory directory) {
    TraceWriter trace =
        record.map(out -> new TraceWriter(out, System.nanoTime(), directory.path().toString())).orElse(null);
    Keys.Choice choice = settings.work().keys().among(data.places().junctions(), data.places().perDirectory());
    // Each client of each run gives its entries names of their own.
    AtomicLong numbers = new AtomicLong();
    IntFunction<CallSource> calls =
        i -> {
          long number = numbers.getAndIncrement();
          String name = "c" + number;
          WorkloadCaller caller = new WorkloadCaller(settings.work().mix(), data.places(), choice, name + "n", number);
          return trace == null ? caller : trace.recorded(caller, name);
        };
    return clients -> SessionClient.workload(LoadOperation.MIX.toString(), clients, settings.sessions(client), calls,
        settings.timeout());
  }

  /** The load with each number of clients. */
  private List<Workload> steps(IntFunction<Workload> load) {
    boolean several = settings.steps().size() > 1;
    List<Workload> steps = new ArrayList<>();
    for (int clients : settings.steps()) {
      Workload one = load.apply(clients);
      RequestArrivals arrivals =
          settings.operation() == LoadOperation.SESSION ? RequestArrivals.AT_ONCE : settings.arrivals();
      steps.add(one.as(several ? one.name() + ", " + clients + " clients" : one.name(), arrivals));
    }
    return steps;
  }

  private Rounds.Outcome run(List<Workload> workloads, Map<String, List<Long>> processes) {
    return Rounds.run(workloads, settings.rounds(), settings.firstRound(), settings.laterRounds(),
        new Observer(new Processors(processes), seconds, before), progress);
  }

  private LoadReport report(List<Workload> steps, Rounds.Outcome outcome, Map<String, String> missing,
      Map<String, String> database, LoadReport.@Nullable Added added) throws InterruptedException {
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

  private static void probe(HttpTarget service, RawLoad raw, LoadData data) {
    for (LoadOperation operation : LoadOperation.values()) {
      operation.answer().ifPresent(
          element -> Answers.expect(service, raw.sample(operation), element, operation.items()));
      if (operation == LoadOperation.ADD || operation == LoadOperation.ADD_BATCH) {
        data.added().add(operation.items());
      }
    }
  }
}
