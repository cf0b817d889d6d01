package io.rns.server.local;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;

/** What a supervisor asks the servers of its group. Safe to share between threads. */
final class GroupCalls implements AutoCloseable {
  static final String SECRET_HEADER = "X-RNS-Secret";
  static final String PRIMARY = "PRIMARY";

  private static final Duration LOOK_TIMEOUT = Duration.ofSeconds(5);

  /** A failover asks every member, some of which may not answer, and waits for what has been received to be applied. */
  private static final Duration FAILOVER_TIMEOUT = Duration.ofSeconds(60);

  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(LOOK_TIMEOUT).build();
  private final String secret;

  GroupCalls(String secret) {
    this.secret = secret;
  }

  /** What a server says of itself. */
  record View(String role, String state) {
    boolean isPrimary() {
      return role.equals(PRIMARY);
    }

    /** Whether it serves the group's names. */
    boolean isServing() {
      return isPrimary() || role.equals("REPLICA");
    }
  }

  /** How the server at an address sees itself; empty as long as it does not say. */
  Optional<View> look(String url) {
    try {
      HttpResponse<String> response = client.send(request(url + "/group/member", LOOK_TIMEOUT).GET().build(), text());
      if (response.statusCode() != 200) {
        return Optional.empty();
      }
      JsonNode member = JSON.readTree(response.body());
      return Optional.of(new View(member.path("role").asText(), member.path("state").asText()));
    } catch (IOException e) {
      // Nobody listens yet, or not for long: that is the answer.
      return Optional.empty();
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /**
   * Has the group make its most advanced server the primary.
   *
   * @return why it did not; empty when it did
   */
  Optional<String> promoteBest(String url) {
    try {
      HttpRequest request =
          request(url + "/group/failover?to=best", FAILOVER_TIMEOUT).POST(HttpRequest.BodyPublishers.noBody()).build();
      HttpResponse<String> response = client.send(request, text());
      return response.statusCode() == 200
          ? Optional.empty()
          : Optional.of(message(response.body()).orElse("it answered " + response.statusCode()));
    } catch (IOException e) {
      return Optional.of("it does not answer: " + e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  @Override
  public void close() {
    client.close();
  }

  private HttpRequest.Builder request(String url, Duration timeout) {
    return HttpRequest.newBuilder(URI.create(url)).timeout(timeout).header(SECRET_HEADER, secret);
  }

  private static Optional<String> message(String body) {
    try {
      return Optional.of(JSON.readTree(body).path("message").asText()).filter(text -> !text.isBlank());
    } catch (JsonProcessingException e) {
      // A page of GlassFish: the status says as much.
      return Optional.empty();
    }
  }

  private static HttpResponse.BodyHandler<String> text() {
    return HttpResponse.BodyHandlers.ofString();
  }

  private static LocalServiceException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new LocalServiceException("interrupted while asking a server of the group", e);
  }
}
