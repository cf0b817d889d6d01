package io.rns.loadtest.cli;

import io.rns.loadtest.link.Delay;
import io.rns.loadtest.link.Link;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

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
final class LinkCommand extends LoadtestCommand {
  private static final int LARGEST_PORT = 65_535;

  @Option(names = "--delay", paramLabel = "MS", defaultValue = "0", description = "Delay in milliseconds, in each direction (default: ${DEFAULT-VALUE}).") private double delay;

  @Option(names = "--jitter", paramLabel = "MS", defaultValue = "0", description = "Maximum additional random milliseconds; order is kept (default: ${DEFAULT-VALUE}).") private double jitter;

  @Parameters(paramLabel = "PORT=TARGET", arity = "1..*", description = "Port to listen on, and target port.") private Map<Integer, Integer> lines;

  LinkCommand() {
    super(0);
  }

  @Override
  int run() {
    Delay each = delay();
    lines.forEach(LinkCommand::checkPorts);
    List<Link> links = new ArrayList<>();
    try {
      for (Map.Entry<Integer, Integer> line : lines.entrySet()) {
        links.add(Link.open(line.getKey(), line.getValue(), each));
        print("127.0.0.1:" + line.getKey() + " forwards to 127.0.0.1:" + line.getValue());
      }
      new CountDownLatch(1).await();
      return 0;
    } catch (IOException e) {
      progress("rns link: " + e.getMessage());
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
      throw new InvalidOptionException(e.getMessage());
    }
  }

  private static void checkPorts(int port, int target) {
    for (int each : new int[]{port, target}) {
      reject(each < 1 || each > LARGEST_PORT, "a port is from 1 to " + LARGEST_PORT + "; it was " + each);
    }
  }
}
