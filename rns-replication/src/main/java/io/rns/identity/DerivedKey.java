package io.rns.identity;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A key for one purpose, derived from the secret of the servers by HMAC-SHA256. Immutable. */
final class DerivedKey {
  private static final String ALGORITHM = "HmacSHA256";

  private final SecretKeySpec key;

  /**
   * Derives a key.
   *
   * @param secret of the servers, not empty
   */
  DerivedKey(String secret, String purpose) {
    SecretKeySpec given = new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM);
    this.key = new SecretKeySpec(mac(given, purpose), ALGORITHM);
  }

  /** The HMAC-SHA256 of a text. */
  byte[] mac(String text) {
    return mac(key, text);
  }

  private static byte[] mac(SecretKeySpec with, String text) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(with);
      return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java platform has no " + ALGORITHM, e);
    }
  }
}
