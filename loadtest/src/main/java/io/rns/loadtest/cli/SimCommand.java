package io.rns.loadtest.cli;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.figure.Cell;
import io.rns.loadtest.figure.Claims;
import io.rns.loadtest.figure.Experiment;
import io.rns.loadtest.figure.Figure;
import io.rns.loadtest.figure.Measured;
import io.rns.loadtest.figure.Measurements;
import io.rns.loadtest.figure.Plots;
import io.rns.loadtest.figure.Tables;
import io.rns.loadtest.figure.Verdict;
import io.rns.pool.PolicyType;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code ./rns sim}: simulates server pools under the policies of RNS. */
@Command(name = "rns sim", mixinStandardHelpOptions = true, sortOptions = false, description = {
    "Simulate server pools with the production handlespace and policies: how fast each policy completes requests, in pools of "
        + "equal and unequal servers, with delays, late reports and failing servers.",
    "Prints the handling speed (request size over time from creation to completion, in percent of one server's capacity), "
        + "and checks the claims of the paper behind the model. Needs no service. The same seed gives the same numbers."
}, footer = {
    "",
    "Ctrl-C stops early, and prints and tabulates the results so far. Exit codes: 0 done, 2 usage.",
    "",
    "Examples:",
    "  ./rns sim --figure 4 --repetitions 5",
    "  ./rns sim --figure 4,5,6 --policy lu,lud,adaptive --out figures",
    "  ./rns sim --out figures --json"
})
public final class SimCommand implements Callable<Integer> {
  private static final int WRITING_SECONDS = 60;
  private static final int PROGRESS_STEPS = 20;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--figure", paramLabel = "F", split = ",", defaultValue = "all", description = {
      "Figures: 3 to 8 of the paper, late (late reports), sinks (2 of 20 servers fail at once), a part such as 8-linear, or all "
          + "(default: ${DEFAULT-VALUE})."
  }) private List<String> figures = List.of();

  @Option(names = "--policy", paramLabel = "P", split = ",", converter = OfPolicy.class, defaultValue = "lu,rr,rand,adaptive", description = "Policies to compare, see docs/pools.md (default: ${DEFAULT-VALUE}).") private List<PolicyType> policies =
      List.of();

  @Option(names = "--seed", paramLabel = "N", defaultValue = "1", description = "Random seed (default: ${DEFAULT-VALUE}).") private long seed;

  @Option(names = "--repetitions", paramLabel = "N", defaultValue = "25", description = "Simulations per point, for its confidence interval (default: ${DEFAULT-VALUE}).") private int repetitions;

  @Option(names = "--minutes", paramLabel = "M", defaultValue = "60", description = "Measured simulated minutes, after a quarter as many for warm-up (default: ${DEFAULT-VALUE}).") private double minutes;

  @Option(names = "--out", paramLabel = "DIR", description = "Write figure-F.csv, figure-F-speed.png and figure-F-resolutions.png to this directory.") private @Nullable Path out;

  @Option(names = "--json", description = "Print one JSON document; progress goes to standard error.") private boolean json;

  private SimCommand() {}

  /**
   * Runs the command and exits with its code.
   *
   * @param arguments of the command line, without {@code sim}
   */
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  static CommandLine commandLine() {
    return new CommandLine(new SimCommand()).setExecutionExceptionHandler(new ErrorReporter()).setUsageHelpWidth(100);
  }

  /** Converts names of policies. */
  static final class OfPolicy implements ITypeConverter<PolicyType> {
    @Override
    public PolicyType convert(String text) {
      return PolicyType.ofName(text)
          .orElseThrow(() -> new TypeConversionException("'" + text + "' is none of " + List.of(PolicyType.values())));
    }
  }

  @Override
  public Integer call() {
    require("--repetitions", repetitions >= 1 && repetitions <= 1_000, "1 to 1000");
    require("--minutes", minutes >= 0.1 && minutes <= 10_000, "0.1 to 10000");
    List<Cell> cells =
        wanted().stream().flatMap(figure -> figure.cells(policies.stream().distinct().toList()).stream()).toList();
    try (StopOnShutdown guard = new StopOnShutdown("rns sim", WRITING_SECONDS)) {
      guard.begin();
      makeDirectory();
      Experiment experiment = new Experiment(seed, repetitions, minutes, minutes / 4);
      Measurements measurements = experiment.run(cells, progress(cells.size()));
      boolean stopped = Thread.interrupted();
      print(experiment, measurements, Claims.check(measurements));
      writeTables(measurements);
      if (!stopped) {
        // Drawing registers a shutdown hook, which is too late after Ctrl-C.
        drawPictures(measurements);
      }
      return stopped ? ErrorReporter.INTERRUPTED : 0;
    }
  }

  private List<Figure> wanted() {
    for (String name : figures) {
      if (Arrays.stream(Figure.values()).noneMatch(figure -> figure.isMeantBy(name))) {
        throw new ParameterException(
            spec.commandLine(),
            "--figure '" + name + "' is none of 3, 4, 5, 6, 7, 8, all, " + List.of(Figure.values()));
      }
    }
    return Arrays.stream(Figure.values()).filter(figure -> figures.stream().anyMatch(figure::isMeantBy)).toList();
  }

  private IntConsumer progress(int planned) {
    PrintWriter err = spec.commandLine().getErr();
    return done -> {
      if (done * PROGRESS_STEPS / planned > (done - 1) * PROGRESS_STEPS / planned) {
        err.println(done + " of " + planned + " points");
        err.flush();
      }
    };
  }

  private void print(Experiment experiment, Measurements measurements, List<Verdict> verdicts) {
    PrintWriter writer = spec.commandLine().getOut();
    writer.println(
        json
            ? SimJson.of(experiment, measurements, verdicts).toPrettyString()
            : SimText.of(measurements, verdicts).stripTrailing());
    writer.flush();
  }

  private void makeDirectory() {
    if (out != null) {
      try {
        Files.createDirectories(out);
      } catch (IOException e) {
        throw refused(e);
      }
    }
  }

  private void writeTables(Measurements measurements) {
    if (out == null) {
      return;
    }
    try {
      for (Figure figure : wanted()) {
        List<Measured> measured = measurements.of(figure);
        if (!measured.isEmpty()) {
          Files.writeString(out.resolve("figure-" + figure + ".csv"), Tables.csv(measured));
        }
      }
    } catch (IOException e) {
      throw refused(e);
    }
  }

  private void drawPictures(Measurements measurements) {
    if (out == null) {
      return;
    }
    System.setProperty("java.awt.headless", "true");
    try {
      for (Figure figure : wanted()) {
        List<Measured> measured = measurements.of(figure);
        if (!measured.isEmpty()) {
          Plots.speed(figure, measured, out.resolve("figure-" + figure + "-speed.png"));
          Plots.resolutions(figure, measured, out.resolve("figure-" + figure + "-resolutions.png"));
        }
      }
    } catch (UncheckedIOException e) {
      throw refused(e);
    }
  }

  private RnsException refused(Exception e) {
    return new RnsException(RnsError.INVALID_REQUEST, "--out: cannot write to '" + out + "': " + e.getMessage());
  }

  private void require(String option, boolean good, String bounds) {
    if (!good) {
      throw new ParameterException(spec.commandLine(), option + " must be " + bounds);
    }
  }
}
