package io.rns.server.store;

import io.rns.api.Caller;
import io.rns.api.RequestId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * The key of the stored response to a request: its id and its caller, so that a caller cannot use another's id. Callers
 * without a name share one space of ids.
 *
 * @param text the id of a caller without a name, or a digest with a mark that no id has, in ASCII; at most 64 bytes
 */
public record RequestKey(String text) {
  private static final String MARK = "\u0001";

  /** The key of a caller's id. */
  public static RequestKey of(Caller caller, RequestId id) {
    if (caller.name().isEmpty()) {
      return new RequestKey(id.text());
    }
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(id.text().getBytes(StandardCharsets.US_ASCII));
      digest.update((byte) 0);
      byte[] both = digest.digest(caller.name().getBytes(StandardCharsets.UTF_8));
      return new RequestKey(MARK + Base64.getUrlEncoder().withoutPadding().encodeToString(both));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  byte[] bytes() {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  static RequestKey ofBytes(byte[] bytes) {
    return new RequestKey(new String(bytes, StandardCharsets.US_ASCII));
  }
}
