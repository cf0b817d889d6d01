package io.rns.local;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ./rns front ls}. */
@Command(name = "ls", mixinStandardHelpOptions = true, description = "List the fronts: name, address, process id, and what they have done since they started.")
final class FrontLsCommand implements Callable<Integer> {
  private static final Duration BOUND = Duration.ofSeconds(10);
  private static final List<String> SHOWN =
      List.of("connections", "requests", "cached", "direct", "repeated", "refused");

  @Mixin private FrontCalls calls = new FrontCalls();

  @Override
  public Integer call() {
    List<JsonNode> fronts = new ArrayList<>();
    if (!calls.fronts().isEmpty()) {
      calls.ask("ls", BOUND).path("fronts").forEach(fronts::add);
    }
    if (calls.isJson()) {
      FrontCalls.print(Map.of("fronts", fronts));
    } else {
      fronts.forEach(front -> System.out.println(line(front)));
    }
    return 0;
  }

  private static String line(JsonNode front) {
    String counters =
        front.has("requests")
            ? SHOWN.stream().map(name -> name + " " + front.path(name).asLong()).collect(Collectors.joining(", "))
            : "does not answer";
    return front.path("name").asText() + "  " + front.path("url").asText() + "  pid " + front.path("pid").asLong()
        + "  " + counters;
  }
}
