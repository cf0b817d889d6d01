package io.rns.audit;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.rns.operator.DerivedKey;
import java.util.HexFormat;
import javax.crypto.Mac;

/**
 * Computes the hashes of lines: HMAC-SHA256 over the hash of the line before, as it is written, and all bytes of the
 * line up to its own hash. The key is derived from the secret of the servers, so that nobody who has the files alone
 * can make a line. Without a secret the key is well known: then only accidents show. For one thread.
 */
public final class AuditChain {
  /** What the first line of all has in place of the hash before. */
  public static final String ORIGIN = "0".repeat(64);

  private static final String PURPOSE = "rns audit 1";
  private static final String NO_SECRET = "no secret";

  private final Mac mac;

  /**
   * The chain of a secret.
   *
   * @param secret of the servers; empty if they have none
   */
  public AuditChain(String secret) {
    this.mac = new DerivedKey(secret.isEmpty() ? NO_SECRET : secret, PURPOSE).start();
  }

  /**
   * The hash of a line, in hexadecimal.
   *
   * @param before the hash of the line before
   * @param line has the line without its hash
   * @param from where it begins
   * @param length of it
   */
  public String hash(String before, byte[] line, int from, int length) {
    mac.update(before.getBytes(US_ASCII));
    mac.update(line, from, length);
    return HexFormat.of().formatHex(mac.doFinal());
  }
}
