package io.rns.loadtest.drill;

import io.rns.error.RnsException;
import io.rns.loadtest.drill.DrillReport.Struck;
import io.rns.loadtest.drill.DrillReport.WarmUp;
import io.rns.loadtest.group.ServerGroup;
import io.rns.loadtest.history.DrillEvent.Read;
import io.rns.loadtest.history.DrillEvent.Window;
import io.rns.loadtest.history.DrillEvent.Write;
import io.rns.loadtest.history.History;
import io.rns.loadtest.history.HistoryChecker;
import io.rns.loadtest.history.Violation;
import io.rns.loadtest.launcher.Io;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;

/** Runs a group, loads it, injects faults into its primary, and checks what clients observed. */
public final class Drill {
  private static final String ROOT = "/rns-drill";

  /** Clients may have backed off. */
  private static final Duration RESUMPTION = Duration.ofSeconds(60);

  /** Servers whose code is not compiled yet leave longer gaps; what a fault costs is not to be seen beside them. */
  private static final double SHORT_MILLIS = 250;

  private static final Duration LOOK = Duration.ofMillis(500);

  private final DrillSettings settings;
  private final Consumer<String> progress;
  private final Recorder recorder = new Recorder();
  private Optional<WarmUp> warmUp = Optional.empty();
  private final List<Struck> struck = new ArrayList<>();
  private final List<String> incomplete = new ArrayList<>();

  public Drill(DrillSettings settings, Consumer<String> progress) {
    this.settings = settings;
    this.progress = progress;
  }

  /** Runs the drill; the group is removed afterwards in any case. */
  public DrillReport run() throws InterruptedException {
    progress.accept("starting " + (settings.replicas() + 1) + " servers");
    try (ServerGroup group = ServerGroup.start(settings.launcher(), settings.layout())) {
      try (GroupOperator operator = new GroupOperator(group.secret())) {
        FaultInjector injector = new FaultInjector(group, operator, settings, new Random(settings.seed()), progress);
        injector.awaitServing();
        return report(group, loaded(group, operator, injector));
      } catch (RnsException e) {
        keepLogs(group).ifPresent(directory -> progress.accept("logs: " + directory));
        throw e;
      }
    }
  }

  private History loaded(ServerGroup group, GroupOperator operator, FaultInjector injector)
      throws InterruptedException {
    try (DrillLoad load = new DrillLoad(group.members(), operator, recorder, ROOT, settings.rate())) {
      try {
        injectAll(injector);
      } catch (RnsException e) {
        incomplete.add(String.valueOf(e.getMessage()));
        progress.accept("stopped: " + e.getMessage());
      }
      return load.finish(incomplete);
    }
  }

  private void injectAll(FaultInjector injector) throws InterruptedException {
    if (!settings.warmUp().isZero()) {
      warmUp(injector);
    }
    long calmFrom = recorder.now();
    Thread.sleep(settings.calm());
    for (int round = 1; round <= settings.rounds(); round++) {
      for (DrillFault fault : settings.faults()) {
        progress.accept("round " + round + ": " + fault);
        // A change may have begun since they all served: who was replaced by it may not count for the next one yet.
        injector.awaitServing();
        long from = recorder.now();
        String primary = injector.inject(fault);
        injector.awaitServing();
        long served = recorder.now();
        long to;
        do {
          Thread.sleep(settings.calm());
          to = recorder.now();
        } while (isSilent(served, to) && to - served < RESUMPTION.toNanos());
        if (fault.isPlanned()) {
          recorder.add(new Window(from, to, "round " + round + ", " + fault));
        }
        struck(fault, round, primary, Math.max(calmFrom, 2 * from - to), from, served, to);
        calmFrom = served;
      }
    }
  }

  /** Until clients have met no long gap for a calm period, or for the time that this may take. */
  private void warmUp(FaultInjector injector) throws InterruptedException {
    progress.accept("warming up");
    long from = recorder.now();
    WarmUp now;
    do {
      Thread.sleep(LOOK);
      now = gaps(from, recorder.now());
    } while (!now.warm() && now.seconds() < settings.warmUp().toMillis() / 1e3);
    injector.awaitServing();
    warmUp = Optional.of(now);
    progress.accept("  " + now);
  }

  private WarmUp gaps(long from, long to) {
    long since = Math.max(from, to - settings.calm().toNanos());
    double writes = recorder.writeOutage(since, to).orElse(to - since) / 1e6;
    double reads = recorder.readOutage(since, to).orElse(to - since) / 1e6;
    boolean whole = to - from >= settings.calm().toNanos();
    return new WarmUp((to - from) / 1e9, writes, reads, whole && Math.max(writes, reads) <= SHORT_MILLIS);
  }

  private boolean isSilent(long from, long to) {
    return recorder.writeOutage(from, to).isEmpty() || recorder.readOutage(from, to).isEmpty();
  }

  /** Notes the outages, and, from {@code calmFrom} to {@code from}, what the same clients met without a fault. */
  private void struck(
      DrillFault fault, int round, String primary, long calmFrom, long from, long served, long to) {
    if (isSilent(served, to)) {
      incomplete.add("round " + round + ", " + fault + ": nothing was written or read after it");
    }
    double writes = recorder.writeOutage(from, to).orElse(to - from) / 1e6;
    double reads = recorder.readOutage(from, to).orElse(to - from) / 1e6;
    double calm = recorder.readOutage(calmFrom, from).orElse(from - calmFrom) / 1e6;
    struck.add(new Struck(fault, round, primary, writes, reads, calm, (served - from) / 1e6));
    progress.accept(
        String.format(Locale.ROOT,
            "  no write for %.0f ms, no session read for %.0f ms (calm: %.0f ms); %,d writes acknowledged so far",
            writes, reads, calm, recorder.acknowledged()));
  }

  private DrillReport report(ServerGroup group, History history) {
    progress.accept(
        "checking " + history.all(Write.class).size() + " writes and " + history.all(Read.class).size() + " reads");
    List<Violation> violations = HistoryChecker.check(history);
    List<String> slow = HistoryChecker.slowAnswers(history);
    if (!slow.isEmpty()) {
      incomplete.add(slow.size() + " requests of planned switchovers were not answered in time: " + slow.getFirst());
    }
    Map<String, Long> seen = DrillReport.seen(history);
    seen.forEach(
        (what, count) -> {
          if (count == 0 && !what.equals("failed reads") && !what.equals("unanswered writes")) {
            incomplete.add("there were no " + what);
          }
        });
    Optional<Path> kept = settings.history();
    if (kept.isEmpty() && !violations.isEmpty()) {
      kept = Optional.of(Io.get("no file for the history", () -> Files.createTempFile("rns-drill-", ".txt")));
    }
    kept.ifPresent(file -> Io.run("the history cannot be written",
        () -> Files.write(file, history.lines(violations))));
    Optional<Path> logs = violations.isEmpty() && incomplete.isEmpty() ? Optional.empty() : keepLogs(group);
    return new DrillReport(
        settings, warmUp, struck, seen, DrillReport.lagMillis(history), violations, incomplete, kept, logs);
  }

  private Optional<Path> keepLogs(ServerGroup group) {
    try {
      return Optional.of(group.keepLogs());
    } catch (RnsException e) {
      incomplete.add(String.valueOf(e.getMessage()));
      return Optional.empty();
    }
  }
}
