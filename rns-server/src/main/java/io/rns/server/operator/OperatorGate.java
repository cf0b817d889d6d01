package io.rns.server.operator;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.operator.OperatorKey;
import io.rns.operator.Signature;
import io.rns.server.audit.RequestAudit;
import io.rns.server.http.RequestUrl;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Lets signed requests in: signed with the secret, for this server, now, and once. Thread-safe.
 *
 * <p>The secret itself is never sent, so an eavesdropper learns nothing useful: a request cannot be replayed, changed,
 * or sent to another server of the group, and a response belongs to one request.
 */
public final class OperatorGate {
  /**
   * How far the time of a request may be from that of this server. A client beyond that then uses this server's time,
   * from the response.
   */
  static final Duration WINDOW = Duration.ofSeconds(60);

  private final @Nullable OperatorKey key;
  private final Set<String> names;
  private final InstantSource clock;
  private final long started;
  private final NonceMemory nonces;

  /**
   * The gate of a server.
   *
   * @param secret of the operators; empty if the server has none, so that every request is rejected
   * @param names host and port, as other servers and operators know a server of a group; empty if no other server has
   *        the secret
   */
  public OperatorGate(String secret, Set<String> names, InstantSource clock) {
    this.key = secret.isEmpty() ? null : new OperatorKey(secret);
    this.names = Set.copyOf(names);
    this.clock = clock;
    this.started = clock.millis();
    this.nonces = new NonceMemory(2 * WINDOW.toMillis(), started);
  }

  /** Whether a request claims to be signed. */
  public static boolean isSigned(HttpServletRequest request) {
    return request.getHeader(OperatorKey.HEADER) != null;
  }

  /**
   * The signature of a request, if it is valid: then the answer is to be signed, also one that refuses it.
   *
   * @throws RnsException {@link RnsError#NOT_PERMITTED} if there is none, or it is not of this secret, or does not
   *         cover all parameters
   */
  public Signature signature(HttpServletRequest request) {
    String header = request.getHeader(OperatorKey.HEADER);
    if (header == null) {
      throw refused("the request is not signed: it needs the secret of this server's operators");
    }
    if (key == null) {
      throw refused("this server has no secret for operators: set RNS_GROUP_SECRET");
    }
    Optional<Signature> given = Signature.parse(header);
    if (given.isEmpty() || !key.isRequest(given.get(), request.getMethod(), path(request))) {
      throw refused("the request is not signed with the secret of this server");
    }
    if (RequestUrl.hasForm(request)) {
      // The container would take parameters from it, which are not those that were signed.
      throw refused("a signed request has its parameters in its address, not in a form");
    }
    return given.get();
  }

  /**
   * Takes a request with a valid signature, once.
   *
   * @throws RnsException {@link RnsError#NOT_PERMITTED} if it is too old or too new, was taken before, or is for
   *         another server, {@link RnsError#BUSY} if too many came
   */
  public void take(Signature signature, HttpServletRequest request) {
    if (!isForThisServer(signature.about(), request)) {
      throw refused(
          "the request is signed for " + signature.about() + ", which is no address of this server; it is known as "
              + names.stream().sorted().collect(Collectors.joining(", ")));
    }
    long now = clock.millis();
    long off = signature.millis() - now;
    if (Math.abs(off) > WINDOW.toMillis()) {
      throw refused(
          "the request was signed " + Math.abs(off) / 1_000 + " s " + (off < 0 ? "before" : "after")
              + " the time of this server;"
              + " allowed are " + WINDOW.toSeconds() + " s");
    }
    if (signature.millis() < started) {
      throw refused("the request was signed before this server started");
    }
    switch (nonces.take(signature.nonce(), now)) {
      case NEW -> RequestAudit.noteSigned();
      case KNOWN -> throw refused("the request was sent before");
      case FULL ->
        throw new RnsException(
            RnsError.BUSY,
            "more than " + NonceMemory.MOST + " signed requests within " + 2 * WINDOW.toSeconds() + " s");
    }
  }

  /**
   * Checks the body that came with a signed request.
   *
   * @throws RnsException {@link RnsError#NOT_PERMITTED} if it is another one than was signed
   */
  public static void checkBody(Signature signature, String digest) {
    if (!OperatorKey.isSame(signature.digest(), digest)) {
      throw refused("the body of the request does not match its signature");
    }
  }

  /** Signs an answer with a body of this digest, if the request was signed. */
  public void sign(HttpServletResponse response, @Nullable Signature request, String digest) {
    if (request != null && key != null) {
      Signature signature = key.signAnswer(response.getStatus(), clock.millis(), request.nonce(), digest);
      response.setHeader(OperatorKey.HEADER, signature.header());
    }
  }

  /** Sends an answer: signed, if the request was. */
  public void send(HttpServletResponse response, @Nullable Signature request, byte[] body) throws IOException {
    sign(response, request, OperatorKey.digest(body));
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }

  /** Whether host and port, as other servers and operators know them, are those of the server that got a request. */
  public boolean isForThisServer(String target, HttpServletRequest request) {
    return names.isEmpty() || names.contains(target) || isLocal(target, request);
  }

  /** Whether it names the address that the connection came in by. */
  private static boolean isLocal(String target, HttpServletRequest request) {
    String port = ":" + request.getLocalPort();
    if (!target.endsWith(port)) {
      return false;
    }
    String host = target.substring(0, target.length() - port.length());
    try {
      InetAddress local = InetAddress.getByName(request.getLocalAddr());
      boolean literal = host.startsWith("[") || host.matches("[0-9.]+");
      return (host.equals("localhost") && local.isLoopbackAddress())
          || (literal && InetAddress.getByName(host.replaceAll("[\\[\\]]", "")).equals(local));
    } catch (UnknownHostException e) {
      return false;
    }
  }

  /** What is asked, as it was sent, below the web application. */
  private static String path(HttpServletRequest request) {
    String path = request.getRequestURI().substring(request.getContextPath().length());
    return Stream.of(path, request.getQueryString()).filter(part -> part != null).collect(Collectors.joining("?"));
  }

  private static RnsException refused(String why) {
    return new RnsException(RnsError.NOT_PERMITTED, why);
  }
}
