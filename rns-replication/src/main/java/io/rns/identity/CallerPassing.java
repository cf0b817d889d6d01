package io.rns.identity;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.rns.api.CallContext;
import io.rns.api.Caller;
import io.rns.client.http.MessageAuthentication;
import io.rns.client.operator.SignedCalls;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.operator.DerivedKey;
import io.rns.operator.OperatorKey;
import io.rns.xml.XmlBuffer;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Passes callers on between servers that share a secret: with a message goes a header that names its caller and is
 * signed for this message, the server that gets it, and this moment. A server takes each once. Thread-safe.
 */
public final class CallerPassing implements MessageAuthentication {
  /** The header. */
  public static final String HEADER = "RNS-On-Behalf-Of";

  /** The header that says where a request of the anonymous caller comes from. */
  public static final String ORIGIN = "RNS-Origin";

  /** How far the clocks of servers may differ. */
  static final Duration WINDOW = Duration.ofSeconds(60);

  /** Messages of named callers that are taken within two minutes: 8,000 a second. */
  private static final int MOST = 1 << 20;

  private static final int KNOWN = 20_000;
  private static final int PARTS = 7;
  private static final String FORM = "1";

  private final DerivedKey key;
  private final String name;
  private final OriginPassing origins;
  private final RequestPassing requests;
  private final DirectTickets tickets;
  private final InstantSource clock;
  private final long started;
  private final SecureRandom random = new SecureRandom();
  private final ReplayMemory taken;
  private final Cache<Caller, String> texts =
      Caffeine.newBuilder().weakKeys().maximumSize(KNOWN).executor(Runnable::run).build();
  private final Cache<String, Caller> callers =
      Caffeine.newBuilder().maximumSize(KNOWN).executor(Runnable::run).build();

  /**
   * Derives the key from a secret.
   *
   * @param secret of the servers, not empty
   * @param name of this server, for those that it passes callers on to
   */
  public CallerPassing(String secret, String name, InstantSource clock) {
    this.key = new DerivedKey(secret, "rns on behalf of 1");
    this.name = URLEncoder.encode(name, StandardCharsets.UTF_8);
    this.origins = new OriginPassing(secret, clock);
    this.requests = new RequestPassing(secret, name, clock);
    this.tickets = new DirectTickets(secret, name, clock);
    this.clock = clock;
    this.started = clock.millis();
    this.taken = new ReplayMemory(2 * WINDOW.toMillis(), MOST, started);
  }

  @Override
  public Optional<Header> header(CallContext call, URI address, XmlBuffer message) {
    Caller caller = call.caller();
    if (caller.name().isEmpty()) {
      return origins.header(call.origin());
    }
    String text = texts.get(caller, CallerText::of);
    String signed =
        String.join(
            " ", FORM, Long.toString(clock.millis()), Long.toHexString(random.nextLong()), SignedCalls.target(address),
            text, OperatorKey.digest(message.toByteArray()), name);
    return Optional.of(new Header(HEADER, signed + " " + HexFormat.of().formatHex(key.mac(signed))));
  }

  /** Whether a header was written by a front, for a request of any kind, rather than by a server for a message. */
  public static boolean isOfFront(String header) {
    return RequestPassing.isOne(header);
  }

  /**
   * Reads the header of a request.
   *
   * @param line of {@link RequestPassing#line}; only fronts sign it
   * @param isHere whether host and port, as other servers know them, are those of this server
   * @throws RnsException {@link RnsError#NOT_AUTHENTICATED} if it was not signed with the secret, for this server, now,
   *         or was taken before; {@link RnsError#UNAVAILABLE} or {@link RnsError#BUSY} if another try may help
   */
  public PassedOn take(String header, String line, Predicate<String> isHere) {
    return isOfFront(header) ? requests.take(header, line, isHere) : take(header, isHere);
  }

