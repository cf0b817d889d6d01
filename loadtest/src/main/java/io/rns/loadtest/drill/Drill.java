package io.rns.loadtest.drill;

import io.rns.api.CallContext;
import io.rns.api.Consistency;
import io.rns.api.NameService;
import io.rns.api.Position;
import io.rns.api.QueryRequest;
import io.rns.api.Target;
import io.rns.error.RnsException;
import io.rns.loadtest.drill.DrillReport.Struck;
import io.rns.loadtest.group.ServerGroup;
import io.rns.loadtest.history.Checker;
import io.rns.loadtest.history.Ending;
import io.rns.loadtest.history.History;
import io.rns.loadtest.history.Violation;
import io.rns.loadtest.history.Window;
import io.rns.loadtest.history.WriteOutcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Runs a group, loads it, breaks its primary, and checks what clients were told. */
public final class Drill {
  private static final String ROOT = "/rns-drill";
  private static final Duration WATCH_BOUND = Duration.ofMinutes(1);
  private static final Duration POLL = Duration.ofMillis(50);

  private final DrillSettings settings;
  private final Consumer<String> progress;
  private final Recorder recorder = new Recorder();
  private final Lags lags = new Lags();
  private final List<Struck> struck = new ArrayList<>();
  private final List<String> incomplete = new ArrayList<>();

  /**
   * A drill.
   *
   * @param progress gets a line for every step
   */
  public Drill(DrillSettings settings, Consumer<String> progress) {
    this.settings = settings;
    this.progress = progress;
  }

  /**
   * Runs it; the group is gone afterwards, whatever happens.
   *
   * @throws RnsException if there is no group to be had, or nothing to be checked
   */
  public DrillReport run() throws InterruptedException {
    progress.accept("starting " + (settings.replicas() + 1) + " servers");
    try (ServerGroup group = ServerGroup.start(settings.launcher(), settings.layout())) {
      try {
        return run(group);
      } catch (RnsException e) {
        keepLogs(group).ifPresent(directory -> progress.accept("logs: " + directory));
        throw e;
      }
    }
  }

  private DrillReport run(ServerGroup group) throws InterruptedException {
    try (GroupCalls calls = new GroupCalls(group.secret())) {
      Strike strike = new Strike(group, calls, settings, progress);
      strike.awaitServing();
      History history = loaded(group, calls, strike);
      progress.accept("checking " + history.writes().size() + " writes and " + history.reads().size() + " reads");
      return report(group, history, Checker.check(history));
    }
  }

  private History loaded(ServerGroup group, GroupCalls calls, Strike strike) throws InterruptedException {
    try (Load load = new Load(group.members(), calls, recorder, lags, ROOT, settings.rate())) {
      try {
        faults(strike);
      } catch (RnsException e) {
        incomplete.add(String.valueOf(e.getMessage()));
        progress.accept("stopped: " + e.getMessage());
      }
      load.stopRequests();
      Ending ending = ending(load);
      awaitWatcher(load, ending.position());
      return recorder.history(load.watchedFrom(), ending);
    }
  }

  private void faults(Strike strike) throws InterruptedException {
    for (int round = 1; round <= settings.rounds(); round++) {
      for (Fault fault : settings.faults()) {
        Thread.sleep(settings.calm().toMillis());
        progress.accept("round " + round + ": " + fault);
        long from = recorder.now();
        String primary = strike.now(fault);
        strike.awaitServing();
        long served = recorder.now();
        Thread.sleep(settings.calm().toMillis());
        long to = recorder.now();
        if (!fault.breaks()) {
          recorder.add(new Window(from, to, "round " + round + ", " + fault));
        }
        struck(fault, round, primary, from, served, to);
      }
    }
  }

