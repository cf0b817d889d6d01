package io.rns.loadtest.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.rns.loadtest.launcher.Launcher;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Arrays;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Runs a command of the load test: {@code ./rns load}, {@code ./rns bench}, and so on. */
public final class LoadtestProgram {
  private LoadtestProgram() {}

  public static void main(String[] arguments) {
    String name = arguments[0];
    CommandLine command = commandLine(name, Launcher.own());
    if (name.equals("trace")) {
      // Names are UTF-8 in every locale.
      command.setOut(new PrintWriter(System.out, false, UTF_8));
    }
    System.exit(command.execute(Arrays.copyOfRange(arguments, 1, arguments.length)));
  }

  private static CommandLine commandLine(String name, Path launcher) {
    return switch (name) {
      case "load" -> commandLine(new LoadCommand());
      case "trace" -> commandLine(new TraceCommand());
      case "link" -> commandLine(new LinkCommand());
      case "drill" -> commandLine(new DrillCommand(launcher));
      case "drill-moves" -> commandLine(new MoveDrillCommand(launcher));
      case "sim" -> commandLine(new SimCommand());
      case "figures" -> commandLine(new FiguresCommand(launcher));
      case "bench" -> bench(launcher);
      default -> throw new IllegalArgumentException("no command '" + name + "'");
    };
  }

  @Command(name = "rns bench", mixinStandardHelpOptions = true, sortOptions = false, description = {
      "Compare a service with others, groups with single servers, and ways to choose a server. Published figures: "
          + "docs/benchmarks.md."
  }, footer = {"", "Exit codes: 0 done, 2 usage, 130 stopped by Ctrl-C."})
  private static final class BenchCommand {}

  static CommandLine bench(Path launcher) {
    return commandLine(
        new BenchCommand(), new PoolBenches.Renewal(), new PoolBenches.Policies(), new PoolBenches.Failover(),
        new PoolBenches.Resolution(), new ServiceBenches.Peers(), new ServiceBenches.Writes(launcher),
        new ServiceBenches.ScaleOut(launcher), new ServiceBenches.Partitions(launcher),
        new ServiceBenches.Skew(launcher),
        new ServiceBenches.Fronts(launcher),
        new ServiceBenches.Sites(launcher), new ServiceBenches.Security(launcher));
  }

  static CommandLine commandLine(Object command, Object... subcommands) {
    CommandLine line = new CommandLine(command);
    Arrays.stream(subcommands).forEach(line::addSubcommand);
    return line.registerConverter(ClientCounts.class, ClientCounts::parse)
        .setExecutionExceptionHandler(new ErrorReporter())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpWidth(100);
  }
}
