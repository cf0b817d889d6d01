package io.rns.loadtest.cli;

import io.rns.loadtest.drill.MoveDrill;
import io.rns.loadtest.drill.MoveDrillReport;
import io.rns.loadtest.history.Violation;
import java.nio.file.Path;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "rns drill moves", mixinStandardHelpOptions = true, sortOptions = false, description = {
    "Kill servers and databases while content moves between two new groups, and verify that nothing is lost.",
    "Starts two groups on this machine. Each round moves a directory with its entries to the other group under writes, kills (-9) the "
        + "source's or the target's server or database at a random moment, then completes or undoes the move, and compares all entries at "
        + "both servers with what clients know.",
    "The groups use free ports and are removed at the end, even after Ctrl-C; their logs are kept if the drill fails."
}, footer = {
    "",
    "Exit codes: 0 nothing was lost, 1 something was, or the drill is incomplete; 2 usage.",
    "",
    "Examples:",
    "  ./rns drill moves",
    "  ./rns drill moves --rounds 20 --seed 7",
    "  ./rns drill moves --seed 7 --first 13 --rounds 1"
})
final class MoveDrillCommand extends LoadtestCommand {
  private static final int CLEANING_SECONDS = 200;

  @Option(names = "--rounds", paramLabel = "N", defaultValue = "5", description = "Number of rounds (default: ${DEFAULT-VALUE}).") private int rounds;

  @Option(names = "--first", paramLabel = "N", defaultValue = "1", description = "Number of the first round, to continue an interrupted drill (default: ${DEFAULT-VALUE}).") private int first;

  @Option(names = "--seed", paramLabel = "N", defaultValue = "1", description = "Decides, with a round's number, what is killed when, and what follows (default: ${DEFAULT-VALUE}).") private long seed;

  @Option(names = "--entries", paramLabel = "N", defaultValue = "2000", description = "Number of entries that move, besides those of the writers (default: ${DEFAULT-VALUE}).") private int entries;

  @Option(names = "--json", description = "Print one JSON document; progress goes to standard error.") private boolean json;

  private final Path launcher;

  MoveDrillCommand(Path launcher) {
    super(CLEANING_SECONDS);
    this.launcher = launcher;
  }

  /** What it prints as JSON. */
  private record MoveDrillJson(
      boolean passed, int rounds, long seed, Map<String, Long> outcomes, Map<String, Long> checked,
      List<String> violations, List<String> incomplete, @Nullable String logs) {}

  @Override
  int run() throws InterruptedException {
    require("--rounds", rounds >= 1 && rounds <= 10_000, "1 to 10000");
    require("--first", first >= 1 && first <= 1_000_000, "1 to 1000000");
    require("--entries", entries >= 0 && entries <= 1_000_000, "0 to 1000000");
    MoveDrillReport report =
        new MoveDrill(new MoveDrill.Settings(launcher, rounds, first, seed, entries), this::progress).run();
    print(json ? Json.pretty(json(report)) : text(report));
    return report.isPassed() ? 0 : ErrorReporter.REFUSED;
  }

  private MoveDrillJson json(MoveDrillReport report) {
    return new MoveDrillJson(
        report.isPassed(), report.rounds(), seed, report.outcomes(), report.checked(),
        report.violations().stream().map(Violation::toString).toList(), report.incomplete(),
        report.logs().map(Path::toString).orElse(null));
  }

  /** What it prints for people. */
  static String text(MoveDrillReport report) {
    Formatter out = new Formatter(Locale.ROOT);
    TextTable table = new TextTable().row("rounds", String.valueOf(report.rounds()));
    report.outcomes().forEach((what, count) -> table.row(what, String.valueOf(count)));
    report.checked().forEach((what, count) -> table.row(what, String.valueOf(count)));
    out.format("%s", table);
    report.violations().forEach(violation -> out.format("%n%s%n", violation));
    report.incomplete().forEach(why -> out.format("%nincomplete: %s%n", why));
    report.logs().ifPresent(directory -> out.format("%nlogs: %s%n", directory));
    String verdict =
        report.isPassed() ? "PASSED" : report.violations().isEmpty() ? "INCOMPLETE" : "FAILED: a promise was broken";
    return out.format("%n%s%n", verdict).toString();
  }
}
