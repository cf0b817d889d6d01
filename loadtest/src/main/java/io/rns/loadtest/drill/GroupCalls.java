package io.rns.loadtest.drill;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;

/** What an operator asks the servers of a group. Safe for use by many threads. */
final class GroupCalls implements AutoCloseable {
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final Duration LOOK = Duration.ofSeconds(1);
  private static final Duration ACT = Duration.ofSeconds(90);

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(LOOK).build();
  private final String secret;

  GroupCalls(String secret) {
    this.secret = secret;
  }

  /** What a server says of itself; empty if it does not answer at once. */
  Optional<View> look(URI server) throws InterruptedException {
    try {
      HttpResponse<String> answer = send(HttpRequest.newBuilder(address(server, "/group/member")).timeout(LOOK).GET());
      return answer.statusCode() == 200 ? Optional.of(View.of(MAPPER.readTree(answer.body()))) : Optional.empty();
    } catch (IOException e) {
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
      HttpResponse<String> answer =
          send(HttpRequest.newBuilder(address(server, what)).timeout(ACT).POST(HttpRequest.BodyPublishers.noBody()));
      if (answer.statusCode() != 200) {
        throw new RnsException(RnsError.UNAVAILABLE, server + what + ": HTTP " + answer.statusCode() + " " + answer.body());
      }
      return MAPPER.readTree(answer.body());
    } catch (IOException e) {
      throw new RnsException(RnsError.UNAVAILABLE, server + what + ": " + e, e);
    }
  }

  private static URI address(URI server, String path) {
    return URI.create(server + path);
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
    return http.send(request.header("X-RNS-Secret", secret).build(), HttpResponse.BodyHandlers.ofString());
  }

  /** Breaks off what runs. */
  @Override
  public void close() {
    http.shutdownNow();
  }
}
