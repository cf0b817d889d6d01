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
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./rns figures}: measures every figure of docs/benchmarks.md, and rewrites that document. */
@Command(name = "rns figures", mixinStandardHelpOptions = true, sortOptions = false, description = {
    "Measure every figure of docs/benchmarks.md on this machine, and rewrite that document.",
    "Figures are in chapters: operations, single, replication, scale-out, sites, simulator, pools, failover, peers. "
        + "Each chapter runs a few ./rns commands, which the document prints, and temporary services on free ports of "
        + "127.0.0.1. Results are kept as DIR/figures/CHAPTER.json; a chapter that does not run keeps its earlier results."
}, footer = {
    "",
    "Ctrl-C stops the run and keeps completed chapters. Exit codes: 0 done, 1 incomplete chapter, 2 usage.",
    "",
    "Examples:",
    "  ./rns figures                                     all but peers, half an hour",
    "  ./rns figures --only operations,single",
    "  ./rns figures --only simulator --quick --out /tmp/figures",
    "  ./rns figures --render                            only write the document"
})
public final class FiguresCommand implements Callable<Integer> {
  private static final int CLEANING_SECONDS = 240;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--only", paramLabel = "NAME", split = ",", description = "Chapters to run (default: all but peers).") private List<String> only =
      List.of();

  @Option(names = "--peers", description = "Include comparisons with other services, downloaded on first use.") private boolean peers;

  @Option(names = "--out", paramLabel = "DIR", description = "Directory of benchmarks.md and figures (default: docs, next to ./rns).") private @Nullable Path out;

  @Option(names = "--quick", description = "Test run of seconds, marked as not to be quoted; needs --out.") private boolean quick;

  @Option(names = "--render", description = "Only write the document from existing results.") private boolean render;

  @Option(names = "--json", description = "Print one JSON document: time of each chapter, reasons of failures.") private boolean json;

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
      throw new ParameterException(spec.commandLine(), "--quick needs --out: its results must not replace real ones");
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
