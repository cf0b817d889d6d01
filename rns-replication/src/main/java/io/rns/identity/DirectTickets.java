package io.rns.identity;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.rns.api.Caller;
import io.rns.client.operator.SignedCalls;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.operator.DerivedKey;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Direct tickets: a front that sends a client on to a server for a large response adds one to the address. It says who
 * the front has found the client to be by its certificate, and nothing of other clients: these the server identifies by
 * their own credential. It is signed for one request line, one server and this moment, and for whether the request has
 * a credential. A server takes each once. Thread-safe.
 */
public final class DirectTickets {
  /** How old a ticket may be, and how far ahead, by the clock of the server. */
  static final Duration LIFE = Duration.ofSeconds(30);

  /** The last parameter of an address with a ticket. */
  private static final String MARK = "direct-ticket=";

  private static final String FORM = "1";
  /** In place of a caller, of whom the ticket says nothing. */
  private static final String UNKNOWN = "-";
  private static final int KNOWN = 20_000;
  private static final int PARTS = 7;
  private static final int HEX = 16;

  private final DerivedKey key;
  private final String name;
  private final InstantSource clock;
  private final long started;
  private final long sender = new SecureRandom().nextLong();
  private final AtomicLong made = new AtomicLong();
  private final SenderSequences taken;
  private final Cache<String, Caller> callers =
      Caffeine.newBuilder().maximumSize(KNOWN).executor(Runnable::run).build();

  /**
   * Derives the key from a secret.
   *
   * @param secret of the servers, not empty
   * @param name of this front, for the audit log of servers
   */
  public DirectTickets(String secret, String name, InstantSource clock) {
    this.key = new DerivedKey(secret, "rns direct ticket 1");
    this.name = URLEncoder.encode(name, StandardCharsets.UTF_8);
    this.clock = clock;
    this.started = clock.millis();
    this.taken = new SenderSequences(2 * LIFE.toMillis());
  }

  /**
   * The query of a request with a ticket.
   *
   * @param query as the client sent it
   * @param caller of {@link RequestPassing#named}; null if the client has presented no certificate
   * @param line of {@link RequestPassing#line}, without ticket
   * @param hasCredential whether the client has sent an {@code Authorization} header
   */
  public String query(String query, @Nullable String caller, URI server, String line, boolean hasCredential) {
    String shown =
        String.join(
            " ", FORM, Long.toString(clock.millis()), Long.toHexString(sender),
            Long.toHexString(made.incrementAndGet()), SignedCalls.target(server), caller == null ? UNKNOWN : caller,
            name);
    String text = shown + " " + HexFormat.of().formatHex(key.mac(signed(shown, line, hasCredential)));
    return query + (query.isEmpty() ? "" : "&") + MARK
        + Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
  }

  private static String signed(String shown, String line, boolean hasCredential) {
    return shown + "\n" + line + "\n" + (hasCredential ? "+" : "");
  }

  /** Where the ticket of a query begins; -1 if it has none. */
  private static int start(@Nullable String query) {
    int at = query == null ? -1 : query.lastIndexOf(MARK);
    return query != null && at > 0 && query.charAt(at - 1) != '&' ? -1 : at;
  }

  /** Whether a query has a ticket. */
  public static boolean isIn(@Nullable String query) {
    return start(query) >= 0;
  }

  /** A query as the client first sent it; null if it has nothing but a ticket. */
  public static @Nullable String without(String query) {
    int at = start(query);
    return at < 0 ? query : at == 0 ? null : query.substring(0, at - 1);
  }

  /**
   * Reads the ticket of a request.
   *
   * @param query with the ticket
   * @param line of {@link RequestPassing#line}, without ticket
   * @return empty if the server has to identify the client itself
   * @throws RnsException {@link RnsError#NOT_AUTHENTICATED} if it was not signed with the secret, for this request,
   *         this server and now, or was taken before; {@link RnsError#UNAVAILABLE} or {@link RnsError#BUSY} if a new
   *         ticket may help
   */
  Optional<PassedOn.Known> take(String query, String line, boolean hasCredential, Predicate<String> isHere) {
    String text = decoded(query.substring(start(query) + MARK.length()));
    int end = Math.max(0, text.lastIndexOf(' '));
    String shown = text.substring(0, end);
    String[] parts = shown.split(" ", -1);
    byte[] given = CallerPassing.given(text.substring(text.lastIndexOf(' ') + 1));
    if (!MessageDigest.isEqual(key.mac(signed(shown, line, hasCredential)), given)) {
      throw MessageDigest.isEqual(key.mac(signed(shown, line, !hasCredential)), given)
          ? CallerPassing.refused(
              hasCredential ? "the direct ticket is one of a request without Authorization header"
                  : "the direct ticket needs the Authorization header with which it was requested")
          : CallerPassing.refused("the direct ticket was not made by a front of this service for this request");
    }
    if (parts.length != PARTS || !parts[0].equals(FORM)) {
      throw CallerPassing.refused("the direct ticket is of an unknown form");
    }
    CallerPassing.checkTarget(parts[4], isHere);
    try {
      checkTime(Long.parseLong(parts[1]));
      checkNew(Long.parseUnsignedLong(parts[2], HEX), Long.parseUnsignedLong(parts[3], HEX));
      return parts[5].equals(UNKNOWN) ? Optional.empty()
          : Optional.of(
              new PassedOn.Known(
                  callers.get(parts[5], CallerText::parse), URLDecoder.decode(parts[6], StandardCharsets.UTF_8),
                  Optional.empty()));
    } catch (IllegalArgumentException e) {
      throw new RnsException(RnsError.NOT_AUTHENTICATED, "the direct ticket is malformed", e);
    }
  }

  private static String decoded(String ticket) {
    try {
      return new String(Base64.getUrlDecoder().decode(ticket), StandardCharsets.US_ASCII);
    } catch (IllegalArgumentException e) {
      return "";
    }
  }

  private void checkTime(long millis) {
    long age = clock.millis() - millis;
    if (Math.abs(age) > LIFE.toMillis()) {
      throw CallerPassing.refused(
          "the direct ticket was made " + Math.abs(age) / 1_000 + " s " + (age > 0 ? "ago" : "in the future")
              + "; allowed are " + LIFE.toSeconds() + " s");
    }
    if (millis < started) {
      // It may have been taken before the restart.
      throw new RnsException(RnsError.UNAVAILABLE, "the direct ticket was made before this server started");
    }
  }

  private void checkNew(long from, long number) {
    switch (taken.take(from, number, clock.millis())) {
      case NEW -> {
      }
      case KNOWN -> throw CallerPassing.refused("the direct ticket was used before");
      case LATE -> throw new RnsException(RnsError.UNAVAILABLE, "the direct ticket was on its way for too long");
      case FULL ->
        throw new RnsException(
            RnsError.BUSY,
            SenderSequences.MOST_SENDERS + " fronts made direct tickets within " + 2 * LIFE.toSeconds() + " s");
    }
  }
}
