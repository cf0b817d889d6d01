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

/** {@code ./rns down}: stops the service of a data directory, including processes left by an interrupted run. */
@Command(name = "rns down", mixinStandardHelpOptions = true, description = {
    "Stop the service that './rns up' started on a data directory. The data stays.",
    "No error if nothing runs."
}, footer = {"", "Exit codes: 0 nothing is running, 1 a process could not be stopped, 2 invalid usage."})
public final class Down implements Callable<Integer> {
  /** The supervisor allows 90 s for GlassFish and the database together. */
  private static final Duration SUPERVISOR_BOUND = Duration.ofMinutes(2);

  @Option(names = "--data", paramLabel = "DIR", description = "Data directory of the service (default: RNS_DATA, or ~/.rns).") private @Nullable Path data;

  @Option(names = "--json", description = "Print one JSON document: 'stopped', the names of the stopped processes.") private boolean json;

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
    Path path = data == null ? DataDirectory.usual(LocalEnvironment.variables()) : data;
    List<String> stopped = Files.isDirectory(path) ? stop(DataDirectory.create(path)) : List.of();
    if (json) {
      System.out.println(new ObjectMapper().writeValueAsString(Map.of("stopped", stopped)));
    } else {
      System.out.println(
          stopped.isEmpty() ? "nothing is running on " + path
              : "stopped " + String.join(", ", stopped) + " on " + path);
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
