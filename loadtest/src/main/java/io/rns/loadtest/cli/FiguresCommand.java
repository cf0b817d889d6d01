package io.rns.loadtest.cli;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.chapter.Chapter;
import io.rns.loadtest.chapter.Chapters;
import io.rns.loadtest.chapter.Length;
import io.rns.loadtest.chapter.Measuring;
import io.rns.loadtest.chapter.Results;
import io.rns.loadtest.chapter.Volume;
import io.rns.loadtest.launcher.Launcher;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine;

/** {@code ./rns figures}: measures every figure of docs/benchmarks.md and writes that. */
@Command(name = "rns figures", mixinStandardHelpOptions = true, sortOptions = false, description = {
    "Measures every figure that docs/benchmarks.md has, on this machine, and writes that document anew.",
    "Figures are in chapters: operations, single, replication, scale-out, sites, simulator, pools, handlespace, failover, peers. "
        + "Each runs a few commands of ./rns, which the document prints; services that it needs are started on free ports of "
        + "127.0.0.1 and removed again. Results are kept as DIR/figures/CHAPTER.json, and a chapter that is not run keeps those "
        + "that it has."
}, footer = {
    "",
    "Ctrl-C ends it; chapters that were through are kept. Exit codes: 0 done, 1 a chapter could not be run to its end, 2 usage.",
    "",
    "Examples:",
    "  ./rns figures                                     all but peers, in half an hour",
    "  ./rns figures --only operations,single",
    "  ./rns figures --only simulator --quick --out /tmp/figures",
    "  ./rns figures --render                            only writes the document"
})
public final class FiguresCommand implements Callable<Integer> {
  private static final int CLEANING_SECONDS = 240;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--only", paramLabel = "NAME", split = ",", description = "Which chapters (default: all but peers).") private List<String> only =
      List.of();

  @Option(names = "--peers", description = "Also those that compare with other services, which are fetched when first wanted.") private boolean peers;

  @Option(names = "--out", paramLabel = "DIR", description = "Where benchmarks.md and the directory figures are (default: docs, beside ./rns).") private @Nullable Path out;

  @Option(names = "--quick", description = "Seconds in place of minutes, to see that all runs: results are marked as not to be quoted. Needs --out.") private boolean quick;

  @Option(names = "--render", description = "Measures nothing, only writes the document from the results that there are.") private boolean render;

  @Option(names = "--json", description = "Prints one JSON document: how long each chapter took, and why one could not be run.") private boolean json;

  private final Path launcher;

  private FiguresCommand(Path launcher) {
    this.launcher = launcher;
  }

  /**
   * Runs the command and exits with its code.
   *
   * @param arguments of the command line, without {@code figures}
   */
  public static void main(String[] arguments) {
    System.exit(commandLine(Launcher.own()).execute(arguments));
  }

  static CommandLine commandLine(Path launcher) {
    return new CommandLine(new FiguresCommand(launcher))
        .setExecutionExceptionHandler(new ErrorReporter())
        .setUsageHelpWidth(100);
  }

  @Override
  public Integer call() throws InterruptedException {
    if (quick && out == null) {
      throw new ParameterException(spec.commandLine(), "--quick needs --out: its results are not to be kept");
    }
    List<Chapter> wanted = wanted();
    PrintWriter err = spec.commandLine().getErr();
    try (StopOnShutdown guard = new StopOnShutdown("rns figures", CLEANING_SECONDS)) {
      guard.begin();
      Volume volume = Volume.open(out == null ? launcher.toAbsolutePath().resolveSibling("docs") : out, Chapters.all());
      Measuring measuring =
          new Measuring(
              launcher,
              quick ? Length.QUICK : Length.FULL,
              Clock.systemUTC(),
              text -> {
                err.println(text);
                err.flush();
              });
      return measure(volume, measuring, wanted);
    } catch (UncheckedIOException e) {
      throw new RnsException(RnsError.INVALID_REQUEST, "cannot read or write " + e.getMessage() + ": " + e.getCause(),
          e);
    }
  }

  private int measure(Volume volume, Measuring measuring, List<Chapter> wanted) throws InterruptedException {
    List<Results> ended = new ArrayList<>();
    for (Chapter chapter : wanted) {
      Results results = measuring.run(chapter);
      volume.keep(results);
      volume.write();
      ended.add(results);
    }
    Path document = volume.write();
    PrintWriter writer = spec.commandLine().getOut();
    writer.println(json ? Measuring.summary(ended).toPrettyString() : document.toString());
    writer.flush();
    return ended.stream().allMatch(Results::isComplete) ? 0 : ErrorReporter.REFUSED;
  }

  private List<Chapter> wanted() {
    Set<String> left = new LinkedHashSet<>(only);
    List<Chapter> wanted = new ArrayList<>();
    for (Chapter chapter : Chapters.all()) {
      boolean meant = left.remove(chapter.name()) || (only.isEmpty() && !Chapters.isOptional(chapter));
      if ((meant || (peers && Chapters.isOptional(chapter))) && !chapter.steps(Length.FULL).isEmpty()) {
        wanted.add(chapter);
      }
    }
    if (!left.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "--only " + left + " is none of " + Chapters.all().stream().map(Chapter::name).toList());
    }
    return render ? List.of() : wanted;
  }
}
