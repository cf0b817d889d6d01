package io.rns.loadtest.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The commands of this module; the launcher {@code ./rns} passes its arguments on. */
@Command(
    name = "rns",
    description = "Commands that put a running service under load.",
    subcommands = LoadCommand.class)
public final class LoadtestCommand {
  private LoadtestCommand() {}

  /** Runs a command and exits with its code. */
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  static CommandLine commandLine() {
    return new CommandLine(new LoadtestCommand())
        .setExecutionExceptionHandler(new ErrorReporter())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpWidth(100);
  }
}
