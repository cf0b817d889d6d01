package io.rns.cli;

import picocli.CommandLine.Command;

/** The commands of access rules. */
@Command(name = "acl", header = "Show and set access rules.", synopsisSubcommandLabel = "COMMAND", description = "The closest directory with rules at or above an entry decides alone.", commandListHeading = "%nCommands:%n", subcommands = {
    AclGetCommand.class, AclSetCommand.class,
    AclWhyCommand.class}, footerHeading = "%nExamples:%n", footer = {"  rns acl get /cms"})
final class AclCommands {}
