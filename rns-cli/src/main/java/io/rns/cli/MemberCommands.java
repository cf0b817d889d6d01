package io.rns.cli;

import picocli.CommandLine.Command;

/** The commands of the members of a group. */
@Command(name = "member", header = "Manage the members of a server group.", synopsisSubcommandLabel = "COMMAND", description = "The list of members decides whose acknowledgements and answers count. The primary adds servers with empty databases"
    + " automatically.", commandListHeading = "%nCommands:%n", subcommands = {
        MemberLsCommand.class, MemberAddCommand.class,
        MemberForgetCommand.class}, footerHeading = "%nExamples:%n", footer = {"  rns member ls"})
final class MemberCommands {}
