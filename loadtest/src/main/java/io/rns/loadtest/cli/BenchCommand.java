package io.rns.loadtest.cli;

import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.Command;

@Command(name = "rns bench", mixinStandardHelpOptions = true, sortOptions = false, description = {
    "Compare a service with others, groups with single servers, and ways to choose a server. Published figures: "
        + "docs/benchmarks.md."
}, footer = {"", "Exit codes: 0 done, 2 usage, 130 stopped by Ctrl-C."})
final class BenchCommand {
  private BenchCommand() {}

  static CommandLine commandLine(Path launcher) {
    return LoadtestProgram.commandLine(
        new BenchCommand(), new PoolBenches.Renewal(), new PoolBenches.Policies(), new PoolBenches.Failover(),
        new PoolBenches.Resolution(), new ServiceBenches.Peers(), new ServiceBenches.ScaleOut(launcher),
        new ServiceBenches.Sites(launcher), new ServiceBenches.Security(launcher));
  }
}
