package io.rns.cli;

import picocli.CommandLine.Command;

/** The commands of partitions. */
@Command(name = "partition", header = "Manage partitions: subtrees owned by server groups.", synopsisSubcommandLabel = "COMMAND", description = "Each group accepts the writes of its partitions. Clients use any server of any group.", commandListHeading = "%nCommands:%n", subcommands = {
    PartitionLsCommand.class, PartitionAssignCommand.class,
    PartitionPlanCommand.class, PartitionApplyCommand.class, PartitionUndoCommand.class,
    PartitionWhyCommand.class, PartitionReplayCommand.class}, footerHeading = "%nExamples:%n", footer = {
        "  rns partition ls"})
final class PartitionCommands {}
