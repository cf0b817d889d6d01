package io.rns.loadtest.cli;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.figure.Cell;
import io.rns.loadtest.figure.Claims;
import io.rns.loadtest.figure.Experiment;
import io.rns.loadtest.figure.Figure;
import io.rns.loadtest.figure.FigureFiles;
import io.rns.loadtest.figure.Measured;
import io.rns.loadtest.figure.Measurements;
import io.rns.loadtest.figure.Verdict;
import io.rns.pool.PolicyType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

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
final class SimCommand extends LoadtestCommand {
  private static final int WRITING_SECONDS = 60;
  private static final int PROGRESS_STEPS = 20;

  @Option(names = "--figure", paramLabel = "F", split = ",", defaultValue = "all", description = {
      "Figures: 3 to 8 of the paper, late (late reports), sinks (2 of 20 servers fail at once), a part such as 8-linear, or all "
          + "(default: ${DEFAULT-VALUE})."
  }) private List<String> figures = List.of();

  @Option(names = "--policy", paramLabel = "P", split = ",", defaultValue = "lu,rr,rand,adaptive", description = "Policies to compare, see docs/pools.md (default: ${DEFAULT-VALUE}).") private List<PolicyType> policies;

  @Option(names = "--seed", paramLabel = "N", defaultValue = "1", description = "Random seed (default: ${DEFAULT-VALUE}).") private long seed;

  @Option(names = "--repetitions", paramLabel = "N", defaultValue = "25", description = "Simulations per point, for its confidence interval (default: ${DEFAULT-VALUE}).") private int repetitions;

  @Option(names = "--minutes", paramLabel = "M", defaultValue = "60", description = "Measured simulated minutes, after a quarter as many for warm-up (default: ${DEFAULT-VALUE}).") private double minutes;

  @Option(names = "--out", paramLabel = "DIR", description = "Write figure-F.csv, figure-F-speed.png and figure-F-resolutions.png to this directory.") private @Nullable Path out;

  @Option(names = "--json", description = "Print one JSON document; progress goes to standard error.") private boolean json;

  SimCommand() {
    super(WRITING_SECONDS);
  }

  @Override
  int run() {
    require("--repetitions", repetitions >= 1 && repetitions <= 1_000, "1 to 1000");
    require("--minutes", minutes >= 0.1 && minutes <= 10_000, "0.1 to 10000");
    List<Figure> wanted = wanted();
    List<Cell> cells =
        wanted.stream().flatMap(figure -> figure.cells(policies.stream().distinct().toList()).stream()).toList();
    try {
      if (out != null) {
        Files.createDirectories(out);
      }
      Experiment experiment = new Experiment(seed, repetitions, minutes, minutes / 4);
      Measurements measurements = experiment.run(cells, progress(cells.size()));
      boolean stopped = Thread.interrupted();
      List<Verdict> verdicts = Claims.check(measurements);
      print(
          json ? Json.pretty(SimOutput.of(experiment, measurements, verdicts))
              : SimOutput.text(measurements, verdicts));
      if (out != null) {
        write(wanted, measurements, out, stopped);
      }
      return stopped ? ErrorReporter.INTERRUPTED : 0;
    } catch (IOException | UncheckedIOException e) {
      throw new RnsException(
          RnsError.INVALID_REQUEST, "--out: cannot write to '" + out + "': " + e.getMessage(), e);
    }
  }

  private List<Figure> wanted() {
    for (String name : figures) {
      reject(
          Figure.ALL.stream().noneMatch(figure -> figure.isMeantBy(name)),
          "--figure '" + name + "' is none of 3, 4, 5, 6, 7, 8, all, " + Figure.ALL);
    }
    return Figure.ALL.stream().filter(figure -> figures.stream().anyMatch(figure::isMeantBy)).toList();
  }

  private IntConsumer progress(int planned) {
    return done -> {
      if (done * PROGRESS_STEPS / planned > (done - 1) * PROGRESS_STEPS / planned) {
        progress(done + " of " + planned + " points");
      }
    };
  }

  private static void write(List<Figure> figures, Measurements measurements, Path directory, boolean stopped)
      throws IOException {
    System.setProperty("java.awt.headless", "true");
    for (Figure figure : figures) {
      List<Measured> measured = measurements.of(figure);
      if (!measured.isEmpty()) {
        FigureFiles.writeTable(figure, measured, directory);
      }
      // Drawing registers a shutdown hook, which is too late after Ctrl-C.
      if (!measured.isEmpty() && !stopped) {
        FigureFiles.drawPictures(figure, measured, directory);
      }
    }
  }
}
