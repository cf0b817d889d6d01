package io.rns.loadtest.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.OptionSpec;

/** {@code ./rns bench}: contests between services, servers, protocols and policies. */
@Command(name = "rns bench", mixinStandardHelpOptions = true, sortOptions = false, description = {
    "Compare a service with others, groups with single servers, and ways to choose a server. Published figures: "
        + "docs/benchmarks.md."
}, footer = {"", "Exit codes: 0 done, 2 usage, 130 stopped by Ctrl-C."}, subcommands = {
    BenchRenewal.class,
    BenchPolicies.class,
    BenchFailover.class,
    BenchResolution.class,
    BenchPeers.class,
    BenchScaleOut.class,
    BenchSites.class
})
public final class BenchCommand {
  private BenchCommand() {}

  /**
   * Runs the command and exits with its code.
   *
   * @param arguments of the command line, without {@code bench}
   */
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  static CommandLine commandLine() {
    CommandLine line = new CommandLine(new BenchCommand())
        .setExecutionExceptionHandler(new ErrorReporter())
        .setCaseInsensitiveEnumValuesAllowed(true).setUsageHelpWidth(100);
    line.getSubcommands().values().forEach(BenchCommand::withDefaults);
    return line;
  }

  /** Gives a command of {@code ./rns bench} its defaults. */
  static CommandLine withDefaults(CommandLine line) {
    Bench bench = line.getCommand();
    return line.setDefaultValueProvider(
        argument -> argument instanceof OptionSpec option ? bench.defaults().get(option.longestName()) : null);
  }
}
