package io.rns.local;

import picocli.CommandLine.Command;

/** {@code ./rns front}: commands about the fronts of a local service. */
@Command(name = "rns front", mixinStandardHelpOptions = true, synopsisSubcommandLabel = "COMMAND", description = {
    "Manage the connection servers that './rns up --fronts' started."
}, subcommands = {FrontLsCommand.class, FrontMigrateCommand.class, FrontDrainCommand.class}, footer = {"",
    "Exit codes: 0 done, 1 failed, 2 invalid usage."})
public final class FrontCommand {
  /**
   * Runs the command.
   *
   * @param arguments of the command line, without {@code front}
   */
  public static void main(String[] arguments) {
    System.exit(CommandErrors.run(new FrontCommand(), arguments));
  }
}
