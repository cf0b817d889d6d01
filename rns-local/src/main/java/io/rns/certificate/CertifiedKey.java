package io.rns.certificate;

import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.openssl.PEMEncryptedKeyPair;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.bouncycastle.pkcs.PKCS8EncryptedPrivateKeyInfo;
import org.jspecify.annotations.Nullable;

/**
 * A private key and the chain of its certificate.
 *
 * @param chain the certificate, then its issuer, and so on; at least one
 * @param key of the first
 */
public record CertifiedKey(List<X509Certificate> chain, PrivateKey key) {
  private static final long MOST_BYTES = 1 << 20;
  private static final int DNS = 2;
  private static final int ADDRESS = 7;

  /** Copies the chain. */
  public CertifiedKey {
    chain = List.copyOf(chain);
  }

  /**
   * Reads PEM files: certificates, and an unencrypted key in any usual format.
   *
   * @throws UnusableCertificateException if a file cannot be read or used, others may read the key, the key is another
   *         certificate's, or the chain is not in order
   */
  public static CertifiedKey read(Path chainFile, Path keyFile) {
    List<X509Certificate> chain = certificates(chainFile);
    PrivateKey key = key(keyFile);
    if (!belongTogether(chain.getFirst(), key)) {
      throw unusable("the key in " + keyFile + " is not that of the first certificate in " + chainFile, null);
    }
    for (int i = 1; i < chain.size(); i++) {
      if (!isIssuedBy(chain.get(i - 1), chain.get(i))) {
        throw unusable(
            "the chain in " + chainFile + " is not in order: certificate " + (i + 1) + " has not issued certificate "
                + i,
            null);
      }
    }
    return new CertifiedKey(chain, key);
  }

  /**
   * The certificates in a PEM file.
   *
   * @throws UnusableCertificateException if it cannot be read or has none
   */
  public static List<X509Certificate> certificates(Path file) {
    List<X509Certificate> found = new ArrayList<>();
    try {
      for (Object object : objects(file)) {
        if (object instanceof X509CertificateHolder holder) {
          found.add(new JcaX509CertificateConverter().getCertificate(holder));
        }
      }
    } catch (java.security.cert.CertificateException e) {
      throw unusable(file + " has an invalid certificate: " + e.getMessage(), e);
    }
    if (found.isEmpty()) {
      throw unusable(file + " has no certificate in PEM (BEGIN CERTIFICATE)", null);
    }
    return found;
  }

  private static PrivateKey key(Path file) {
    JcaPEMKeyConverter converter = new JcaPEMKeyConverter();
    requirePrivate(file);
    try {
      for (Object object : objects(file)) {
        if (object instanceof PEMKeyPair pair) {
          return converter.getPrivateKey(pair.getPrivateKeyInfo());
        }
        if (object instanceof PrivateKeyInfo info) {
          return converter.getPrivateKey(info);
        }
        if (object instanceof PKCS8EncryptedPrivateKeyInfo || object instanceof PEMEncryptedKeyPair) {
          throw unusable("the key in " + file + " is encrypted; decrypt it with: openssl pkey -in " + file, null);
        }
      }
    } catch (IOException e) {
      throw unusable("the key in " + file + " cannot be used: " + e.getMessage(), e);
    }
    throw unusable(file + " has no private key in PEM (BEGIN PRIVATE KEY)", null);
  }

