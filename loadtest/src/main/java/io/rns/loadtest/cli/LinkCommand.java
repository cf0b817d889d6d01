package io.rns.loadtest.cli;

import io.rns.loadtest.link.Delay;
import io.rns.loadtest.link.Link;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code ./rns link}: forwards connections with a delay, as between distant sites.
 */
@Command(name = "rns link", mixinStandardHelpOptions = true, sortOptions = false, description = {
    "Forward connections with a delay, as between distant sites, until Ctrl-C.",
    "Listens on 127.0.0.1 and forwards to 127.0.0.1. Connections are accepted at once; only bytes are delayed."
}, footer = {
    "",
    "Exit codes: 1 cannot listen on a port, 2 usage, 130 stopped by Ctrl-C.",
    "",
    "Example: a service 75 ms away in each direction",
    "  ./rns link --delay 75 9100=8080 &",
    "  ./rns ls / --server http://127.0.0.1:9100/rns"
})
public final class LinkCommand implements Callable<Integer> {
  private static final int LARGEST_PORT = 65_535;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--delay", paramLabel = "MS", defaultValue = "0", description = "Delay in milliseconds, in each direction (default: ${DEFAULT-VALUE}).") private double delay;

  @Option(names = "--jitter", paramLabel = "MS", defaultValue = "0", description = "Maximum additional random milliseconds; order is kept (default: ${DEFAULT-VALUE}).") private double jitter;

  @Parameters(paramLabel = "PORT=TARGET", arity = "1..*", description = "Port to listen on, and target port.") private Map<Integer, Integer> lines =
      new LinkedHashMap<>();

  private LinkCommand() {}

  /**
   * Runs the command and exits with its code.
   *
   * @param arguments of the command line, without {@code link}
   */
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  static CommandLine commandLine() {
    return new CommandLine(new LinkCommand()).setExecutionExceptionHandler(new ErrorReporter()).setUsageHelpWidth(100);
  }

  @Override
  public Integer call() {
    Delay each = delay();
    lines.forEach(this::checkPorts);
    PrintWriter out = spec.commandLine().getOut();
    List<Link> links = new ArrayList<>();
    try {
      for (Map.Entry<Integer, Integer> line : lines.entrySet()) {
        links.add(Link.open(line.getKey(), line.getValue(), each));
        out.println("127.0.0.1:" + line.getKey() + " forwards to 127.0.0.1:" + line.getValue());
      }
      out.flush();
      new CountDownLatch(1).await();
      return 0;
    } catch (IOException e) {
      spec.commandLine().getErr().println("rns link: " + e.getMessage());
      return ErrorReporter.REFUSED;
    } catch (InterruptedException e) {
      return 0;
    } finally {
      links.forEach(Link::close);
    }
  }

  private Delay delay() {
    try {
      return new Delay(ofMillis(delay), ofMillis(jitter));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private void checkPorts(int port, int target) {
    for (int each : new int[]{port, target}) {
      if (each < 1 || each > LARGEST_PORT) {
        throw new ParameterException(spec.commandLine(), "a port is from 1 to " + LARGEST_PORT + "; it was " + each);
      }
    }
  }

  private static Duration ofMillis(double millis) {
    return Duration.ofNanos(Math.round(millis * 1e6));
  }
}
