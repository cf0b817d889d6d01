package io.rns.identity;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Keyed hashes of credentials, so that these need not be kept. The hash of a certificate chain is computed once per
 * connection: its certificates are the same objects for each request. Thread-safe.
 */
final class CredentialHash {
  private static final int KEY_BYTES = 64;
  private static final int MOST_CHAINS = 20_000;
  private static final Duration IDLE = Duration.ofMinutes(10);

  private final MessageDigest ofHeaders = keyed();
  private final MessageDigest ofChains = keyed();
  private final Cache<X509Certificate, HashedChain> chains =
      Caffeine.newBuilder().weakKeys().maximumSize(MOST_CHAINS).expireAfterAccess(IDLE).executor(Runnable::run).build();

  /** Half of the keyed SHA-256 hash: what cannot be guessed or made to collide without the key. */
  record Value(long high, long low) {}

  /**
   * The hash of a chain.
   *
   * @param issuers the certificates after the first, which would not be forgotten if it were among them
   */
  private record HashedChain(List<X509Certificate> issuers, Value hash) {
    boolean isOf(List<X509Certificate> chain) {
      if (chain.size() != issuers.size() + 1) {
        return false;
      }
      for (int i = 0; i < issuers.size(); i++) {
        if (!chain.get(i + 1).equals(issuers.get(i))) {
          return false;
        }
      }
      return true;
    }
  }

  private static MessageDigest keyed() {
    byte[] key = new byte[KEY_BYTES];
    new SecureRandom().nextBytes(key);
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(key);
      return digest;
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The hash of a header. */
  Value of(String header) {
    return value(copy(ofHeaders).digest(header.getBytes(StandardCharsets.UTF_8)));
  }

  /**
   * The hash of a chain of at least one certificate.
   *
   * @throws CertificateEncodingException if a certificate has no encoding
   */
  Value of(List<X509Certificate> chain) throws CertificateEncodingException {
    X509Certificate first = chain.getFirst();
    // Compared by identity: the first certificate may be that of several chains.
    HashedChain known = chains.getIfPresent(first);
    if (known != null && known.isOf(chain)) {
      return known.hash();
    }
    MessageDigest digest = copy(ofChains);
    for (X509Certificate certificate : chain) {
      byte[] encoded = certificate.getEncoded();
      digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(encoded.length).array());
      digest.update(encoded);
    }
    Value hash = value(digest.digest());
    chains.put(first, new HashedChain(new ArrayList<>(chain.subList(1, chain.size())), hash));
    return hash;
  }

  private static MessageDigest copy(MessageDigest digest) {
    try {
      return (MessageDigest) digest.clone();
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Value value(byte[] digest) {
    ByteBuffer hash = ByteBuffer.wrap(digest);
    return new Value(hash.getLong(), hash.getLong());
  }
}
