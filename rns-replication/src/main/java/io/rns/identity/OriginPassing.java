package io.rns.identity;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.rns.client.http.MessageAuthentication.Header;
import io.rns.network.ClientNetwork;
import io.rns.operator.DerivedKey;
import io.rns.operator.OperatorKey;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Tells a server where anonymous requests come from, so that they take the share of their client there and not that of
 * the server or front that forwards them. A header is made once a minute for each origin; since it proves nothing else,
 * it is signed neither for a message nor for a server. Thread-safe.
 */
public final class OriginPassing {
  /** How old a header may be, and how far ahead, by the clock of its reader. */
  static final Duration VALID = Duration.ofMinutes(2);

  /** Longest origin that is passed on, in characters: addresses are shorter. */
  static final int MOST_CHARACTERS = 100;

  private static final int KNOWN = 10_000;
  private static final long MINUTE_MILLIS = 60_000;
  private static final int PARTS = 2;

  private final DerivedKey key;
  private final InstantSource clock;
  private final Cache<String, Made> made = cache();
  /** By what was signed, without the signature: a lookup takes as long as it has in common with a key. */
  private final Cache<String, Signed> read = cache();

  /** A header of a minute. */
  private record Made(long minute, String text) {}

  /** What was signed in a minute, and the signature. */
  private record Signed(long minute, String origin, String mac) {}

  private static <T> Cache<String, T> cache() {
    return Caffeine.newBuilder().maximumSize(KNOWN).expireAfterAccess(VALID).executor(Runnable::run).build();
  }

  /**
   * Derives the key from a secret.
   *
   * @param secret of the servers, not empty
   */
  public OriginPassing(String secret, InstantSource clock) {
    this.key = new DerivedKey(secret, "rns origin 1");
    this.clock = clock;
  }

  private long minute() {
    return clock.millis() / MINUTE_MILLIS;
  }

  /**
   * The origin of a client at an address: of IPv6 its network of 64 bits, in which one client may have any address.
   *
   * @param address literal
   */
  public static String origin(String address) {
    return ClientNetwork.of(address);
  }

  /** The header for an origin; empty if it is unknown. */
  public Optional<Header> header(String origin) {
    if (origin.isEmpty() || origin.length() > MOST_CHARACTERS) {
      return Optional.empty();
    }
    long minute = minute();
    Made known = made.getIfPresent(origin);
    if (known == null || known.minute() != minute) {
      known = new Made(minute, text(minute, origin));
      made.put(origin, known);
    }
    return Optional.of(new Header(CallerPassing.ORIGIN, known.text()));
  }

  private String text(long minute, String origin) {
    String signed =
        minute + " " + Base64.getUrlEncoder().withoutPadding().encodeToString(origin.getBytes(StandardCharsets.UTF_8));
    return signed + " " + mac(signed);
  }

  private String mac(String signed) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(key.mac(signed));
  }

  /** The origin that a header names; empty if it was not written with the secret, or not lately. */
  Optional<String> read(String header) {
    int end = header.lastIndexOf(' ');
    try {
      String given = header.substring(end + 1);
      String text = header.substring(0, Math.max(0, end));
      Signed known = read.getIfPresent(text);
      if (known == null) {
        known = signed(text);
        if (known == null || !OperatorKey.isSame(known.mac(), given)) {
          return Optional.empty();
        }
        read.put(text, known);
      }
      long age = Math.abs(minute() - known.minute());
      return age > VALID.toMinutes() || !OperatorKey.isSame(known.mac(), given)
          ? Optional.empty()
          : Optional.of(known.origin());
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private @Nullable Signed signed(String text) {
    String[] parts = text.split(" ", -1);
    return parts.length != PARTS
        ? null
        : new Signed(
            Long.parseLong(parts[0]), new String(Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8),
            mac(text));
  }
}
