package io.rns.server.operator;

import io.rns.client.operator.SignedCalls;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.server.http.ServerJson;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Signed requests of a server to others, with JSON documents.
 *
 * @param calls sends them
 */
public record ServerCalls(SignedCalls calls) {
  /** What is read of a problem document. */
  private record ProblemJson(@Nullable String code, @Nullable String message) {}

  /**
   * Asks a server.
   *
   * @param server its address
   * @param path below it, with the query
   * @param body of the request; empty for none
   * @param most until the answer begins
   * @throws RnsException what the server refuses with, or {@link RnsError#UNAVAILABLE} if it does not answer
   */
  public <T> T ask(String method, String server, String path, String body, Duration most, Class<T> answered) {
    try {
      SignedCalls.Answer answer = calls.ask(method, URI.create(server), path, body, most);
      if (answer.status() != 200) {
        throw refused(server, answer.status(), ServerJson.MAPPER.readValue(answer.body(), ProblemJson.class));
      }
      return ServerJson.MAPPER.readValue(answer.body(), answered);
    } catch (IOException e) {
      throw new RnsException(
          RnsError.UNAVAILABLE, server + " does not answer " + method + " " + withoutQuery(path) + ": " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RnsException(RnsError.UNAVAILABLE, "interrupted while asking " + server, e);
    }
  }

  private static String withoutQuery(String path) {
    int query = path.indexOf('?');
    return query < 0 ? path : path.substring(0, query);
  }

  private static RnsException refused(String server, int status, ProblemJson problem) {
    for (RnsError error : RnsError.values()) {
      if (error.name().equals(problem.code())) {
        return new RnsException(error, server + ": " + problem.message());
      }
    }
    return new RnsException(RnsError.UNAVAILABLE, server + " answers HTTP status " + status);
  }
}
