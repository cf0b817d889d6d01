package io.rns.loadtest.drill;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.rns.client.operator.SignedCalls;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/** What an operator asks the servers of a group. Safe for use by many threads. */
final class GroupCalls implements AutoCloseable {
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final Duration LOOK = Duration.ofSeconds(1);
  private static final Duration ACT = Duration.ofSeconds(90);

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(LOOK).build();
  private final SignedCalls calls;

  GroupCalls(String secret) {
    // On one machine there is one clock.
    this.calls = new SignedCalls(http, secret, InstantSource.system(), line -> {});
  }

  /** What a server says of itself; empty if it does not answer at once. */
  Optional<View> look(URI server) throws InterruptedException {
    try {
      SignedCalls.Answer answer = calls.ask("GET", server, "/group/member", LOOK);
      return answer.status() == 200 ? Optional.of(View.of(MAPPER.readTree(answer.body()))) : Optional.empty();
    } catch (IOException | RnsException e) {
      return Optional.empty();
    }
  }

  /** Makes the most advanced server the primary, which any server can see to. */
  JsonNode failover(URI server, boolean force) throws InterruptedException {
    return act(server, "/group/failover?to=best" + (force ? "&force=true" : ""));
  }

  /** Makes a server the primary as planned. */
  JsonNode switchover(URI target) throws InterruptedException {
    return act(target, "/group/switchover");
  }

  /** Has a server make its copy anew. */
  JsonNode join(URI server) throws InterruptedException {
    return act(server, "/group/join");
  }

  private JsonNode act(URI server, String what) throws InterruptedException {
    try {
      SignedCalls.Answer answer = calls.ask("POST", server, what, ACT);
      if (answer.status() != 200) {
        throw new RnsException(RnsError.UNAVAILABLE, server + what + ": HTTP " + answer.status() + " " + answer.body());
      }
      return MAPPER.readTree(answer.body());
    } catch (IOException e) {
      throw new RnsException(RnsError.UNAVAILABLE, server + what + ": " + e, e);
    }
  }

  /** Breaks off what runs. */
  @Override
  public void close() {
    http.shutdownNow();
  }
}