  private static void requirePrivate(Path file) {
    try {
      if (Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_READ)) {
        throw unusable("the key in " + file + " can be read by everyone; run: chmod 600 " + file, null);
      }
    } catch (NoSuchFileException e) {
      throw unusable("there is no file " + file, e);
    } catch (IOException e) {
      throw unusable(file + " cannot be read: " + e.getMessage(), e);
    }
  }

  private static List<Object> objects(Path file) {
    List<Object> objects = new ArrayList<>();
    try {
      if (Files.size(file) > MOST_BYTES) {
        throw unusable(file + " has more than " + MOST_BYTES + " bytes", null);
      }
      try (PEMParser parser = new PEMParser(Files.newBufferedReader(file))) {
        for (Object object = parser.readObject(); object != null; object = parser.readObject()) {
          objects.add(object);
        }
      }
      return objects;
    } catch (NoSuchFileException e) {
      throw unusable("there is no file " + file, e);
    } catch (IOException e) {
      throw unusable(file + " cannot be read as PEM: " + e.getMessage(), e);
    }
  }

  private static boolean belongTogether(X509Certificate certificate, PrivateKey key) {
    String algorithm = switch (key.getAlgorithm().toUpperCase(Locale.ROOT)) {
      case "EC", "ECDSA" -> "SHA256withECDSA";
      case "RSA" -> "SHA256withRSA";
      default -> key.getAlgorithm();
    };
    byte[] sample = certificate.getSerialNumber().toByteArray();
    try {
      Signature signing = Signature.getInstance(algorithm);
      signing.initSign(key);
      signing.update(sample);
      byte[] signature = signing.sign();
      Signature verifying = Signature.getInstance(algorithm);
      verifying.initVerify(certificate.getPublicKey());
      verifying.update(sample);
      return verifying.verify(signature);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  private static boolean isIssuedBy(X509Certificate certificate, X509Certificate issuer) {
    try {
      certificate.verify(issuer.getPublicKey());
      return true;
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  /**
   * Checks that the certificate is valid.
   *
   * @param file names it in the message
   * @throws UnusableCertificateException if it is not valid at this time
   */
  public void requireValid(Path file, Instant now) {
    Instant begin = leaf().getNotBefore().toInstant();
    if (now.isBefore(begin)) {
      throw unusable("the certificate in " + file + " is not valid before " + begin + "; check the clock", null);
    }
    if (!now.isBefore(expiry())) {
      throw unusable("the certificate in " + file + " expired at " + expiry() + "; renew it", null);
    }
  }

  /** The first certificate of the chain. */
  public X509Certificate leaf() {
    return chain.getFirst();
  }

  /** When the certificate expires. */
  public Instant expiry() {
    return leaf().getNotAfter().toInstant();
  }

  /** Names of hosts and addresses that the certificate is for. */
  public List<String> names() {
    List<String> names = new ArrayList<>();
    try {
      Collection<List<?>> all = leaf().getSubjectAlternativeNames();
      for (List<?> name : all == null ? List.<List<?>>of() : all) {
        if (name.get(0) instanceof Integer kind && (kind == DNS || kind == ADDRESS)) {
          names.add(String.valueOf(name.get(1)));
        }
      }
      return names;
    } catch (CertificateParsingException e) {
      throw unusable("the certificate has invalid names: " + e.getMessage(), e);
    }
  }

  /** Writes both as PEM files, the key in PKCS#8, readable by their owner only; each replaces a former file at once. */
  public void write(Path chainFile, Path keyFile) throws IOException {
    // The key first: who sees one of them only finds that they do not fit, and looks again.
    writePrivate(keyFile, pem(new JcaPKCS8Generator(key, null)));
    writeCertificates(chainFile, chain);
  }

  /** Writes certificates as a PEM file. */
  public static void writeCertificates(Path file, List<X509Certificate> certificates) throws IOException {
    writePrivate(file, pem(certificates.toArray()));
  }

  private static String pem(Object... objects) throws IOException {
    Writer text = new StringWriter();
    try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
      for (Object object : objects) {
        writer.writeObject(object);
      }
    }
    return text.toString();
  }

  private static void writePrivate(Path file, String text) throws IOException {
    Path draft = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(draft);
    Set<PosixFilePermission> owner = PosixFilePermissions.fromString("rw-------");
    Path made = Files.createFile(draft, PosixFilePermissions.asFileAttribute(owner));
    Files.writeString(made, text);
    Files.move(made, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  static UnusableCertificateException unusable(String message, @Nullable Throwable cause) {
    return new UnusableCertificateException(message, cause);
  }
}
