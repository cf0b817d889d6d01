package io.rns.operator;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs requests to servers and their answers by HMAC-SHA256, with a key of each kind derived from one secret. An
 * answer is bound to the nonce of its request, so no other one can take its place. It also makes ids that only who has
 * the secret can make. Immutable.
 */
public final class OperatorKey {
  /** The header of requests and answers. */
  public static final String HEADER = "RNS-Signature";

  /** The digest of no body. */
  public static final String EMPTY = digest(new byte[0]);

  private static final String ALGORITHM = "HmacSHA256";
  private static final String SEPARATOR = "\n";

  private final SecretKeySpec requests;
  private final SecretKeySpec answers;
  private final SecretKeySpec owners;

  /**
   * The key of a secret.
   *
   * @param secret what both sides know; whoever records a request can try secrets, so it should be random
   * @throws IllegalArgumentException if it is empty
   */
  public OperatorKey(String secret) {
    if (secret.isEmpty()) {
      throw new IllegalArgumentException("the secret is empty");
    }
    SecretKeySpec root = new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM);
    requests = new SecretKeySpec(mac(root, "rns request 1"), ALGORITHM);
    answers = new SecretKeySpec(mac(root, "rns answer 1"), ALGORITHM);
    owners = new SecretKeySpec(mac(root, "rns owner 1"), ALGORITHM);
  }

  /**
   * Signs a request.
   *
   * @param method of HTTP
   * @param path with its query as it is sent, below the address of the server
   * @param server host and port as in the {@code Host} header
   * @param digest of the body
   */
  public Signature signRequest(String method, String path, String server, long millis, String nonce, String digest) {
    return new Signature(millis, nonce, server, digest, requestMac(method, path, server, millis, nonce, digest));
  }

  /** Whether a request was signed with this key. The body has to be compared with its digest. */
  public boolean isRequest(Signature given, String method, String path) {
    return equal(given.mac(), requestMac(method, path, given.about(), given.millis(), given.nonce(), given.digest()));
  }

  private String requestMac(String method, String path, String server, long millis, String nonce, String digest) {
    return hex(mac(requests, String.join(SEPARATOR, method, path, server, Long.toString(millis), nonce, digest)));
  }

  /**
   * Signs an answer.
   *
   * @param status of HTTP
   * @param nonce of the request
   * @param digest of the body
   */
  public Signature signAnswer(int status, long millis, String nonce, String digest) {
    String about = Integer.toString(status);
    return new Signature(millis, nonce, about, digest, answerMac(about, millis, nonce, digest));
  }

  /** Whether an answer to the request with this nonce was signed with this key. */
  public boolean isAnswer(Signature given, int status, String nonce, String digest) {
    boolean same =
        given.about().equals(Integer.toString(status)) && given.nonce().equals(nonce) && given.digest().equals(digest);
    return same && equal(given.mac(), answerMac(given.about(), given.millis(), nonce, digest));
  }

  private String answerMac(String status, long millis, String nonce, String digest) {
    return hex(mac(answers, String.join(SEPARATOR, status, Long.toString(millis), nonce, digest)));
  }

  /**
   * What stands for an id of one owner: nobody without the secret can tell it, or make it for another owner.
   *
   * @param id without line ends
   * @return 64 hexadecimal digits
   */
  public String ownId(String owner, String id) {
    return hex(mac(owners, id + SEPARATOR + owner));
  }

  /** SHA-256 of a body, in hexadecimal. */
  public static String digest(byte[] body) {
    return hex(sha256().digest(body));
  }

  /** Bytes in hexadecimal. */
  public static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  /** SHA-256, which every Java platform has. */
  public static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java platform has no SHA-256", e);
    }
  }

  private static boolean equal(String given, String expected) {
    return MessageDigest.isEqual(
        given.getBytes(StandardCharsets.US_ASCII), expected.getBytes(StandardCharsets.US_ASCII));
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
