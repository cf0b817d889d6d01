package io.rns.local;

import picocli.CommandLine;

/** Runs a command; reports failures as one line on standard error and an exit code. */
final class CommandErrors {
  private CommandErrors() {}

  /** The exit code: 0 success, 1 failure, 2 invalid usage. */
  static int run(Object command, String... arguments) {
    return new CommandLine(command)
        .setExecutionExceptionHandler(CommandErrors::report)
        .execute(arguments);
  }

  private static int report(Exception failure, CommandLine command, CommandLine.ParseResult parsed) throws Exception {
    String name = command.getCommandName();
    if (failure instanceof LocalServiceException) {
      command.getErr().println(name + ": " + failure.getMessage());
      return CommandLine.ExitCode.SOFTWARE;
    }
    if (failure instanceof IllegalArgumentException) {
      command.getErr().println(name + ": " + failure.getMessage());
      return CommandLine.ExitCode.USAGE;
    }
    throw failure;
  }
}
