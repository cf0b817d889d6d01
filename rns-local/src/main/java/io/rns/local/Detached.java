package io.rns.local;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Starts {@code up} as a background process and shows its output until it is ready. */
final class Detached {
  /** Longer than all timeouts within, whose messages are more specific. */
  private static final Duration READY_BOUND = Duration.ofMinutes(15);

  private Detached() {}

  /**
   * Returns when the service is ready.
   *
   * @throws LocalServiceException if it ended instead, or another service uses the data directory
   */
  static RunState start(DataDirectory data, List<String> arguments, PrintStream progress) {
    // A second process would overwrite the log of the first.
    Supervisor.requireNoneOn(data);
    List<String> command =
        new ArrayList<>(
            List.of(
                LocalEnvironment.java(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx128m",
                "-cp",
                LocalEnvironment.classPath(),
                Up.class.getName()));
    command.addAll(arguments);
    ChildProcess supervisor =
        ChildProcess.startSession(
            new ChildProcess.Plan(
                "the service", command, Up.class.getName(), Map.of(), data.root(), data.supervisorLog()));
    Echo echo = new Echo(supervisor.log(), progress);
    try {
      supervisor.await("it was ready", echo::showsReady, READY_BOUND, () -> "");
    } catch (LocalServiceException e) {
      if (supervisor.isAlive()) {
        throw e;
      }
      echo.showsReady();
      throw new LocalServiceException("the service could not be started; see " + data.supervisorLog(), e);
    }
    return RunState.read(data.runFile())
        .orElseThrow(() -> new LocalServiceException("the service was stopped as soon as it was ready"));
  }

  /** Repeats the lines of a log as they appear. */
  private static final class Echo {
    private final LogFile log;
    private final PrintStream out;
    private int shown;

    Echo(LogFile log, PrintStream out) {
      this.log = log;
      this.out = out;
    }

    boolean showsReady() {
      List<String> lines = log.lines();
      lines.subList(Math.min(shown, lines.size()), lines.size()).forEach(out::println);
      shown = lines.size();
      return lines.stream().anyMatch(line -> line.startsWith(Up.READY));
    }
  }
}
