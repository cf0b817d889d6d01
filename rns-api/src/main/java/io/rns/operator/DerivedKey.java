package io.rns.operator;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A key for one purpose, derived from the secret of the servers by HMAC-SHA256. Immutable. */
public final class DerivedKey {
  private static final String ALGORITHM = "HmacSHA256";

  private final SecretKeySpec key;

  /**
   * Derives a key.
   *
   * @param secret of the servers, not empty
   */
  public DerivedKey(String secret, String purpose) {
    SecretKeySpec given = new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM);
    this.key = new SecretKeySpec(started(given).doFinal(purpose.getBytes(StandardCharsets.UTF_8)), ALGORITHM);
  }

  /** The HMAC-SHA256 of a text. */
  public byte[] mac(String text) {
    return started(key).doFinal(text.getBytes(StandardCharsets.UTF_8));
  }

  /** An HMAC-SHA256 with this key, for one thread: it is ready for a first message, and again after each. */
  public Mac start() {
    return started(key);
  }

  private static Mac started(SecretKeySpec with) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(with);
      return mac;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java platform has no " + ALGORITHM, e);
    }
  }
}
