package io.rns.cli;

import picocli.CommandLine.Command;

/** The commands of tickets. */
@Command(name = "ticket", header = "Make, narrow, list and revoke tickets.", synopsisSubcommandLabel = "COMMAND", description = "A ticket is a bearer token (macaroon) that gives its holder a part of its maker's rights, for a time.", commandListHeading = "%nCommands:%n", subcommands = {
    TicketMakeCommand.class, TicketNarrowCommand.class, TicketLsCommand.class,
    TicketRevokeCommand.class}, footerHeading = "%nExamples:%n", footer = {
        "  rns ticket make --help"})
final class TicketCommands {}
