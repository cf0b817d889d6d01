package io.rns.client.operator;

import io.rns.client.http.HttpCalls;
import io.rns.client.http.TlsTrust;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.operator.OperatorKey;
import io.rns.operator.Signature;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends signed requests and checks the signatures of answers. A server that refuses the time of a request says its own,
 * signed: the request is sent again by that clock, and the difference is reported. Safe for use by many threads.
 */
public final class SignedCalls implements AutoCloseable {
  private static final int OK = 200;
  private static final int FORBIDDEN = 403;
  private static final int NONCE_BYTES = 16;

  private final HttpCalls http;
  private final OperatorKey key;
  private final InstantSource clock;
  private final Consumer<String> report;
  private final SecureRandom random = new SecureRandom();
  private final Map<String, Long> offsets = new ConcurrentHashMap<>();

  /**
   * Calls with a secret.
   *
   * @param trust the certificates accepted from HTTPS servers
   * @param report gets a line when the clock of a server differs so much that it refuses this one's
   */
  public SignedCalls(
      Duration connectTimeout, TlsTrust trust, String secret, InstantSource clock, Consumer<String> report) {
    this.http = new HttpCalls(connectTimeout, trust);
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

  private record Sent(HttpCalls.Reply<byte[]> response, Optional<Signature> signature) {}

  /**
   * Sends a request without a body.
   *
   * @param server its address, such as {@code http://host:8080/rns}
   * @param path below it, with the query
   * @throws IOException if there is no answer
   * @throws RnsException {@link RnsError#NOT_PERMITTED} if the request succeeds by an answer that is not signed with
   *         the secret
   */
  public Answer ask(String method, URI server, String path, Duration timeout) throws IOException, InterruptedException {
    return ask(method, server, path, "", timeout);
  }

  /**
   * Sends a request with a text, none if that is empty.
   *
   * @throws IOException if there is no answer
   * @throws RnsException as the other does
   */
  public Answer ask(String method, URI server, String path, String body, Duration timeout)
      throws IOException, InterruptedException {
    String digest = OperatorKey.digest(body.getBytes(StandardCharsets.UTF_8));
    return ask(new Question(method, server, path, timeout, new HttpCalls.Body.Text(body), digest), null);
  }

  /**
   * Sends a file.
   *
   * @param timeout for all of it
   * @throws IOException if there is no answer, or the file cannot be read
   * @throws RnsException as {@link #ask}
   */
  public Answer upload(String method, URI server, String path, Path file, Duration timeout)
      throws IOException, InterruptedException {
    return ask(new Question(method, server, path, timeout, new HttpCalls.Body.File(file), digest(file)), null);
  }

  /**
   * Asks for a file. It is complete and comes from a server that knows the secret when this returns with status 200.
   *
   * @param into where it is written to; what stands there is overwritten, unless the request is refused
   * @param timeout until it begins to come
   * @return without a body if it came
   * @throws IOException if there is no answer, or the file cannot be written
   * @throws RnsException as {@link #ask}
   */
  public Answer download(URI server, String path, Path into, Duration timeout)
      throws IOException, InterruptedException {
    return ask(new Question("GET", server, path, timeout, HttpCalls.Body.NONE, OperatorKey.EMPTY),
        into);
  }

  private record Question(
      String method, URI server, String path, Duration timeout, HttpCalls.Body body, String digest) {
    URI address() {
      return URI.create(server.toString().replaceFirst("/+$", "") + path);
    }
  }

  private Answer ask(Question question, @Nullable Path into) throws IOException, InterruptedException {
    Sent sent = send(question, into);
    if (sent.response().status() == FORBIDDEN && sent.signature().isPresent()) {
      adjust(question.server(), sent.signature().get());
      sent = send(question, into);
    }
    int status = sent.response().status();
    if (status == OK && sent.signature().isEmpty()) {
      throw new RnsException(
          RnsError.NOT_PERMITTED,
          "the answer of " + question.address() + " is not signed with the secret of this group and is ignored");
    }
    return new Answer(status, new String(sent.response().body(), StandardCharsets.UTF_8), sent.signature().isPresent());
  }

  private static String digest(Path file) throws IOException {
    MessageDigest digest = OperatorKey.sha256();
    try (DigestOutputStream to = new DigestOutputStream(OutputStream.nullOutputStream(), digest)) {
      long unused = Files.copy(file, to);
    }
    return OperatorKey.hex(digest.digest());
  }

  /** Host and port of an address, as requests are signed for them. */
  public static String target(URI address) {
    String host = String.valueOf(address.getHost()).toLowerCase(Locale.ROOT);
    return address.getPort() < 0 ? host : host + ":" + address.getPort();
  }

  private Sent send(Question question, @Nullable Path into) throws IOException, InterruptedException {
    URI address = question.address();
    String target = target(address);
    String nonce = nonce();
    long millis = clock.millis() + offsets.getOrDefault(target, 0L);
    Signature signature = key.signRequest(question.method(), question.path(), target, millis, nonce, question.digest());
    HttpCalls.Call call =
        new HttpCalls.Call(
            question.method(), address, Map.of(OperatorKey.HEADER, signature.header()), question.body(),
            question.timeout());
    HttpCalls.Reply<byte[]> response = into == null ? http.send(call) : http.download(call, into);
    boolean isFile = into != null && response.status() == OK;
    String digest = isFile ? digest(into) : OperatorKey.digest(response.body());
    Optional<Signature> answered =
        response.header(OperatorKey.HEADER)
            .flatMap(Signature::parse)
            .filter(given -> key.isAnswer(given, response.status(), nonce, digest));
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

  /** Ends running calls. */
  @Override
  public void close() {
    http.close();
  }
}
