package io.rns.identity;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** The credential of a request. Texts of it never show a secret. */
sealed interface Credential {
  /** Longest header that is read, in characters. */
  int MOST = 8_000;

  /** Name and password (RFC 7617). */
  record Basic(String account, String password) implements Credential {
    @Override
    public String toString() {
      return "Basic " + account;
    }
  }

  /** A token (RFC 6750). */
  record Bearer(String token) implements Credential {
    @Override
    public String toString() {
      return "Bearer";
    }
  }

  /**
   * Certificates that the client has presented, its own first, whose key TLS has verified; nothing else is.
   *
   * @param certificates at least one
   */
  record Chain(List<X509Certificate> certificates) implements Credential {
    public Chain {
      certificates = List.copyOf(certificates);
    }

    @Override
    public String toString() {
      return "Chain";
    }
  }

  /** Reads a header; empty if it is too long, of another scheme or malformed. */
  static Optional<Credential> parse(String header) {
    int space = header.indexOf(' ');
    if (space < 0 || header.length() > MOST) {
      return Optional.empty();
    }
    String scheme = header.substring(0, space);
    String rest = withoutSpaces(header.substring(space + 1));
    if (scheme.equalsIgnoreCase("Bearer")) {
      return rest.isEmpty() || !rest.chars().allMatch(c -> c > ' ' && c <= '~')
          ? Optional.empty()
          : Optional.of(new Bearer(rest));
    }
    return scheme.equalsIgnoreCase("Basic") ? basic(rest) : Optional.empty();
  }

  /** Spaces only: between scheme and token nothing else is allowed (RFC 7235). */
  private static String withoutSpaces(String text) {
    int from = 0;
    int to = text.length();
    while (from < to && text.charAt(from) == ' ') {
      from++;
    }
    while (to > from && text.charAt(to - 1) == ' ') {
      to--;
    }
    return text.substring(from, to);
  }

  private static Optional<Credential> basic(String base64) {
    try {
      byte[] bytes = Base64.getDecoder().decode(base64);
      String pair = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      int colon = pair.indexOf(':');
      return colon < 1 ? Optional.empty()
          : Optional.of(new Basic(pair.substring(0, colon), pair.substring(colon + 1)));
    } catch (IllegalArgumentException | CharacterCodingException e) {
      return Optional.empty();
    }
  }
}
