package io.rns.loadtest.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code ./rns bench}: measures server pools, and a service against others. */
@Command(name = "rns bench", mixinStandardHelpOptions = true, sortOptions = false, description = {
    "Measures server pools with the code of production, the service against others, and groups of servers. What the figures were, and what was wanted: docs/benchmarks.md."
}, footer = {"", "Exit codes: 0 done, 2 usage, 130 stopped by Ctrl-C."}, subcommands = {
    BenchHandlespace.class,
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
    return new CommandLine(new BenchCommand())
        .setExecutionExceptionHandler(new ErrorReporter())
        .setCaseInsensitiveEnumValuesAllowed(true).setUsageHelpWidth(100);
  }
}
