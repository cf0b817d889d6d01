package io.rns.loadtest.cli;

import io.rns.loadtest.chapter.Chapter;
import io.rns.loadtest.chapter.Length;
import io.rns.loadtest.chapter.Measuring;
import io.rns.loadtest.chapter.Results;
import io.rns.loadtest.chapter.Volume;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "rns figures", mixinStandardHelpOptions = true, sortOptions = false, description = {
    "Measure every figure of docs/benchmarks.md on this machine, and rewrite that document.",
    "Figures are in chapters: operations, single, writes, replication, scale-out, partitions, sites, fronts, simulator, pools, failover, security, peers. "
        + "Each chapter runs a few ./rns commands, and temporary services on free ports of 127.0.0.1. Commands and results "
        + "are kept as DIR/figures/CHAPTER.json; a chapter that does not run keeps its earlier results."
}, footer = {
    "",
    "Ctrl-C stops the run and keeps completed chapters. Exit codes: 0 done, 1 incomplete chapter, 2 usage.",
    "",
    "Examples:",
    "  ./rns figures                                     all but peers, two hours",
    "  ./rns figures --only operations,single",
    "  ./rns figures --only failover --minutes 25        about half of it",
    "  ./rns figures --only failover --resume            go on after an interrupted run",
    "  ./rns figures --only simulator --quick --out /tmp/figures",
    "  ./rns figures --render                            only write the document"
})
final class FiguresCommand extends LoadtestCommand {
  private static final int CLEANING_SECONDS = 240;

  @Option(names = "--only", paramLabel = "NAME", split = ",", description = "Chapters to run (default: all but peers).") private List<String> only =
      List.of();

  @Option(names = "--peers", description = "Include comparisons with other services, downloaded on first use.") private boolean peers;

  @Option(names = "--out", paramLabel = "DIR", description = "Directory of benchmarks.md and figures (default: docs, next to ./rns).") private @Nullable Path out;

  @Option(names = "--quick", description = "Test run of seconds, marked as not to be quoted; needs --out.") private boolean quick;

  @Option(names = "--resume", description = "Skip commands of failover and partitions that an interrupted run completed.") private boolean resume;

  @Option(names = "--minutes", paramLabel = "N", description = "Begin no command of failover and partitions after N minutes; --resume goes on.") private @Nullable Integer minutes;

  @Option(names = "--render", description = "Only write the document from existing results.") private boolean render;

  @Option(names = "--json", description = "Print one JSON document: time of each chapter, reasons of failures.") private boolean json;

  private final Path launcher;

  FiguresCommand(Path launcher) {
    super(CLEANING_SECONDS);
    this.launcher = launcher;
  }

  @Override
  int run() throws InterruptedException {
    require("--minutes", minutes == null || minutes >= 1, "1 or more");
    reject(quick && out == null, "--quick needs --out: its results must not replace real ones");
    List<Chapter> wanted = wanted();
    Volume volume = Volume.open(out == null ? launcher.toAbsolutePath().resolveSibling("docs") : out, Chapter.ALL);
    return measure(volume, wanted);
  }

  private int measure(Volume volume, List<Chapter> wanted) throws InterruptedException {
    Clock clock = Clock.systemUTC();
    Instant end = minutes == null ? Instant.MAX : clock.instant().plus(Duration.ofMinutes(minutes));
    Measuring measuring =
        new Measuring(launcher, quick ? Length.QUICK : Length.FULL, clock, end, this::progress);
    List<Results> ended = new ArrayList<>();
    for (Chapter chapter : wanted) {
      Results begun = resume ? volume.begun(chapter.name()) : Results.none(chapter.name());
      Results results = measuring.run(chapter, begun, volume::keepBegun);
      volume.keep(results);
      volume.write();
      ended.add(results);
    }
    Path document = volume.write();
    print(json ? Measuring.summary(ended).toPrettyString() : document.toString());
    return ended.stream().allMatch(Results::isComplete) ? 0 : ErrorReporter.REFUSED;
  }

  private List<Chapter> wanted() {
    Set<String> left = new LinkedHashSet<>(only);
    List<Chapter> wanted = new ArrayList<>();
    for (Chapter chapter : Chapter.ALL) {
      boolean meant = left.remove(chapter.name()) || (only.isEmpty() && !chapter.isOptional());
      if ((meant || (peers && chapter.isOptional())) && chapter.isMeasured()) {
        wanted.add(chapter);
      }
    }
    reject(
        !left.isEmpty(),
        "--only " + left + " is none of " + Chapter.ALL.stream().map(Chapter::name).toList());
    return render ? List.of() : wanted;
  }
}
