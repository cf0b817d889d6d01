package io.rns.loadtest.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.rns.loadtest.launcher.Launcher;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Arrays;
import picocli.CommandLine;

/** Runs a command of the load test: {@code ./rns load}, {@code ./rns bench}, and so on. */
public final class LoadtestProgram {
  private LoadtestProgram() {}

  /**
   * Runs a command and exits with its code.
   *
   * @param arguments the name of the command, and its own arguments
   */
  public static void main(String[] arguments) {
    String name = arguments[0];
    CommandLine command = commandLine(command(name, Launcher.own()));
    if (name.equals("trace")) {
      // Names are UTF-8 in every locale.
      command.setOut(new PrintWriter(System.out, false, UTF_8));
    }
    System.exit(command.execute(Arrays.copyOfRange(arguments, 1, arguments.length)));
  }

  private static Object command(String name, Path launcher) {
    return switch (name) {
      case "load" -> new LoadCommand();
      case "trace" -> new TraceCommand();
      case "link" -> new LinkCommand();
      case "drill" -> new DrillCommand(launcher);
      case "sim" -> new SimCommand();
      case "figures" -> new FiguresCommand(launcher);
      case "bench" -> new BenchCommand();
      default -> throw new IllegalArgumentException("no command '" + name + "'");
    };
  }

  static CommandLine commandLine(Object command) {
    return new CommandLine(command)
        .setExecutionExceptionHandler(new ErrorReporter())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpWidth(100);
  }
}
