package io.rns.local;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code ./rns front migrate}. */
@Command(name = "migrate", mixinStandardHelpOptions = true, description = {
    "Replace fronts by new processes that take over all their connections.",
    "Returns when complete. Clients notice nothing."
})
final class FrontMigrateCommand implements Callable<Integer> {
  private static final Duration BOUND = Duration.ofMinutes(3);

  @Mixin private FrontCalls calls = new FrontCalls();

  @Parameters(paramLabel = "NAME", arity = "0..1", defaultValue = "", description = "The front (default: all, one after the other).") private String name =
      "";

  @Override
  public Integer call() {
    List<JsonNode> moved = new ArrayList<>();
    for (RunState.Front front : calls.named(name)) {
      JsonNode result = calls.ask("migrate " + front.name(), BOUND);
      moved.add(result);
      if (!calls.isJson()) {
        System.out.println(
            front.name() + " is now process " + result.get("pid").asText() + ", with "
                + result.get("connections").asText() + " connections");
      }
    }
    if (calls.isJson()) {
      FrontCalls.print(Map.of("fronts", moved));
    }
    return 0;
  }
}
