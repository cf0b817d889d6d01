package io.rns.operator;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs requests to servers and their responses with HMAC-SHA256, using separate keys derived from one secret. A
 * response is bound to the nonce of its request, so it cannot be replayed for another. Immutable.
 */
public final class OperatorKey {
  /** The header of requests and responses. */
  public static final String HEADER = "RNS-Signature";

  /** The digest of an empty body. */
  public static final String EMPTY = digest(new byte[0]);

  private static final String ALGORITHM = "HmacSHA256";
  private static final String SEPARATOR = "\n";

  private final SecretKeySpec requests;
  private final SecretKeySpec answers;

  /**
   * Derives the keys from a secret.
   *
   * @param secret the shared secret; it should be random, because a recorded request permits offline guessing
   * @throws IllegalArgumentException if the secret is empty
   */
  public OperatorKey(String secret) {
    if (secret.isEmpty()) {
      throw new IllegalArgumentException("the secret is empty");
    }
    SecretKeySpec root = new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM);
    requests = new SecretKeySpec(mac(root, "rns request 1"), ALGORITHM);
    answers = new SecretKeySpec(mac(root, "rns answer 1"), ALGORITHM);
  }

  /**
   * Signs a request.
   *
   * @param method the HTTP method
   * @param path the path and query as sent, relative to the address of the server
   * @param server host and port as in the {@code Host} header
   * @param digest the digest of the body
   */
  public Signature signRequest(String method, String path, String server, long millis, String nonce, String digest) {
    return new Signature(millis, nonce, server, digest, requestMac(method, path, server, millis, nonce, digest));
  }

  /** Whether a request was signed with this key. The caller must also compare the digest with the body. */
  public boolean isRequest(Signature given, String method, String path) {
    return isSame(given.mac(), requestMac(method, path, given.about(), given.millis(), given.nonce(), given.digest()));
  }

  private String requestMac(String method, String path, String server, long millis, String nonce, String digest) {
    return hex(mac(requests, String.join(SEPARATOR, method, path, server, Long.toString(millis), nonce, digest)));
  }

  /**
   * Signs a response.
   *
   * @param status the HTTP status
   * @param nonce the nonce of the request
   * @param digest the digest of the body
   */
  public Signature signAnswer(int status, long millis, String nonce, String digest) {
    String about = Integer.toString(status);
    return new Signature(millis, nonce, about, digest, answerMac(about, millis, nonce, digest));
  }

  /** Whether a response to the request with this nonce was signed with this key. */
  public boolean isAnswer(Signature given, int status, String nonce, String digest) {
    boolean same =
        given.about().equals(Integer.toString(status)) && isSame(given.nonce(), nonce)
            && isSame(given.digest(), digest);
    return same && isSame(given.mac(), answerMac(given.about(), given.millis(), nonce, digest));
  }

  private String answerMac(String status, long millis, String nonce, String digest) {
    return hex(mac(answers, String.join(SEPARATOR, status, Long.toString(millis), nonce, digest)));
  }

  /** The SHA-256 of a body, in hexadecimal. */
  public static String digest(byte[] body) {
    return hex(sha256().digest(body));
  }

  /** Bytes in hexadecimal. */
  public static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  /** SHA-256, which every Java platform provides. */
  public static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java platform has no SHA-256", e);
    }
  }

  /** Whether two digests, MACs or other secrets are the same; takes as long wherever they differ. */
  public static boolean isSame(String given, String expected) {
    return MessageDigest.isEqual(given.getBytes(StandardCharsets.UTF_8), expected.getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] mac(SecretKeySpec key, String text) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java platform has no " + ALGORITHM, e);
    }
  }
}
