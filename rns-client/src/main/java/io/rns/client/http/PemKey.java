package io.rns.client.http;

import java.io.ByteArrayOutputStream;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;

/** Private keys as PEM files have them. */
final class PemKey {
  private static final int SEQUENCE = 0x30;
  private static final int OCTETS = 0x04;
  private static final byte[] VERSION_0 = {2, 1, 0};
  private static final int LONG_FORM = 0x80;

  private PemKey() {}

  /**
   * Reads a key.
   *
   * @param kind what follows {@code BEGIN}: {@code PRIVATE KEY} (PKCS#8), {@code RSA PRIVATE KEY} (PKCS#1) or
   *        {@code EC PRIVATE KEY} (SEC 1)
   * @param of the public key, whose algorithm and parameters it shares
   */
  static PrivateKey read(String kind, byte[] encoded, PublicKey of) throws GeneralSecurityException {
    byte[] pkcs8 = switch (kind) {
      case "PRIVATE KEY" -> encoded;
      case "RSA PRIVATE KEY", "EC PRIVATE KEY" ->
        // PKCS#8 (RFC 5208) is the other two with their algorithm in front.
        element(SEQUENCE, VERSION_0, algorithm(of.getEncoded()), element(OCTETS, encoded));
      default -> throw new InvalidKeyException("a key of an unknown kind: " + kind);
    };
    return KeyFactory.getInstance(of.getAlgorithm()).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
  }

  /** Whether a private key is that of a public one. */
  static boolean isOf(PrivateKey key, PublicKey of) throws GeneralSecurityException {
    String algorithm = of.getAlgorithm();
    Signature signature = Signature.getInstance(
        switch (algorithm) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          default -> algorithm;
        });
    byte[] sample = of.getEncoded();
    signature.initSign(key);
    signature.update(sample);
    byte[] signed = signature.sign();
    signature.initVerify(of);
    signature.update(sample);
    return signature.verify(signed);
  }

  /** The first element in the sequence that an encoded public key is (RFC 5280, section 4.1). */
  private static byte[] algorithm(byte[] publicKey) throws InvalidKeyException {
    try {
      int start = content(publicKey, 0);
      int content = content(publicKey, start);
      return Arrays.copyOfRange(publicKey, start, content + length(publicKey, start));
    } catch (ArrayIndexOutOfBoundsException e) {
      throw new InvalidKeyException("the public key has an unknown encoding", e);
    }
  }

  private static int content(byte[] der, int at) {
    int first = Byte.toUnsignedInt(der[at + 1]);
    return at + 2 + (first < LONG_FORM ? 0 : first - LONG_FORM);
  }

  private static int length(byte[] der, int at) {
    int first = Byte.toUnsignedInt(der[at + 1]);
    if (first < LONG_FORM) {
      return first;
    }
    int length = 0;
    for (int i = 0; i < first - LONG_FORM; i++) {
      length = (length << Byte.SIZE) + Byte.toUnsignedInt(der[at + 2 + i]);
    }
    return length;
  }

  /** An element of less than 64 KiB. */
  private static byte[] element(int tag, byte[]... parts) {
    int length = Arrays.stream(parts).mapToInt(part -> part.length).sum();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(tag);
    if (length < LONG_FORM) {
      out.write(length);
    } else {
      int octets = length >> Byte.SIZE == 0 ? 1 : 2;
      out.write(LONG_FORM + octets);
      for (int i = octets - 1; i >= 0; i--) {
        out.write(length >> (i * Byte.SIZE));
      }
    }
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }
}
