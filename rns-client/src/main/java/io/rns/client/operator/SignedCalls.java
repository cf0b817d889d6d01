package io.rns.client.operator;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.operator.OperatorKey;
import io.rns.operator.Signature;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Sends signed requests and checks the signatures of answers. A server that refuses the time of a request says its own, signed:
 * the request is sent again by that clock, and the difference is reported. Safe for use by many threads.
 */
public final class SignedCalls {
  private static final int OK = 200;
  private static final int FORBIDDEN = 403;
  private static final int NONCE_BYTES = 16;

  private final HttpClient http;
  private final OperatorKey key;
  private final InstantSource clock;
  private final Consumer<String> report;
  private final SecureRandom random = new SecureRandom();
  private final Map<String, Long> offsets = new ConcurrentHashMap<>();

  /**
   * Calls with a secret.
   *
   * @param http sends them; the owner closes it
   * @param report gets a line when the clock of a server differs so much that it refuses this one's
   */
  public SignedCalls(HttpClient http, String secret, InstantSource clock, Consumer<String> report) {
    this.http = http;
    this.key = new OperatorKey(secret);
    this.clock = clock;
    this.report = report;
  }

  /**
   * An answer.
   *
   * @param signed whether the server knows the secret; an answer with status 200 always is
   */
  public record Answer(int status, String body, boolean signed) {}

  private record Sent(HttpResponse<byte[]> response, Optional<Signature> signature) {}

  /**
   * Sends a request without a body.
   *
   * @param server its address, such as {@code http://host:8080/rns}
   * @param path below it, with the query
   * @throws IOException if there is no answer
   * @throws RnsException {@link RnsError#NOT_PERMITTED} if the request succeeds by an answer that is not signed with the secret
   */
  public Answer ask(String method, URI server, String path, Duration timeout) throws IOException, InterruptedException {
    URI address = URI.create(server.toString().replaceFirst("/+$", "") + path);
    Sent sent = send(method, address, path, timeout);
    if (sent.response().statusCode() == FORBIDDEN && sent.signature().isPresent()) {
      adjust(server, sent.signature().get());
      sent = send(method, address, path, timeout);
    }
    int status = sent.response().statusCode();
    if (status == OK && sent.signature().isEmpty()) {
      throw new RnsException(
          RnsError.NOT_PERMITTED,
          "the answer of " + address + " is not signed with the secret of this group: it is not believed");
    }
    return new Answer(status, new String(sent.response().body(), StandardCharsets.UTF_8), sent.signature().isPresent());
  }

  /** Host and port of an address, as requests are signed for them. */
  public static String target(URI address) {
    String host = String.valueOf(address.getHost()).toLowerCase(Locale.ROOT);
    return address.getPort() < 0 ? host : host + ":" + address.getPort();
  }

  private Sent send(String method, URI address, String path, Duration timeout) throws IOException, InterruptedException {
    String target = target(address);
    String nonce = nonce();
    long millis = clock.millis() + offsets.getOrDefault(target, 0L);
    Signature signature = key.signRequest(method, path, target, millis, nonce, OperatorKey.EMPTY);
    HttpRequest request =
        HttpRequest.newBuilder(address)
            .method(method, HttpRequest.BodyPublishers.noBody())
            .version(HttpClient.Version.HTTP_1_1)
            .header(OperatorKey.HEADER, signature.header())
            .timeout(timeout)
            .build();
    HttpResponse<byte[]> response = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
    Optional<Signature> answered =
        response.headers().firstValue(OperatorKey.HEADER)
            .flatMap(Signature::parse)
            .filter(given -> key.isAnswer(given, response.statusCode(), nonce, OperatorKey.digest(response.body())));
    return new Sent(response, answered);
  }

  private void adjust(URI server, Signature answered) {
    String target = target(server);
    long offset = answered.millis() - clock.millis();
    long before = offsets.getOrDefault(target, 0L);
    offsets.put(target, offset);
    long change = Math.abs(offset - before);
    if (change >= Duration.ofSeconds(1).toMillis()) {
      report.accept(
          "the clock of " + target + " is " + Math.abs(offset) / 1_000 + " s " + (offset < 0 ? "behind" : "ahead of")
              + " the clock here; its clock is used");
    }
  }

  private String nonce() {
    byte[] bytes = new byte[NONCE_BYTES];
    random.nextBytes(bytes);
    return OperatorKey.hex(bytes);
  }
}
