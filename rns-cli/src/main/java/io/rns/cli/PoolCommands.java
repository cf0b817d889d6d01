package io.rns.cli;

import picocli.CommandLine.Command;

/** The commands of server pools. */
@Command(name = "pool", header = "Manage server pools: many servers under one name.", synopsisSubcommandLabel = "COMMAND", description = "An element registers for a limited time and renews; clients receive elements in the order of the pool's policy.", commandListHeading = "%nCommands:%n", subcommands = {
    PoolRegisterCommand.class, PoolResolveCommand.class, PoolLsCommand.class,
    PoolUnregisterCommand.class,
    PoolDiscoverCommand.class}, footerHeading = "%nExamples:%n", footer = {"  rns pool ls"})
final class PoolCommands {}
