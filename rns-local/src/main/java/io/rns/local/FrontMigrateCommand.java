package io.rns.local;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ./rns front migrate}. */
@Command(name = "migrate", mixinStandardHelpOptions = true, description = {
    "Replace fronts by new processes that take over all their connections.",
    "With --to, move a front to another machine. Returns when complete."
})
final class FrontMigrateCommand implements Callable<Integer> {
  private static final Duration BOUND = Duration.ofMinutes(3);

  @Mixin private FrontCalls calls = new FrontCalls();

  @Parameters(paramLabel = "NAME", arity = "0..1", defaultValue = "", description = "The front (default: all, one after the other).") private String name =
      "";

  @Option(names = "--to", paramLabel = "HOST:PORT", description = "Move a front with --interface to the machine where another waits at this address, as its --await.") private String successor =
      "";

  @Option(names = "--admin", paramLabel = "FILE", description = "With --to: the --admin of the front.") private @Nullable Path admin;

  @Override
  public Integer call() {
    if (!successor.isEmpty() || admin != null) {
      return move();
    }
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

  private int move() {
    Path socket = admin;
    if (successor.isEmpty() || socket == null || !name.isEmpty()) {
      throw new IllegalArgumentException("--to and --admin need each other, and no NAME");
    }
    JsonNode result = FrontCalls.ask(socket, "migrate " + successor, BOUND);
    if (calls.isJson()) {
      FrontCalls.print(Map.of("fronts", List.of(result)));
    } else {
      System.out.println(
          "moved to " + successor + ", with " + result.get("connections").asText() + " connections, in "
              + result.get("millis").asText() + " ms");
    }
    return 0;
  }
}
