package io.rns.local;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that commands about fronts share, and the way to the service. */
final class FrontCalls {
  private static final ObjectMapper JSON = new ObjectMapper();

  @Option(names = "--data", paramLabel = "DIR", description = "Data directory of the service (default: RNS_DATA, or ~/.rns).") private @Nullable Path data;

  @Option(names = "--json", description = "Print one JSON document.") private boolean json;

  boolean isJson() {
    return json;
  }

  private Optional<DataDirectory> directory() {
    Path path = data == null ? DataDirectory.usual(LocalEnvironment.variables()) : data;
    return Files.isDirectory(path) ? Optional.of(DataDirectory.create(path)) : Optional.empty();
  }

  /** The fronts that run. */
  List<RunState.Front> fronts() {
    return directory()
        .flatMap(directory -> RunState.read(directory.runFile()))
        .flatMap(run -> Optional.ofNullable(run.fronts()))
        .orElse(List.of());
  }

  /**
   * The fronts that a command is about.
   *
   * @param name of one; empty for all
   * @throws LocalServiceException if there is none
   */
  List<RunState.Front> named(String name) {
    List<RunState.Front> all = fronts();
    List<RunState.Front> some = all.stream().filter(front -> name.isEmpty() || front.name().equals(name)).toList();
    if (some.isEmpty()) {
      throw new LocalServiceException(
          all.isEmpty() ? "no front is running; start some with: ./rns up --fronts 1"
              : "no front has the name '" + name + "'; there is "
                  + String.join(", ", all.stream().map(RunState.Front::name).toList()));
    }
    return some;
  }

  /**
   * Sends a command to the service.
   *
   * @throws LocalServiceException if it fails
   */
  JsonNode ask(String line, Duration bound) {
    DataDirectory directory =
        directory().orElseThrow(() -> new LocalServiceException("no service is running"));
    return ask(LocalFronts.control(directory), line, bound);
  }

  /**
   * Sends a command to a service, or a front.
   *
   * @throws LocalServiceException if it fails
   */
  static JsonNode ask(Path socket, String line, Duration bound) {
    try {
      JsonNode answer = JSON.readTree(UnixCalls.ask(socket, line, bound));
      if (answer.has("error")) {
        throw new LocalServiceException(answer.get("error").asText());
      }
      return answer;
    } catch (IOException e) {
      throw new LocalServiceException(socket + " does not answer: " + e.getMessage(), e);
    }
  }

  /** Prints a document. */
  static void print(Object document) {
    try {
      System.out.println(JSON.writeValueAsString(document));
    } catch (IOException e) {
      throw new IllegalStateException("a result is always JSON", e);
    }
  }
}
