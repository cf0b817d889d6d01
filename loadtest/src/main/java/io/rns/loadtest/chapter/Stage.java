package io.rns.loadtest.chapter;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.launcher.Cleanup;
import io.rns.loadtest.launcher.Launcher;
import io.rns.loadtest.launcher.Scratch;
import io.rns.loadtest.launcher.ServerProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Where the commands of one chapter run: a directory of its own, the services started in it, and the variables for
 * both. Commands use the service without {@code --data}. One with {@code --data $GROUP} is a group; {@code $PRIMARY}
 * and {@code $REPLICA} are its first two servers. {@code $DNS} is a free port, {@code $ASAP} the ASAP port of the first
 * service.
 */
final class Stage implements AutoCloseable {
  private static final Duration MOST = Duration.ofHours(1);
  private static final int REFUSED = 1;
  private static final String DATA = "RNS_DATA";
  private static final String SERVER = "RNS_SERVER";

  private final Launcher launcher;
  private final Scratch scratch;
  private final Map<String, String> environment = new TreeMap<>();
  private final Map<String, String> variables = new TreeMap<>();
  private final List<String> running = new ArrayList<>();

  private Stage(Launcher launcher, Scratch scratch) {
    this.launcher = launcher;
    this.scratch = scratch;
    environment.put(DATA, scratch.path().resolve("one").toString());
    variables.put("$GROUP", scratch.path().resolve("group").toString());
  }

  static Stage open(Launcher launcher) {
    return new Stage(launcher, Scratch.of("rns-figures"));
  }

  /** Runs a command and returns the document that it printed. */
  JsonNode run(Step step) throws InterruptedException {
    if (step.startsService()) {
      running.add(step.valueOf("--data").map(this::filled).orElse(environment.getOrDefault(DATA, "")));
    }
    Map<String, String> set = new TreeMap<>(environment);
    step.environment().forEach((name, value) -> set.put(name, filled(value)));
    Launcher.Ended ended = launcher.run(step.arguments().stream().map(this::filled).toList(), set, MOST);
    JsonNode printed = document(ended.out());
    if (printed.isMissingNode() || ended.code() > REFUSED) {
      throw new RnsException(RnsError.UNAVAILABLE, step.line() + ": " + ended.lastWords());
    }
    if (step.startsService()) {
      remember(printed, step.valueOf("--data").isEmpty());
    }
    return printed;
  }

  private void remember(JsonNode state, boolean usual) {
    if (usual) {
      environment.put(SERVER, state.path("url").asText());
    } else {
      variables.put("$PRIMARY", state.at("/members/0/url").asText());
      variables.put("$REPLICA", state.at("/members/1/url").asText());
    }
  }

  private static JsonNode document(String text) {
    try {
      return Results.MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      return Results.MAPPER.missingNode();
    }
  }

  private String filled(String word) {
    if (!word.startsWith("$")) {
      return word;
    }
    return variables.computeIfAbsent(
        word,
        name -> switch (name) {
          case "$DNS" -> String.valueOf(ServerProcess.freePort());
          case "$ASAP" -> asapPort();
          default -> throw new IllegalArgumentException("nothing stands for " + name);
        });
  }

  private String asapPort() {
    try {
      JsonNode place = document(launcher.run(List.of("status", "--json"), environment, MOST).out()).findPath("asap");
      return place.asText().substring(place.asText().lastIndexOf(':') + 1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RnsException(RnsError.UNAVAILABLE, "stopped while asking for the port of ASAP", e);
    }
  }

  /**
   * Stops what runs and removes the directory, which is left if something cannot be stopped; also for an interrupted
   * thread.
   */
  @Override
  public void close() {
    Cleanup.run(() -> {
      for (String data : running.reversed()) {
        Launcher.Ended ended = launcher.run(List.of("down", "--data", data), environment, MOST);
        if (ended.code() != 0) {
          throw new RnsException(RnsError.UNAVAILABLE,
              "what runs on " + data + " cannot be stopped: " + ended.lastWords());
        }
      }
      scratch.close();
    });
  }
}
