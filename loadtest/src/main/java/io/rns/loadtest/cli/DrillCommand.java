package io.rns.loadtest.cli;

import io.rns.loadtest.drill.Drill;
import io.rns.loadtest.drill.DrillReport;
import io.rns.loadtest.drill.DrillSettings;
import io.rns.loadtest.drill.DrillFault;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "rns drill failover", mixinStandardHelpOptions = true, sortOptions = false, description = {
    "Inject faults into the primary of a new group, and verify every guarantee.",
    "Starts a server group on this machine, writes, reads and watches during several faults, and checks: no write lost or applied "
        + "twice, no read that goes back, no gap in the watch, never two primaries.",
    "The group uses free ports and is removed at the end, even after Ctrl-C; its logs are kept if the drill fails."
}, footer = {
    "",
    "Exit codes: 0 every guarantee held, 1 a violation, or an incomplete drill; the verdict says which; 2 usage.",
    "",
    "Examples:",
    "  ./rns drill failover",
    "  ./rns drill failover --rate 200 --rounds 5 --json",
    "  ./rns drill failover --fault kill-database,switchover",
    "  ./rns drill failover --engine mysql --topology group"
})
final class DrillCommand extends LoadtestCommand {
  private static final int CLEANING_SECONDS = 200;

  @Option(names = "--rate", paramLabel = "N", defaultValue = "500", description = "Writes per second (default: ${DEFAULT-VALUE}).") private int rate;

  @Option(names = "--rounds", paramLabel = "N", defaultValue = "1", description = "Number of passes over all faults (default: ${DEFAULT-VALUE}).") private int rounds;

  @Option(names = "--fault", paramLabel = "FAULT", split = ",", description = {
      "Faults to inject, in this order: kill-database, kill-server, pause-database, pause-server, kill-both, pause-both, cut-off, "
          + "cut-off-server, cut-off-database, switchover, graceful-stop, two-failovers, unreachable-target (default: all of these; "
          + "with --topology group no cut-off faults and no unreachable-target, since those databases have their own connections), "
          + "disk-full, disk-stall, power-loss (need gcc), ten-kills (takes 10 minutes)."
  }) private @Nullable List<DrillFault> faults;

  @Option(names = "--replicas", paramLabel = "N", defaultValue = "2", description = "Number of replicas, 2 to 6 (default: ${DEFAULT-VALUE}).") private int replicas;

  @Option(names = "--engine", paramLabel = "ENGINE", defaultValue = "mariadb", description = "Database engine, as in ./rns up: mariadb, mysql (default: ${DEFAULT-VALUE}).") private String engine;

  @Option(names = "--topology", paramLabel = "TOPOLOGY", defaultValue = "source-replica", description = "Replication topology, as in ./rns up: source-replica, group (default: ${DEFAULT-VALUE}).") private String topology;

  @Option(names = "--pause", paramLabel = "S", defaultValue = "45", description = "Seconds of a pause or cut-off; the default exceeds every timeout (default: ${DEFAULT-VALUE}).") private double pause;

  @Option(names = "--calm", paramLabel = "S", defaultValue = "5", description = "Seconds of undisturbed load before and after each fault (default: ${DEFAULT-VALUE}).") private double calm;

  @Option(names = "--warm-up", paramLabel = "S", defaultValue = "120", description = "At most so many seconds of load before the first fault, "
      + "until no gap is longer than 250 ms; 0 for none (default: ${DEFAULT-VALUE}).") private double warmUp;

  @Option(names = "--seed", paramLabel = "N", defaultValue = "1", description = "Decides in which order members return after power-loss (default: ${DEFAULT-VALUE}).") private long seed;

  @Option(names = "--history", paramLabel = "FILE", description = "File for all requests and answers (default: a temporary file, after a violation).") private @Nullable Path history;

  @Option(names = "--json", description = "Print one JSON document; progress goes to standard error.") private boolean json;

  private final Path launcher;

  DrillCommand(Path launcher) {
    super(CLEANING_SECONDS);
    this.launcher = launcher;
  }

  @Override
  int run() throws InterruptedException {
    DrillReport report = new Drill(settings(), err()::println).run();
    print(json ? Json.pretty(DrillOutput.of(report)) : DrillOutput.text(report));
    return report.isPassed() ? 0 : ErrorReporter.REFUSED;
  }

  private DrillSettings settings() {
    boolean canCut = !topology.equals("group");
    List<DrillFault> wanted =
        faults != null ? faults
            : Stream.of(DrillFault.values()).filter(fault -> fault.isUsual() && (canCut || !fault.cuts())).toList();
    for (DrillFault fault : wanted) {
      reject(
          fault.cuts() && !canCut,
          "--fault " + fault + " is not for --topology group: its databases have their own connections");
    }
    require("--rate", rate >= 1 && rate <= 20_000, "1 to 20000");
    require("--rounds", rounds >= 1 && rounds <= 1_000, "1 to 1000");
    require("--replicas", replicas >= 2 && replicas <= 6, "2 to 6");
    require("--pause", pause >= 1 && pause <= 3_600, "1 to 3600");
    require("--calm", calm >= 1 && calm <= 3_600, "1 to 3600");
    require("--warm-up", warmUp >= 0 && warmUp <= 3_600, "0 to 3600");
    return new DrillSettings(
        launcher, replicas, engine, topology, rate, rounds, wanted, ofSeconds(pause), ofSeconds(calm),
        ofSeconds(warmUp), seed, Optional.ofNullable(history));
  }
}
