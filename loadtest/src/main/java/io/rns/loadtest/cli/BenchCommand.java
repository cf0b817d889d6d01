package io.rns.loadtest.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code ./rns bench}: benchmarks server pools, groups and other services. */
@Command(name = "rns bench", mixinStandardHelpOptions = true, sortOptions = false, description = {
    "Benchmark server pools with production code, the service against others, and groups of servers. Results and goals: docs/benchmarks.md."
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
