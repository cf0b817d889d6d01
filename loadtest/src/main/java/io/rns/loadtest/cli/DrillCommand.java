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

/** {@code ./rns drill failover}: breaks the primary of a group of its own and checks what clients were told. */
@Command(name = "rns drill failover", mixinStandardHelpOptions = true, sortOptions = false, description = {
    "Starts a server group on this machine, writes, reads and watches, breaks its primary in several ways, and checks that "
        + "every promise was kept: nothing lost, nothing twice, no read that goes back, no gap in the watch, one primary at a time.",
    "The group is a new one on free ports and is removed at the end, also after Ctrl-C; its logs are kept if the drill fails."
}, footer = {
    "",
    "Exit codes: 0 every promise was kept, 1 one was broken or the drill could not go through, 2 usage.",
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

  @Option(names = "--rounds", paramLabel = "N", defaultValue = "1", description = "How often all faults are gone through (default: ${DEFAULT-VALUE}).") private int rounds;

  @Option(names = "--fault", paramLabel = "FAULT", split = ",", converter = OfFault.class, description = {
      "Which, in this order: kill-database, kill-server, pause-database, pause-server, kill-both, pause-both, cut-off, "
          + "cut-off-server, cut-off-database, switchover (default: all; with --topology group none that cuts off, since those "
          + "databases have lines of their own)."
  }) private @Nullable List<Fault> faults;

  @Option(names = "--replicas", paramLabel = "N", defaultValue = "2", description = "Servers beside the primary, 2 to 6 (default: ${DEFAULT-VALUE}).") private int replicas;

  @Option(names = "--engine", paramLabel = "ENGINE", defaultValue = "mariadb", description = "Its databases, as ./rns up has them: mariadb, mysql (default: ${DEFAULT-VALUE}).") private String engine =
      "mariadb";

  @Option(names = "--topology", paramLabel = "TOPOLOGY", defaultValue = "source-replica", description = "How they are kept alike, as ./rns up has it: source-replica, group (default: ${DEFAULT-VALUE}).") private String topology =
      "source-replica";

  @Option(names = "--pause", paramLabel = "S", defaultValue = "45", description = "Seconds that what is paused or cut off stays so; the default is longer than any time-out (default: ${DEFAULT-VALUE}).") private double pause;

  @Option(names = "--calm", paramLabel = "S", defaultValue = "5", description = "Seconds of undisturbed load before and after each fault (default: ${DEFAULT-VALUE}).") private double calm;

  @Option(names = "--history", paramLabel = "FILE", description = "Where to write all that clients did and were told (default: a file for temporary ones, if a promise is broken).") private @Nullable Path history;

  @Option(names = "--json", description = "Prints one JSON document; progress goes to the standard error.") private boolean json;

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

  /** Faults by their names. */
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
            "--fault " + fault + " is not for --topology group: its databases have lines of their own");
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
