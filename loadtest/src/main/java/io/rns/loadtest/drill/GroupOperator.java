package io.rns.loadtest.drill;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.rns.client.http.TlsTrust;
import io.rns.client.operator.SignedCalls;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.history.DrillEvent.Lag;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/** What an operator asks the servers of a group. Safe for use by many threads. */
final class GroupOperator implements AutoCloseable {
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final Duration LOOK = Duration.ofSeconds(1);
  private static final Duration ACT = Duration.ofSeconds(90);

  private final SignedCalls calls;

  /**
   * What a server reports of itself.
   *
   * @param vouches whether a failover may rely on its database
   */
  record Status(String role, int epoch, Lag lag, boolean writable, boolean vouches, String text) {
    static Status of(JsonNode json) {
      JsonNode lag = json.path("lag");
      return new Status(json.path("role").asText(), json.path("epoch").asInt(),
          new Lag(lag.path("p50Millis").asDouble(), lag.path("p99Millis").asDouble()),
          json.path("database").path("writable").asBoolean(), json.path("allegiance").path("vouches").asBoolean(),
          json.toString());
    }

    boolean is(String wanted) {
      return role.equalsIgnoreCase(wanted);
    }
  }

  GroupOperator(String secret) {
    // On one machine there is one clock.
    this.calls = new SignedCalls(LOOK, TlsTrust.SYSTEM, secret, InstantSource.system(), line -> {});
  }

  /** Empty if the server does not answer at once. */
  Optional<Status> status(URI server) throws InterruptedException {
    try {
      SignedCalls.Answer answer = calls.ask("GET", server, "/group/member", LOOK);
      return answer.status() == 200 ? Optional.of(Status.of(MAPPER.readTree(answer.body()))) : Optional.empty();
    } catch (IOException | RnsException e) {
      return Optional.empty();
    }
  }

  /** Has a server do something, such as {@code switchover}; returns its answer. */
  JsonNode act(URI server, String command) throws InterruptedException {
    String what = "/group/" + command;
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

  @Override
  public void close() {
    calls.close();
  }
}
