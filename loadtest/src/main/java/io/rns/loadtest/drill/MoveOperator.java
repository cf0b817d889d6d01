package io.rns.loadtest.drill;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.rns.client.http.TlsTrust;
import io.rns.client.operator.SignedCalls;
import io.rns.error.RnsException;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** What an operator asks servers about partitions. Safe for use by many threads. */
final class MoveOperator implements AutoCloseable {
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final Duration LOOK = Duration.ofSeconds(2);
  private static final Duration ASSIGN = Duration.ofSeconds(40);
  private static final int OK = 200;

  private final SignedCalls calls;

  MoveOperator(String secret) {
    this.calls = new SignedCalls(LOOK, TlsTrust.SYSTEM, secret, InstantSource.system(), line -> {});
  }

  /** What has come of an assignment. */
  sealed interface Assigned {
    /** The group serves the directory. */
    record Served(String directory) implements Assigned {}

    /** Its content is moving. */
    record Moving(String phase) implements Assigned {}

    /** It was refused, or failed. */
    record Failed(String why) implements Assigned {}

    /** The server did not answer. */
    record NoAnswer(String why) implements Assigned {}
  }

  /** Assigns a directory to a group, or asks how far that is. */
  Assigned assign(URI server, String path, int group) throws InterruptedException {
    String what =
        "/partitions/assign?path=" + URLEncoder.encode(path, StandardCharsets.UTF_8) + "&group=" + group;
    try {
      SignedCalls.Answer answer = calls.ask("POST", server, what, ASSIGN);
      JsonNode json = MAPPER.readTree(answer.body());
      if (answer.status() != OK) {
        return new Assigned.Failed(json.path("detail").asText(answer.body()));
      }
      return json.path("epoch").asLong() > 0
          ? new Assigned.Served(json.path("directory").asText())
          : new Assigned.Moving(json.path("move").path("phase").asText());
    } catch (IOException | RnsException e) {
      return new Assigned.NoAnswer(e.toString());
    }
  }

  /** The group that a server takes for the owner of a directory's content; empty if it does not answer. */
  OptionalInt owner(URI server, String path) throws InterruptedException {
    Optional<JsonNode> map = ask("GET", server, "/partitions");
    if (map.isEmpty()) {
      return OptionalInt.empty();
    }
    int owner = 0;
    for (JsonNode partition : map.get().path("partitions")) {
      if (partition.path("path").asText().equals(path)) {
        owner = partition.path("group").asInt();
      }
    }
    return OptionalInt.of(owner);
  }

  /** How many entries the database of a server's group has of a directory's content; empty if it does not answer. */
  OptionalLong entries(URI server, String directory) throws InterruptedException {
    return ask("POST", server, "/partitions/content?step=sum&directory=" + directory)
        .map(sum -> OptionalLong.of(sum.path("sum").path("entries").asLong())).orElse(OptionalLong.empty());
  }

  private Optional<JsonNode> ask(String method, URI server, String what) throws InterruptedException {
    try {
      SignedCalls.Answer answer = calls.ask(method, server, what, ASSIGN);
      return answer.status() == OK ? Optional.of(MAPPER.readTree(answer.body())) : Optional.empty();
    } catch (IOException | RnsException e) {
      return Optional.empty();
    }
  }

  @Override
  public void close() {
    calls.close();
  }
}