  private void struck(Fault fault, int round, String primary, long from, long served, long to) {
    Optional<Long> writes = recorder.writeOutage(from, to);
    Optional<Long> reads = recorder.readOutage(from, to);
    if (recorder.writeOutage(served, to).isEmpty() || recorder.readOutage(served, to).isEmpty()) {
      incomplete.add("round " + round + ", " + fault + ": nothing was written or read after it");
    }
    Struck result =
        new Struck(fault, round, primary, millis(writes.orElse(to - from)), millis(reads.orElse(to - from)),
            millis(served - from));
    struck.add(result);
    progress.accept(
        String.format(
            Locale.ROOT,
            "  no write for %.0f ms, no session read for %.0f ms; %,d writes acknowledged so far",
            result.writeOutageMillis(),
            result.readOutageMillis(),
            recorder.acknowledged()));
  }

  private static double millis(long nanos) {
    return nanos / 1e6;
  }

  private Ending ending(Load load) throws InterruptedException {
    Map<String, Map<String, Long>> trees = new HashMap<>();
    Position last;
    try {
      last = load.group().query(CallContext.ANONYMOUS.with(Consistency.PRIMARY), QueryRequest.of(Target.of(ROOT)))
          .position();
    } catch (RnsException e) {
      // What clients were told before is still worth to be checked.
      incomplete.add("cannot read the final state: " + e.getMessage());
      return new Ending(new Position(load.watchedFrom().group(), load.watchedFrom().epoch(), recorder.lastKnown()),
          trees);
    }
    for (Map.Entry<String, NameService> server : load.servers().entrySet()) {
      try {
        trees.put(server.getKey(), Trees.versions(server.getValue(), ROOT, last));
      } catch (RnsException e) {
        incomplete.add(server.getKey() + " cannot be listed at the end: " + e.getMessage());
      }
    }
    return new Ending(last, trees);
  }

  private void awaitWatcher(Load load, Position last) throws InterruptedException {
    long end = System.nanoTime() + WATCH_BOUND.toNanos();
    while (recorder.watched() < last.sequence() && System.nanoTime() < end) {
      Thread.sleep(POLL.toMillis());
    }
    if (recorder.watched() < last.sequence() && !load.watchTrouble().isEmpty()) {
      incomplete.add("the watcher: " + load.watchTrouble());
    }
  }

  private DrillReport report(ServerGroup group, History history, List<Violation> violations) {
    Map<String, Long> seen = seen(history);
    seen.forEach(
        (what, count) -> {
          if (count == 0 && !what.equals("failed reads") && !what.equals("unanswered writes")) {
            incomplete.add("there were no " + what);
          }
        });
    Optional<Path> kept = settings.history();
    if (kept.isEmpty() && !violations.isEmpty()) {
      kept = Optional.of(newFile());
    }
    kept.ifPresent(file -> HistoryFile.write(file, history, violations));
    Map<String, Double> lag = new LinkedHashMap<>();
    lag.put("p50", lags.usualP50());
    lag.put("p99", lags.usualP99());
    lag.put("worstP99", lags.worstP99());
    Optional<Path> logs = violations.isEmpty() && incomplete.isEmpty() ? Optional.empty() : keepLogs(group);
    return new DrillReport(settings, struck, seen, lag, violations, incomplete, kept, logs);
  }

  private Optional<Path> keepLogs(ServerGroup group) {
    try {
      return Optional.of(group.keepLogs());
    } catch (RnsException e) {
      incomplete.add(String.valueOf(e.getMessage()));
      return Optional.empty();
    }
  }

  private static Path newFile() {
    try {
      return Files.createTempFile("rns-drill-", ".txt");
    } catch (IOException e) {
      throw new UncheckedIOException("a file for the history", e);
    }
  }

  private static Map<String, Long> seen(History history) {
    Map<String, Long> seen = new LinkedHashMap<>();
    seen.put("acknowledged writes", history.writes().stream().filter(w -> w.acknowledged().isPresent()).count());
    seen.put("unanswered writes",
        history.writes().stream().filter(w -> w.told() instanceof WriteOutcome.Unknown).count());
    seen.put("session reads", history.reads().stream().filter(r -> r.bound().isEmpty()).count());
    seen.put("bounded reads", history.reads().stream().filter(r -> r.bound().isPresent()).count());
    seen.put("failed reads", (long) history.failedReads().size());
    seen.put("watched changes", (long) history.events().size());
    seen.put("epochs", history.claims().stream().map(c -> c.epoch()).distinct().count());
    return seen;
  }
}
