package io.rns.loadtest;

import io.rns.api.NameService;
import io.rns.loadtest.measure.Arrivals;
import io.rns.loadtest.measure.LoadClient;
import io.rns.loadtest.measure.Observer;
import io.rns.loadtest.measure.Processors;
import io.rns.loadtest.measure.Rounds;
import io.rns.loadtest.measure.Schedule;
import io.rns.loadtest.measure.Second;
import io.rns.loadtest.measure.Series;
import io.rns.loadtest.measure.Workload;
import io.rns.loadtest.work.Session;
import io.rns.loadtest.work.Trace;
import io.rns.loadtest.work.TraceCopies;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Replays a trace against a service: every session at its own times, several copies of it at once. */
public final class Replay {
  private final LoadSettings settings;
  private final Trace trace;
  private final int factor;
  private final NameService client;
  private final Consumer<String> progress;
  private final Consumer<Second> seconds;

  /**
   * A replay.
   *
   * @param settings where to and by what; the trace says the rest
   * @param factor how many copies of each session there are
   * @param client the same service; makes and removes the entries that the trace expects
   * @param progress is told what is going on, in a few words
   * @param seconds is told what each second gave
   */
  public Replay(
      LoadSettings settings,
      Trace trace,
      int factor,
      NameService client,
      Consumer<String> progress,
      Consumer<Second> seconds) {
    this.settings = settings;
    this.trace = trace;
    this.factor = factor;
    this.client = client;
    this.progress = progress;
    this.seconds = seconds;
  }

  /**
   * Makes what the trace expects in a directory of its own, replays, and removes it.
   *
   * @throws InterruptedException if the thread was interrupted before anything was measured
   * @throws io.rns.error.RnsException if the service cannot be reached
   */
  public LoadReport run() throws InterruptedException {
    TraceCopies copies = new TraceCopies(trace, factor);
    progress.accept("making entries to work with");
    try (LoadDirectory directory =
        settings.server() == LoadSettings.Server.NONE ? LoadDirectory.unmade(client) : LoadDirectory.create(client)) {
      if (settings.server() == LoadSettings.Server.RNS) {
        directory.references(settings.work().references());
        directory.make(copies.directories(), copies.junctions());
      }
      return run(copies, directory.path().toString());
    }
  }

  private LoadReport run(TraceCopies copies, String top) throws InterruptedException {
    Workload workload =
        new Workload(
            LoadOperation.TRACE.toString(), 1, () -> clients(copies, top), new Arrivals.OfClients(),
            settings.timeout());
    Duration bound = Duration.ofNanos(trace.length()).plus(settings.timeout()).plusSeconds(1);
    Schedule schedule = Schedule.untilDone(bound);
    Observer observer = new Observer(new Processors(settings.processes()), seconds, () -> {});
    Rounds.Outcome outcome = Rounds.run(List.of(workload), 1, schedule, schedule, observer, progress);
    progress.accept("removing the entries");
    if (outcome.series().isEmpty()) {
      throw new InterruptedException("nothing was measured yet");
    }
    Series series = outcome.series().get(0);
    LoadReport.Step step = new LoadReport.Step(trace.sessions().size() * factor, series);
    return new LoadReport(settings, List.of(step), List.of(), Map.of(), Map.of(), null, outcome.interrupted());
  }

  private List<LoadClient> clients(TraceCopies copies, String top) {
    Supplier<Session> sessions = Sessions.of(settings, client);
    List<LoadClient> clients = new ArrayList<>();
    for (List<Trace.Event> events : trace.sessions().values()) {
      for (int copy = 0; copy < factor; copy++) {
        clients.add(new TraceClient(events, copies, copy, top, sessions.get()));
      }
    }
    return clients;
  }
}
