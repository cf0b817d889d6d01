package io.rns.identity;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;

/**
 * A password hashed with Argon2id. The text form is the usual one: {@code $argon2id$v=19$m=19456,t=2,p=1$SALT$HASH}.
 */
final class PasswordHash {
  /** Memory of one hash in KiB; with two passes what OWASP recommends at least. */
  static final int MEMORY_KIB = 19_456;

  private static final int PASSES = 2;
  private static final int SALT_BYTES = 16;
  private static final int HASH_BYTES = 32;

  /** What hashes of others may cost: 64 MiB, 10 passes, 4 lanes. */
  private static final int MOST_MEMORY_KIB = 65_536;
  private static final int MOST_PASSES = 10;
  private static final int MOST_LANES = 4;

  private static final Pattern FORM =
      Pattern.compile(
          "\\$argon2id\\$v=19\\$m=([0-9]{1,6}),t=([0-9]{1,2}),p=([0-9])\\$([A-Za-z0-9+/]{11,86})\\$([A-Za-z0-9+/]{22,86})");

  private final int memoryKib;
  private final int passes;
  private final int lanes;
  private final byte[] salt;
  private final byte[] hash;

  private PasswordHash(int memoryKib, int passes, int lanes, byte[] salt, byte[] hash) {
    this.memoryKib = memoryKib;
    this.passes = passes;
    this.lanes = lanes;
    this.salt = salt;
    this.hash = hash;
  }

  /** Hashes a password with a new salt. */
  static PasswordHash of(String password) {
    byte[] salt = new byte[SALT_BYTES];
    new SecureRandom().nextBytes(salt);
    byte[] hash = compute(password, MEMORY_KIB, PASSES, 1, salt, HASH_BYTES);
    return new PasswordHash(MEMORY_KIB, PASSES, 1, salt, hash);
  }

  /**
   * Reads the text form.
   *
   * @throws IllegalArgumentException if it is another form, or costs more than is allowed
   */
  static PasswordHash parse(String text) {
    Matcher parts = FORM.matcher(text);
    if (!parts.matches()) {
      throw new IllegalArgumentException("the hash does not have the form $argon2id$v=19$m=19456,t=2,p=1$SALT$HASH");
    }
    int memory = Integer.parseInt(parts.group(1));
    int passes = Integer.parseInt(parts.group(2));
    int lanes = Integer.parseInt(parts.group(3));
    if (lanes < 1 || lanes > MOST_LANES || memory < 8 * lanes || memory > MOST_MEMORY_KIB || passes < 1
        || passes > MOST_PASSES) {
      throw new IllegalArgumentException(
          "the hash has m=" + memory + ",t=" + passes + ",p=" + lanes + "; allowed are at most m=" + MOST_MEMORY_KIB
              + ",t=" + MOST_PASSES + ",p=" + MOST_LANES);
    }
    return new PasswordHash(
        memory, passes, lanes, Base64.getDecoder().decode(parts.group(4)), Base64.getDecoder().decode(parts.group(5)));
  }

  /** Whether it is the hash of a password; takes as long for one that is not. */
  boolean matches(String password) {
    return MessageDigest.isEqual(hash, compute(password, memoryKib, passes, lanes, salt, hash.length));
  }

  private static byte[] compute(String password, int memoryKib, int passes, int lanes, byte[] salt, int length) {
    Argon2BytesGenerator generator = new Argon2BytesGenerator();
    generator.init(
        new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id)
            .withVersion(Argon2Parameters.ARGON2_VERSION_13)
            .withMemoryAsKB(memoryKib)
            .withIterations(passes)
            .withParallelism(lanes)
            .withSalt(salt)
            .build());
    byte[] computed = new byte[length];
    generator.generateBytes(password.getBytes(StandardCharsets.UTF_8), computed);
    return computed;
  }

  /** The text form. */
  String text() {
    Base64.Encoder base64 = Base64.getEncoder().withoutPadding();
    return "$argon2id$v=19$m=" + memoryKib + ",t=" + passes + ",p=" + lanes + "$" + base64.encodeToString(salt) + "$"
        + base64.encodeToString(hash);
  }
}
