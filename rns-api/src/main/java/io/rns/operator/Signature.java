package io.rns.operator;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The header {@link OperatorKey#HEADER} of a request or a response. {@link OperatorKey} verifies it.
 *
 * @param millis the time of signing by the clock of the signer, in ms since 1970
 * @param nonce 128 random bits of the request, in hexadecimal; the response repeats them
 * @param about for a request the host and port it is sent to, for a response the HTTP status
 * @param digest the SHA-256 of the body, in hexadecimal
 * @param mac the HMAC-SHA256 of the other components and of method and path, in hexadecimal
 */
public record Signature(long millis, String nonce, String about, String digest, String mac) {
  private static final Pattern FORM =
      Pattern.compile("1 ([0-9]{1,15}) ([0-9a-f]{32}) ([!-~]{1,300}) ([0-9a-f]{64}) ([0-9a-f]{64})");

  /** Parses the value of a header; empty if it is malformed. */
  public static Optional<Signature> parse(String header) {
    Matcher parts = FORM.matcher(header);
    return parts.matches()
        ? Optional.of(
            new Signature(
                Long.parseLong(parts.group(1)), parts.group(2), parts.group(3), parts.group(4), parts.group(5)))
        : Optional.empty();
  }

  /** The value of the header. */
  public String header() {
    return String.join(" ", "1", Long.toString(millis), nonce, about, digest, mac);
  }
}
