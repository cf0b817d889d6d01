package io.rns.loadtest.drill;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.rns.client.operator.SignedCalls;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.history.DrillEvent.Lag;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/** What an operator asks the servers of a group. Safe for use by many threads. */
final class GroupOperator implements AutoCloseable {
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final Duration LOOK = Duration.ofSeconds(1);
  private static final Duration ACT = Duration.ofSeconds(90);

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(LOOK).build();
  private final SignedCalls calls;

  /** What a server reports of itself. */
  record Status(JsonNode json) {
    String name() {
      return json.path("name").asText();
    }

    int epoch() {
      return json.path("epoch").asInt();
    }

    boolean isPrimary() {
      return hasRole("primary");
    }

    boolean isReplica() {
      return hasRole("replica");
    }

    boolean isOutside() {
      return hasRole("outside");
    }

    private boolean hasRole(String role) {
      return json.path("role").asText().equalsIgnoreCase(role);
    }

    Lag lag() {
      JsonNode lag = json.path("lag");
      return new Lag(lag.path("p50Millis").asDouble(), lag.path("p99Millis").asDouble());
    }
  }

  GroupOperator(String secret) {
    // On one machine there is one clock.
    this.calls = new SignedCalls(http, secret, InstantSource.system(), line -> {});
  }

  /** Empty if the server does not answer at once. */
  Optional<Status> status(URI server) throws InterruptedException {
    try {
      SignedCalls.Answer answer = calls.ask("GET", server, "/group/member", LOOK);
      return answer.status() == 200 ? Optional.of(new Status(MAPPER.readTree(answer.body()))) : Optional.empty();
    } catch (IOException | RnsException e) {
      return Optional.empty();
    }
  }

  boolean isPrimary(URI server) throws InterruptedException {
    return status(server).filter(Status::isPrimary).isPresent();
  }

  /** Makes the most advanced server the primary, by any server; returns the answer in words. */
  String failover(URI server) throws InterruptedException {
    return newPrimary(act(server, "/group/failover?to=best"));
  }

  /** Makes a server the primary as planned; returns the answer in words. */
  String switchover(URI target) throws InterruptedException {
    return newPrimary(act(target, "/group/switchover"));
  }

  private static String newPrimary(JsonNode answer) {
    return "primary " + answer.path("primary").asText() + " from " + answer.path("position").asText() + ", outage "
        + answer.path("outageMillis").asText() + " ms by its own account";
  }

  /** Rebuilds the copy of a server. */
  void join(URI server) throws InterruptedException {
    JsonNode unused = act(server, "/group/join");
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

  /** Breaks off all requests. */
  @Override
  public void close() {
    http.shutdownNow();
  }
}
