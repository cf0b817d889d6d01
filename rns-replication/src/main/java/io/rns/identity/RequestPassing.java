package io.rns.identity;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.rns.api.Caller;
import io.rns.client.http.MessageAuthentication.Header;
import io.rns.client.operator.SignedCalls;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.operator.DerivedKey;
import io.rns.operator.OperatorKey;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * Passes the callers of requests of any kind on, from a front to a server: the header {@link CallerPassing#HEADER} says
 * who the front has found a client to be, or why its certificate is refused. It is signed for one request line and
 * body, the server that gets it, and this moment. A server takes each once. Thread-safe.
 */
public final class RequestPassing {
  /** In place of the digest of a body that is not signed: one that the front does not hold as a whole. */
  public static final String UNSIGNED = "-";

  /** What the header of a request begins with, other than that of a message between servers. */
  static final String FORM = "2";

  private static final String REFUSED = "!";
  private static final int KNOWN = 20_000;
  private static final int PARTS = 8;
  private static final int HEX = 16;

  private final DerivedKey key;
  private final String name;
  private final InstantSource clock;
  private final long started;
  private final long sender = new SecureRandom().nextLong();
  private final AtomicLong sent = new AtomicLong();
  private final SenderSequences taken;
  private final Cache<String, Caller> callers =
      Caffeine.newBuilder().maximumSize(KNOWN).executor(Runnable::run).build();

  /**
   * Derives the key from a secret.
   *
   * @param secret of the servers, not empty
   * @param name of this front, for the audit log of servers
   */
  public RequestPassing(String secret, String name, InstantSource clock) {
    this.key = new DerivedKey(secret, "rns request on behalf of 1");
    this.name = URLEncoder.encode(name, StandardCharsets.UTF_8);
    this.clock = clock;
    this.started = clock.millis();
    this.taken = new SenderSequences(2 * CallerPassing.WINDOW.toMillis());
  }

  /**
   * What a header says of a caller.
   *
   * @throws RnsException {@link RnsError#LIMIT_EXCEEDED} if it has too many groups
   */
  public static String named(Caller caller) {
    if (caller.name().isEmpty()) {
      throw new IllegalArgumentException("the anonymous caller is not passed on");
    }
    return CallerText.of(caller);
  }

  /** What a header says of a client whose credential is refused. */
  public static String refused(String reason) {
    return REFUSED + Base64.getUrlEncoder().withoutPadding().encodeToString(reason.getBytes(StandardCharsets.UTF_8));
  }

  /** Whether what a header says is that a credential is refused. */
  public static boolean isRefused(String subject) {
    return subject.startsWith(REFUSED);
  }

  /**
   * What of a request is signed beside its body.
   *
   * @param target path and query as sent
   */
  public static String line(String method, String target) {
    // Containers do not tell an empty query from none.
    return method + " "
        + (target.indexOf('?') == target.length() - 1 ? target.substring(0, target.length() - 1) : target);
  }

  /** The digest of a body. */
  public static String digest(ByteBuffer body) {
    MessageDigest sha256 = OperatorKey.sha256();
    sha256.update(body);
    return OperatorKey.hex(sha256.digest());
  }

  /**
   * The header of one request to one server.
   *
   * @param subject of {@link #named} or {@link #refused}
   * @param line of {@link #line}
   * @param digest of the body, or {@link #UNSIGNED}
   */
  public Header header(String subject, URI server, String line, String digest) {
    String shown =
        String.join(
            " ", FORM, Long.toString(clock.millis()), Long.toHexString(sender),
            Long.toHexString(sent.incrementAndGet()),
            SignedCalls.target(server), subject, digest, name);
    return new Header(CallerPassing.HEADER, shown + " " + HexFormat.of().formatHex(key.mac(shown + "\n" + line)));
  }

  /** Whether a header is one of a request. */
  static boolean isOne(String header) {
    return header.startsWith(FORM + " ");
  }

  /** Reads a header as {@link CallerPassing#take} does. */
  PassedOn take(String header, String line, Predicate<String> isHere) {
    int end = Math.max(0, header.lastIndexOf(' '));
    String[] parts = header.substring(0, end).split(" ", -1);
    byte[] expected = key.mac(header.substring(0, end) + "\n" + line);
    byte[] given = CallerPassing.given(header.substring(end + 1));
    if (!MessageDigest.isEqual(expected, given) || parts.length != PARTS) {
      throw CallerPassing.refused("the caller of this request was not passed on by a front of this service");
    }
    CallerPassing.checkTarget(parts[4], isHere);
    try {
      CallerPassing.checkTime(Long.parseLong(parts[1]), started, clock.millis());
      checkNew(Long.parseUnsignedLong(parts[2], HEX), Long.parseUnsignedLong(parts[3], HEX));
      String front = URLDecoder.decode(parts[7], StandardCharsets.UTF_8);
      if (parts[5].startsWith(REFUSED)) {
        byte[] reason = Base64.getUrlDecoder().decode(parts[5].substring(REFUSED.length()));
        return new PassedOn.Refused(new String(reason, StandardCharsets.UTF_8), front);
      }
      return new PassedOn.Known(
          callers.get(parts[5], CallerText::parse), front,
          UNSIGNED.equals(parts[6]) ? Optional.empty() : Optional.of(parts[6]));
    } catch (IllegalArgumentException e) {
      throw new RnsException(RnsError.NOT_AUTHENTICATED, "the passed-on caller is malformed", e);
    }
  }

  private void checkNew(long from, long number) {
    switch (taken.take(from, number, clock.millis())) {
      case NEW -> {
      }
      case KNOWN -> throw CallerPassing.refused("the request was sent before");
      case LATE -> throw new RnsException(RnsError.UNAVAILABLE, "the request was on its way for too long");
      case FULL ->
        throw new RnsException(
            RnsError.BUSY,
            SenderSequences.MOST_SENDERS + " fronts passed requests on within " + 2 * CallerPassing.WINDOW.toSeconds()
                + " s");
    }
  }
}
