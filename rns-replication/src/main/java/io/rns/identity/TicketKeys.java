package io.rns.identity;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Derives the root keys of tickets from the secret of the servers, so that no key is stored. Immutable. */
public final class TicketKeys {
  private static final String ALGORITHM = "HmacSHA256";

  private final SecretKeySpec root;

  /** The keys of a secret, which is not empty. */
  public TicketKeys(String secret) {
    SecretKeySpec given = new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM);
    this.root = new SecretKeySpec(mac(given, "rns ticket 1"), ALGORITHM);
  }

  /** The root key with a number. */
  public byte[] key(long number) {
    return mac(root, Long.toString(number));
  }

  private static byte[] mac(SecretKeySpec key, String text) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
