package io.rns.local;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ./rns front drain}. */
@Command(name = "drain", mixinStandardHelpOptions = true, description = {
    "Take a front out of service: it answers what is pending, and ends.",
    "The next './rns up' starts it again."
})
final class FrontDrainCommand implements Callable<Integer> {
  private static final int MOST_SECONDS = 3_600;
  private static final Duration MARGIN = Duration.ofSeconds(30);

  @Mixin private FrontCalls calls = new FrontCalls();

  @Parameters(paramLabel = "NAME", description = "The front, such as front-1.") private String name = "";

  @Option(names = "--seconds", paramLabel = "N", defaultValue = "30", description = "How long clients may take, later they are disconnected (default: ${DEFAULT-VALUE}).") private int seconds;

  @Override
  public Integer call() {
    if (seconds < 0 || seconds > MOST_SECONDS) {
      throw new IllegalArgumentException("--seconds must be from 0 to " + MOST_SECONDS + ", not " + seconds);
    }
    RunState.Front front = calls.named(name).getFirst();
    JsonNode result =
        calls.ask("drain " + front.name() + " " + seconds, Duration.ofSeconds(seconds).plus(MARGIN));
    if (calls.isJson()) {
      FrontCalls.print(Map.of("drained", result));
    } else {
      System.out.println(front.name() + " is drained");
    }
    return 0;
  }
}
