package io.rns.loadtest.cli;

import io.rns.loadtest.handlespace.HandlespaceRuns;
import io.rns.loadtest.handlespace.Operation;
import io.rns.loadtest.handlespace.Rate;
import io.rns.loadtest.handlespace.RunSettings;
import io.rns.loadtest.measure.Row;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./rns bench handlespace}: the operations of a registrar's data, one thread, no network. */
@Command(name = "handlespace", mixinStandardHelpOptions = true, sortOptions = false, description = {
    "Benchmark the operations of the handlespace with JMH, in one thread and one pool of --sizes elements.",
    "Columns: operations per second, half of their 99.9 %% confidence interval, operations per element and second as plotted in the "
        + "paper on pool maintenance, and, at 10,000 elements, the ratio to the C implementation of the papers, "
        + "measured on a similar but different machine."
}, footer = {
    "",
    "Examples:",
    "  ./rns bench handlespace --sizes 10000",
    "  ./rns bench handlespace --sizes 100,1000,10000,20000,100000 --json",
    "  ./rns bench handlespace --sets --sizes 100,10000"
})
final class BenchHandlespace extends Bench {
  private static final int FEWEST = 3;
  private static final int MOST = 1_000_000;

  @Option(names = "--sizes", paramLabel = "N", split = ",", defaultValue = "100,1000,10000,20000", description = "Numbers of elements, one run for each (default: ${DEFAULT-VALUE}).") private List<Integer> sizes =
      List.of();

  @Option(names = "--sets", description = "Compare ordered set with red-black tree, skip list and sorted array.") private boolean sets;

  @Option(names = "--iterations", paramLabel = "N", defaultValue = "5", description = "Measurements of each operation, after twice as many for warm-up (default: ${DEFAULT-VALUE}).") private int iterations;

  @Option(names = "--millis", paramLabel = "MS", defaultValue = "200", description = "Milliseconds of each measurement (default: ${DEFAULT-VALUE}).") private int millis;

  @Option(names = "--forks", paramLabel = "N", defaultValue = "1", description = "Sequential processes for each operation; 0: this process, fast but less exact (default: ${DEFAULT-VALUE}).") private int forks;

  private BenchHandlespace() {}

  @Override
  List<Row> measure(Consumer<String> progress) {
    require("--sizes", sizes.stream().allMatch(size -> size >= FEWEST && size <= MOST), FEWEST + " to " + MOST);
    require("--iterations", iterations >= 1 && iterations <= 1_000, "1 to 1000");
    require("--millis", millis >= 1 && millis <= 60_000, "1 to 60000");
    require("--forks", forks >= 0 && forks <= 100, "0 to 100");
    HandlespaceRuns runs =
        new HandlespaceRuns(new RunSettings(sizes, iterations, Duration.ofMillis(millis), forks), progress);
    List<Rate> rates = sets ? runs.sets() : runs.operations(List.of(Operation.values()));
    return rates.stream().map(BenchHandlespace::row).toList();
  }

  private static Row row(Rate rate) {
    Row row =
        Row.of(rate.what() + ", " + rate.policy() + ", " + rate.elements())
            .with("perSecond", rate.perSecond())
            .with("error", rate.error())
            .with("perElement", rate.perElement());
    return rate.reference() == 0 ? row : row.with("toReference", rate.ratio());
  }
}
