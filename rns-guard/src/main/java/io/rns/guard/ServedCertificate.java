package io.rns.guard;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * The certificate that the listener presents, from two PEM files: the chain, and the key in PKCS#8. Changed files are
 * taken over by new connections within 10 s; while they do not fit together, the former certificate stays. Thread-safe.
 */
final class ServedCertificate implements ServedCertificateMXBean {
  private static final long LOOK_NANOS = Duration.ofSeconds(10).toNanos();
  private static final Pattern KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");

  private final Path chainFile;
  private final Path keyFile;
  private final TrustManager @Nullable [] trust;
  private final AtomicLong lookedAt = new AtomicLong(System.nanoTime());
  private volatile Loaded loaded;
  private volatile String problem = "";

  /** Content of the files, and what it means. */
  private record Loaded(String chain, String key, SSLContext context, long notAfterMillis) {}

  /**
   * Reads the files.
   *
   * @param takesClientChains whether clients may present certificates, of whatever authority
   * @throws IOException if they cannot be used
   */
  ServedCertificate(Path chainFile, Path keyFile, boolean takesClientChains) throws IOException {
    this.chainFile = chainFile;
    this.keyFile = keyFile;
    this.trust = takesClientChains ? new TrustManager[]{new AnyClientChain()} : null;
    loaded = load(text(chainFile), text(keyFile));
  }

  /** The context for a new connection. */
  SSLContext context() {
    long looked = lookedAt.get();
    long now = System.nanoTime();
    if (now - looked > LOOK_NANOS && lookedAt.compareAndSet(looked, now)) {
      look();
    }
    return loaded.context();
  }

  /** Takes changed files over. */
  void look() {
    try {
      String chain = text(chainFile);
      String key = text(keyFile);
      Loaded present = loaded;
      if (!present.chain().equals(chain) || !present.key().equals(key)) {
        loaded = load(chain, key);
      }
      problem = "";
    } catch (IOException e) {
      problem = String.valueOf(e.getMessage());
    }
  }

  @Override
  public long getNotAfterMillis() {
    return loaded.notAfterMillis();
  }

  @Override
  public String getProblem() {
    look();
    return problem;
  }

  private static String text(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.ISO_8859_1);
  }

  private Loaded load(String chain, String key) throws IOException {
    try {
      Certificate[] certificates =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(chain.getBytes(StandardCharsets.ISO_8859_1)))
              .toArray(Certificate[]::new);
      if (certificates.length == 0 || !(certificates[0] instanceof X509Certificate own)) {
        throw new IOException(chainFile + " has no certificate");
      }
      // In memory only; the password protects nothing.
      char[] password = new char[0];
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, password);
      store.setKeyEntry("server", privateKey(key, own), password, certificates);
      KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(store, password);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), trust, null);
      return new Loaded(chain, key, context, own.getNotAfter().toInstant().toEpochMilli());
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new IOException(chainFile + " and " + keyFile + " cannot be used together: " + e.getMessage(), e);
    }
  }

  private PrivateKey privateKey(String pem, X509Certificate of) throws IOException, GeneralSecurityException {
    Matcher found = KEY.matcher(pem);
    if (!found.find()) {
      throw new IOException(keyFile + " has no unencrypted key in PKCS#8 (BEGIN PRIVATE KEY)");
    }
    byte[] encoded = Base64.getMimeDecoder().decode(found.group(1));
    return KeyFactory.getInstance(of.getPublicKey().getAlgorithm()).generatePrivate(new PKCS8EncodedKeySpec(encoded));
  }
}
