package io.rns.loadtest.load;

import io.rns.api.NameService;
import io.rns.loadtest.measure.RequestArrivals;
import io.rns.loadtest.measure.Observer;
import io.rns.loadtest.measure.Processors;
import io.rns.loadtest.measure.Rounds;
import io.rns.loadtest.measure.Schedule;
import io.rns.loadtest.measure.Second;
import io.rns.loadtest.measure.Workload;
import io.rns.loadtest.service.LoadDirectory;
import io.rns.loadtest.service.References;
import io.rns.loadtest.work.SessionClient;
import io.rns.loadtest.work.Trace;
import io.rns.loadtest.work.TraceCopies;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Replays a trace against a service: every session at its own times, several copies of it at once. */
public record Replay(LoadSettings settings, Trace trace, int factor, NameService client, Consumer<String> progress,
    Consumer<Second> seconds) {
  /** Adds what the trace expects to a directory of its own, replays, and removes it. */
  public LoadReport run() throws InterruptedException {
    TraceCopies copies = new TraceCopies(trace, factor);
    boolean real = settings.server() == LoadSettings.Server.RNS;
    progress.accept("adding entries to work with");
    try (LoadDirectory directory = real ? LoadDirectory.create(client) : LoadDirectory.imagined(client)) {
      if (real) {
        directory.references(new References(settings.work().referenceBytes()));
        directory.make(copies.directories(), copies.junctions());
      }
      return run(copies, directory.path().toString());
    }
  }

  private LoadReport run(TraceCopies copies, String top) throws InterruptedException {
    List<List<Trace.Event>> sessions = List.copyOf(trace.sessions().values());
    int clients = sessions.size() * factor;
    String name = LoadOperation.TRACE.toString();
    Workload workload = SessionClient.workload(name, clients, settings.sessions(client),
        i -> copies.calls(sessions.get(i / factor), i % factor, top), settings.timeout());
    Schedule schedule =
        Schedule.untilDone(Duration.ofNanos(trace.length()).plus(settings.timeout()).plusSeconds(1));
    Rounds.Outcome outcome =
        Rounds.run(List.of(workload.as(name, new RequestArrivals.OfClients())), 1, schedule, schedule,
            new Observer(new Processors(settings.processes()), seconds, () -> {}), progress);
    progress.accept("removing the entries");
    if (outcome.series().isEmpty()) {
      throw new InterruptedException("nothing was measured yet");
    }
    LoadReport.Step step = new LoadReport.Step(clients, outcome.series().get(0));
    return new LoadReport(settings, List.of(step), List.of(), Map.of(), Map.of(), null, outcome.interrupted());
  }
}
