package io.rns.local;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./rns down}: stops the service of a data directory, also what a run that was cut off has left. */
@Command(name = "rns down", mixinStandardHelpOptions = true, description = {
    "Stops what './rns up' has started on a data directory, and only that. The data stays.",
    "Nothing to stop is no error."
}, footer = {"", "Exit codes: 0 nothing runs any more, 1 something could not be stopped, 2 usage."})
public final class Down implements Callable<Integer> {
  /** A supervisor gives GlassFish and the database 90 s together. */
  private static final Duration SUPERVISOR_BOUND = Duration.ofMinutes(2);

  @Option(names = "--data", paramLabel = "DIR", description = "Directory of the service (default: RNS_DATA, or ~/.rns).") private @Nullable Path data;

  @Option(names = "--json", description = "Print one JSON document: stopped, the names of the processes.") private boolean json;

  /**
   * Runs the command.
   *
   * @param arguments of the command line, without {@code down}
   */
  public static void main(String[] arguments) {
    System.exit(CommandErrors.run(new Down(), arguments));
  }

  @Override
  public Integer call() throws JsonProcessingException {
    Path path = data == null ? DataDirectory.usual(System.getenv()) : data;
    List<String> stopped = Files.isDirectory(path) ? stop(DataDirectory.create(path)) : List.of();
    if (json) {
      System.out.println(new ObjectMapper().writeValueAsString(Map.of("stopped", stopped)));
    } else {
      System.out.println(
          stopped.isEmpty() ? "nothing runs on " + path : "stopped " + String.join(", ", stopped) + " on " + path);
    }
    return 0;
  }

  private static List<String> stop(DataDirectory data) {
    List<ProcessIdentity> running = Leftovers.on(data);
    List<ProcessIdentity> supervisors =
        RunState.read(data.runFile()).map(RunState::processes).orElse(List.of()).stream()
            .filter(process -> process.name().equals(Supervisor.NAME))
            .toList();
    List<String> stopped = new ArrayList<>(Leftovers.stop(supervisors, SUPERVISOR_BOUND));
    // The supervisor has stopped them, unless it was killed.
    List<String> left = Leftovers.stop(Leftovers.on(data), Supervisor.LEFTOVER_BOUND);
    if (stopped.isEmpty()) {
      stopped.addAll(left);
    } else {
      running.reversed().forEach(process -> stopped.add(process.name()));
    }
    RunState.delete(data.runFile());
    return stopped;
  }
}