  /**
   * Reads the ticket of a request that a front has sent here.
   *
   * @param query for which {@link DirectTickets#isIn} holds
   * @param line of {@link RequestPassing#line}, without ticket
   * @param hasCredential whether the request has an {@code Authorization} header
   * @param isHere as {@link #take(String, String, Predicate)}
   * @return whom the front has found the client to be by its certificate; empty if this server has to identify it
   * @throws RnsException as {@link #take(String, String, Predicate)}
   */
  public Optional<PassedOn.Known> takeTicket(
      String query, String line, boolean hasCredential, Predicate<String> isHere) {
    return tickets.take(query, line, hasCredential, isHere);
  }

  /** The same for the header of a message, which only servers write. */
  public PassedOn.Known take(String header, Predicate<String> isHere) {
    int end = header.lastIndexOf(' ');
    String[] parts = header.substring(0, Math.max(0, end)).split(" ", -1);
    byte[] expected = key.mac(header.substring(0, Math.max(0, end)));
    byte[] given = given(header.substring(end + 1));
    if (!MessageDigest.isEqual(expected, given) || parts.length != PARTS || !parts[0].equals(FORM)) {
      throw refused("the caller of this request was not passed on by a server of this service");
    }
    checkTarget(parts[3], isHere);
    try {
      long now = clock.millis();
      checkTime(Long.parseLong(parts[1]), started, now);
      checkNew(ByteBuffer.wrap(expected).getLong(), now);
      return new PassedOn.Known(
          callers.get(parts[4], CallerText::parse), URLDecoder.decode(parts[6], StandardCharsets.UTF_8),
          Optional.of(parts[5]));
    } catch (IllegalArgumentException e) {
      throw new RnsException(RnsError.NOT_AUTHENTICATED, "the passed-on caller is malformed", e);
    }
  }

  /**
   * Where an anonymous request comes from that another server has passed on.
   *
   * @param header the value of {@link #ORIGIN}
   * @return empty if no server of this service has written it within two minutes
   */
  public Optional<String> origin(String header) {
    return origins.read(header);
  }

  static byte[] given(String hex) {
    try {
      return HexFormat.of().parseHex(hex);
    } catch (IllegalArgumentException e) {
      return new byte[0];
    }
  }

  static void checkTarget(String target, Predicate<String> isHere) {
    if (!isHere.test(target)) {
      throw refused("the request was signed for " + target + ", which is no address of this server");
    }
  }

  static void checkTime(long millis, long started, long now) {
    if (Math.abs(millis - now) > WINDOW.toMillis()) {
      throw refused(
          "the clocks of two servers differ by " + Math.abs(millis - now) / 1_000 + " s; allowed are "
              + WINDOW.toSeconds() + " s");
    }
    if (millis < started) {
      // It may have been taken before the restart, and can be sent again with a new signature.
      throw new RnsException(RnsError.UNAVAILABLE, "the request was signed before this server started");
    }
  }

  private void checkNew(long bits, long now) {
    switch (taken.take(bits, now)) {
      case NEW -> {
      }
      case KNOWN -> throw refused("the request was sent before");
      case FULL ->
        throw new RnsException(
            RnsError.BUSY, MOST + " requests were passed on within " + 2 * WINDOW.toSeconds() + " s");
    }
  }

  /**
   * Compares a message with what was signed.
   *
   * @throws RnsException {@link RnsError#NOT_AUTHENTICATED} if it is another one
   */
  public static void checkBody(PassedOn.Known passed, byte[] body, int length) {
    if (passed.digest().isPresent()) {
      MessageDigest sha256 = OperatorKey.sha256();
      sha256.update(body, 0, length);
      checkBody(passed, sha256.digest());
    }
  }

  /** The same with the SHA-256 of the message. */
  public static void checkBody(PassedOn.Known passed, byte[] sha256) {
    if (passed.digest().isPresent() && !MessageDigest.isEqual(sha256, given(passed.digest().get()))) {
      throw refused("the message differs from what was signed");
    }
  }

  static RnsException refused(String why) {
    return new RnsException(RnsError.NOT_AUTHENTICATED, why);
  }
}
