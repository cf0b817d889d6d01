package io.rns.loadtest.cli;

import picocli.CommandLine.Command;

/** {@code ./rns bench}: contests between services, servers, protocols and policies. */
@Command(name = "rns bench", mixinStandardHelpOptions = true, sortOptions = false, description = {
    "Compare a service with others, groups with single servers, and ways to choose a server. Published figures: "
        + "docs/benchmarks.md."
}, footer = {"", "Exit codes: 0 done, 2 usage, 130 stopped by Ctrl-C."}, subcommands = {
    PoolBenches.Renewal.class,
    PoolBenches.Policies.class,
    PoolBenches.Failover.class,
    PoolBenches.Resolution.class,
    ServiceBenches.Peers.class,
    ServiceBenches.ScaleOut.class,
    ServiceBenches.Sites.class
})
final class BenchCommand {}
