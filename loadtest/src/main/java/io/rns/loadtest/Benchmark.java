package io.rns.loadtest;

import io.rns.api.NameService;
import io.rns.loadtest.measure.Processors;
import io.rns.loadtest.measure.Rounds;
import io.rns.loadtest.measure.Series;
import io.rns.loadtest.measure.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Runs one operation against a service, in turns with its yardsticks. */
public final class Benchmark {
  private static final int FILLING_CLIENTS = 4;

  private final LoadSettings settings;
  private final NameService client;
  private final NameService standard;
  private final NameService reader;
  private final Consumer<String> progress;

  /**
   * A benchmark.
   *
   * @param settings what to run
   * @param client the same service; makes and removes the data of the load
   * @param standard the same service, asked by nothing but the standards
   * @param reader where a session reads what it wrote
   * @param progress is told what is going on, in a few words
   */
  public Benchmark(LoadSettings settings, NameService client, NameService standard, NameService reader, Consumer<String> progress) {
    this.settings = settings;
    this.client = client;
    this.standard = standard;
    this.reader = reader;
    this.progress = progress;
  }

  /**
   * Makes a directory for the load under the root, runs, and removes the directory.
   *
   * @throws InterruptedException if the thread was interrupted; the directory is removed all the same
   * @throws io.rns.error.RnsException if the service cannot be reached or does not answer as it should
   */
  public LoadReport run() throws InterruptedException {
    HttpTarget service = HttpTarget.of(settings.serviceUrl());
    progress.accept("making entries to work with");
    try (LoadDirectory directory = LoadDirectory.create(client);
        Yardsticks yardsticks = new Yardsticks(settings, service)) {
      LoadOperation operation = settings.operation();
      int listed = operation == LoadOperation.LISTING ? operation.items() : 0;
      LoadData data = LoadData.make(directory, settings.paths(), listed, FILLING_CLIENTS);
      RawLoad raw = new RawLoad(service, data, settings.clients(), settings.timeout());
      probe(service, raw, data);
      yardsticks.prepare(raw);
      List<Workload> workloads = new ArrayList<>();
      workloads.add(
          settings.via() == Via.RAW && !operation.isConversation()
              ? raw.of(operation)
              : new ClientLoad(operation == LoadOperation.LISTING ? standard : client, reader, data, settings).of(operation));
      workloads.addAll(yardsticks.workloads());
      List<Series> series =
          Rounds.run(
              workloads,
              settings.rounds(),
              settings.firstRound(),
              settings.laterRounds(),
              new Processors(settings.processes()),
              progress);
      progress.accept("removing the entries");
      return new LoadReport(
          settings,
          series.get(0),
          series.subList(1, series.size()),
          yardsticks.missing(),
          yardsticks.durability(),
          added(data));
    }
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
        case LISTING, SESSION, MIXED -> {}
      }
    }
  }
}
