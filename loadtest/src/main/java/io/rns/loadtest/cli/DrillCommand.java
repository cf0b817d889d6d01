package io.rns.loadtest.cli;

import io.rns.loadtest.drill.Drill;
import io.rns.loadtest.drill.DrillReport;
import io.rns.loadtest.drill.DrillSettings;
import io.rns.loadtest.drill.Fault;
import io.rns.loadtest.launcher.Launcher;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine;

/** {@code ./rns drill failover}: injects faults into the primary of a new group, and verifies every guarantee. */
@Command(name = "rns drill failover", mixinStandardHelpOptions = true, sortOptions = false, description = {
    "Inject faults into the primary of a new group, and verify every guarantee.",
    "Starts a server group on this machine, writes, reads and watches during several faults, and checks: no write lost or applied "
        + "twice, no read that goes back, no gap in the watch, never two primaries.",
    "The group uses free ports and is removed at the end, even after Ctrl-C; its logs are kept if the drill fails."
}, footer = {
    "",
    "Exit codes: 0 every guarantee held, 1 a violation or an incomplete drill, 2 usage.",
    "",
    "Examples:",
    "  ./rns drill failover",
    "  ./rns drill failover --rate 200 --rounds 5 --json",
    "  ./rns drill failover --fault kill-database,switchover",
    "  ./rns drill failover --engine mysql --topology group"
})
public final class DrillCommand implements Callable<Integer> {
  private static final int CLEANING_SECONDS = 200;
  private static final int BROKEN = 1;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--rate", paramLabel = "N", defaultValue = "500", description = "Writes per second (default: ${DEFAULT-VALUE}).") private int rate;

  @Option(names = "--rounds", paramLabel = "N", defaultValue = "1", description = "Number of passes over all faults (default: ${DEFAULT-VALUE}).") private int rounds;

  @Option(names = "--fault", paramLabel = "FAULT", split = ",", converter = OfFault.class, description = {
      "Faults to inject, in this order: kill-database, kill-server, pause-database, pause-server, kill-both, pause-both, cut-off, "
          + "cut-off-server, cut-off-database, switchover (default: all; with --topology group no cut-off faults, since those "
          + "databases have their own connections)."
  }) private @Nullable List<Fault> faults;

  @Option(names = "--replicas", paramLabel = "N", defaultValue = "2", description = "Number of replicas, 2 to 6 (default: ${DEFAULT-VALUE}).") private int replicas;

  @Option(names = "--engine", paramLabel = "ENGINE", defaultValue = "mariadb", description = "Database engine, as in ./rns up: mariadb, mysql (default: ${DEFAULT-VALUE}).") private String engine =
      "mariadb";

  @Option(names = "--topology", paramLabel = "TOPOLOGY", defaultValue = "source-replica", description = "Replication topology, as in ./rns up: source-replica, group (default: ${DEFAULT-VALUE}).") private String topology =
      "source-replica";

  @Option(names = "--pause", paramLabel = "S", defaultValue = "45", description = "Seconds of a pause or cut-off; the default exceeds every timeout (default: ${DEFAULT-VALUE}).") private double pause;

  @Option(names = "--calm", paramLabel = "S", defaultValue = "5", description = "Seconds of undisturbed load before and after each fault (default: ${DEFAULT-VALUE}).") private double calm;

  @Option(names = "--history", paramLabel = "FILE", description = "File for all requests and answers (default: a temporary file, after a violation).") private @Nullable Path history;

  @Option(names = "--json", description = "Print one JSON document; progress goes to standard error.") private boolean json;

  private final Path launcher;

  private DrillCommand(Path launcher) {
    this.launcher = launcher;
  }

  /**
   * Runs the command and exits with its code.
   *
   * @param arguments of the command line, without {@code drill failover}
   */
  public static void main(String[] arguments) {
    System.exit(commandLine(Launcher.own()).execute(arguments));
  }

  static CommandLine commandLine(Path launcher) {
    return new CommandLine(new DrillCommand(launcher))
        .setExecutionExceptionHandler(new ErrorReporter())
        .setUsageHelpWidth(100);
  }

  /** Converts names of faults. */
  static final class OfFault implements ITypeConverter<Fault> {
    @Override
    public Fault convert(String text) {
      for (Fault fault : Fault.values()) {
        if (fault.toString().equals(text)) {
          return fault;
        }
      }
      throw new TypeConversionException("'" + text + "' is none of " + List.of(Fault.values()));
    }
  }

  @Override
  public Integer call() throws InterruptedException {
    checkNumbers();
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    Consumer<String> progress = err::println;
    DrillReport report;
    try (StopOnShutdown guard = new StopOnShutdown("rns drill", CLEANING_SECONDS)) {
      guard.begin();
      report = new Drill(settings(), progress).run();
    }
    out.println(json ? DrillJson.of(report).toPrettyString() : DrillText.of(report).stripTrailing());
    out.flush();
    return report.isPassed() ? 0 : BROKEN;
  }

  private DrillSettings settings() {
    return new DrillSettings(
        launcher,
        replicas,
        engine,
        topology,
        rate,
        rounds,
        faults(),
        ofSeconds(pause),
        ofSeconds(calm),
        Optional.ofNullable(history));
  }

  private List<Fault> faults() {
    if (faults != null) {
      return faults;
    }
    return Stream.of(Fault.values()).filter(fault -> !fault.cuts() || canCut()).toList();
  }

  private boolean canCut() {
    return !topology.equals("group");
  }

  private void checkNumbers() {
    if (!canCut()) {
      checkNoneCuts();
    }
    require("--rate", rate >= 1 && rate <= 20_000, "1 to 20000");
    require("--rounds", rounds >= 1 && rounds <= 1_000, "1 to 1000");
    require("--replicas", replicas >= 2 && replicas <= 6, "2 to 6");
    require("--pause", pause >= 1 && pause <= 3_600, "1 to 3600");
    require("--calm", calm >= 1 && calm <= 3_600, "1 to 3600");
  }

  private void checkNoneCuts() {
    for (Fault fault : faults()) {
      if (fault.cuts()) {
        throw new ParameterException(
            spec.commandLine(),
            "--fault " + fault + " is not for --topology group: its databases have their own connections");
      }
    }
  }

  private void require(String option, boolean good, String bounds) {
    if (!good) {
      throw new ParameterException(spec.commandLine(), option + " must be " + bounds);
    }
  }

  private static Duration ofSeconds(double seconds) {
    return Duration.ofNanos(Math.round(seconds * 1e9));
  }
}
