package io.rns.cli;

import picocli.CommandLine.Command;

/** The commands of audit logs. */
@Command(name = "audit", header = "Verify and search audit logs, from their files.", synopsisSubcommandLabel = "COMMAND", description = "Servers with RNS_AUDIT write them. No running service is needed.", commandListHeading = "%nCommands:%n", subcommands = {
    AuditVerifyCommand.class, AuditGrepCommand.class}, footerHeading = "%nExamples:%n", footer = {
        "  rns audit verify --help"})
final class AuditCommands {}
