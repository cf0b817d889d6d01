package io.rns.local;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rns.client.http.TlsTrust;
import io.rns.client.operator.SignedCalls;
import io.rns.error.RnsException;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;

/** The supervisor's calls to the servers of its group. Thread-safe. */
final class LocalGroupCalls implements AutoCloseable {
  static final String PRIMARY = "PRIMARY";

  private static final Duration LOOK_TIMEOUT = Duration.ofSeconds(5);

  /** A failover asks every member, some of which may not answer, and waits until received transactions are applied. */
  private static final Duration FAILOVER_TIMEOUT = Duration.ofSeconds(60);

  private static final ObjectMapper JSON = new ObjectMapper();

  private final SignedCalls calls;

  /**
   * Calls signed with the secret of a group.
   *
   * @param trust the certificates accepted from servers
   * @param report receives a line when the clock of a server differs
   */
  LocalGroupCalls(String secret, TlsTrust trust, Consumer<String> report) {
    this.calls = new SignedCalls(LOOK_TIMEOUT, trust, secret, InstantSource.system(), report);
  }

  /** A server's own view of its role. */
  record View(String role, String state) {
    boolean isPrimary() {
      return role.equals(PRIMARY);
    }

    /** Whether it serves the group's names. */
    boolean isServing() {
      return isPrimary() || role.equals("REPLICA");
    }
  }

  /** The view of the server at an address; empty if it does not answer. */
  Optional<View> look(String url) {
    try {
      SignedCalls.Answer answer = calls.ask("GET", URI.create(url), "/group/member", LOOK_TIMEOUT);
      if (answer.status() != 200) {
        return Optional.empty();
      }
      JsonNode member = JSON.readTree(answer.body());
      return Optional.of(new View(member.path("role").asText(), member.path("state").asText()));
    } catch (IOException | RnsException e) {
      // Not listening yet, not for long, or not a server of the group.
      return Optional.empty();
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /** Whether a server knows servers of that many groups, so that it passes on what belongs to them. */
  boolean knowsGroups(String url, int groups) {
    try {
      SignedCalls.Answer answer = calls.ask("GET", URI.create(url), "/partitions", LOOK_TIMEOUT);
      return answer.status() == 200 && JSON.readTree(answer.body()).path("groups").size() >= groups;
    } catch (IOException | RnsException e) {
      // Not listening, or not a server of the group.
      return false;
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /**
   * Asks the group to promote its most advanced server.
   *
   * @return why it did not; empty if it did
   */
  Optional<String> promoteBest(String url) {
    try {
      SignedCalls.Answer answer = calls.ask("POST", URI.create(url), "/group/failover?to=best", FAILOVER_TIMEOUT);
      return answer.status() == 200
          ? Optional.empty()
          : Optional.of(message(answer.body()).orElse("it answered " + answer.status()));
    } catch (IOException e) {
      return Optional.of("it does not answer: " + e);
    } catch (RnsException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  @Override
  public void close() {
    calls.close();
  }

  private static Optional<String> message(String body) {
    try {
      return Optional.of(JSON.readTree(body).path("message").asText()).filter(text -> !text.isBlank());
    } catch (JsonProcessingException e) {
      // An error page of GlassFish: the status is enough.
      return Optional.empty();
    }
  }

  private static LocalServiceException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new LocalServiceException("interrupted while calling a server of the group", e);
  }
}
