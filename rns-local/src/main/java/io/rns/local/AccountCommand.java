package io.rns.local;

import picocli.CommandLine.Command;

/** {@code ./rns account}: commands about local accounts. */
@Command(name = "rns account", mixinStandardHelpOptions = true, synopsisSubcommandLabel = "COMMAND", description = {
    "Add, list and remove local accounts, in the file that servers read (RNS_ACCOUNTS).",
    "Servers take a changed file within a second."
}, subcommands = {AccountAddCommand.class, AccountPasswdCommand.class, AccountLsCommand.class,
    AccountRmCommand.class}, footer = {"", "Exit codes: 0 done, 1 failed, 2 invalid usage."})
public final class AccountCommand {
  /**
   * Runs the command.
   *
   * @param arguments of the command line, without {@code account}
   */
  public static void main(String[] arguments) {
    System.exit(CommandErrors.run(new AccountCommand(), arguments));
  }
}
