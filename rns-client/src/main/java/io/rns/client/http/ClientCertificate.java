package io.rns.client.http;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * The certificate of a client, of a server that is a client of others, or a proxy certificate, from PEM files: the
 * chain, the client's certificate first, and its unencrypted key in PKCS#8, PKCS#1 or SEC 1. A file may have both, as
 * proxies do. Changed files are used for new connections within a second, so whoever renews a proxy replaces the file;
 * while they cannot be used, the former certificate stays. Thread-safe.
 */
public final class ClientCertificate {
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long MOST_BYTES = 1 << 20;
  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----(.*?)-----END \\1-----", Pattern.DOTALL);
  private static final String CERTIFICATE = "CERTIFICATE";

  private final Path chainFile;
  private final Path keyFile;
  private final AtomicLong lookedAt = new AtomicLong(System.nanoTime());
  private volatile Loaded loaded;

  /**
   * What the files had when they were read, and what it means.
   *
   * @param version another for each time that they were read
   */
  record Loaded(long version, List<Object> files, List<X509Certificate> chain, PrivateKey key) {}

  private ClientCertificate(Path chainFile, Path keyFile) {
    this.chainFile = chainFile;
    this.keyFile = keyFile;
    this.loaded = load(1);
  }

  /**
   * Reads a file that has chain and key.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST} if it cannot be used, or others may read it
   */
  public static ClientCertificate file(Path pem) {
    return files(pem, pem);
  }

  /**
   * Reads the files of a chain and its key.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST} if they cannot be used, or others may read the key
   */
  public static ClientCertificate files(Path chain, Path key) {
    return new ClientCertificate(chain, key);
  }

  /** When the first certificate of the chain expires. */
  public Instant expiry() {
    return loaded.chain().stream().map(certificate -> certificate.getNotAfter().toInstant())
        .min(Instant::compareTo).orElseThrow();
  }

  /** A number that changes with the files. */
  public long version() {
    return current().version();
  }

  /**
   * A new context that presents the certificate as it is now, to clients and to servers.
   *
   * @param accepted decides about the certificates of the other end, and the names in them
   */
  public SSLContext context(TrustManager accepted) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(new KeyManager[]{new CertificateKeys(current())}, new TrustManager[]{accepted}, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no TLS", e);
    }
  }

  /** The same object as long as the files stay as they are. */
  Loaded current() {
    long looked = lookedAt.get();
    long now = System.nanoTime();
    if (now - looked > LOOK_NANOS && lookedAt.compareAndSet(looked, now)) {
      look();
    }
    return loaded;
  }

  private void look() {
    try {
      if (!loaded.files().equals(state())) {
        loaded = load(loaded.version() + 1);
      }
    } catch (IOException | RnsException e) {
      // Being replaced, perhaps: the former certificate does for now, and a server says so if it does not.
    }
  }

  private List<Object> state() throws IOException {
    List<Object> state = new ArrayList<>();
    for (Path file : List.of(chainFile, keyFile)) {
      BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
      state.add(attributes.lastModifiedTime());
      state.add(attributes.size());
      state.add(String.valueOf(attributes.fileKey()));
    }
    return List.copyOf(state);
  }

  private Loaded load(long version) {
    try {
      List<Object> state = state();
      List<X509Certificate> chain = chain(text(chainFile));
      requirePrivate();
      PrivateKey key = key(text(keyFile), chain.get(0));
      return new Loaded(version, state, chain, key);
    } catch (NoSuchFileException e) {
      throw unusable("there is no file '" + e.getMessage() + "' of a certificate or its key", e);
    } catch (IOException e) {
      throw unusable("the certificate cannot be read: " + e.getMessage(), e);
    }
  }

  private static String text(Path file) throws IOException {
    if (Files.size(file) > MOST_BYTES) {
      throw unusable("'" + file + "' is no certificate: it has more than " + MOST_BYTES + " bytes", null);
    }
    return Files.readString(file, StandardCharsets.ISO_8859_1);
  }

  private List<X509Certificate> chain(String pem) {
    List<X509Certificate> chain = new ArrayList<>();
    try {
      CertificateFactory factory = CertificateFactory.getInstance("X.509");
      for (Matcher block = BLOCK.matcher(pem); block.find();) {
        if (block.group(1).equals(CERTIFICATE)) {
          byte[] encoded = decoded(block.group(2));
          chain.add((X509Certificate) factory.generateCertificate(new ByteArrayInputStream(encoded)));
        }
      }
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw unusable("'" + chainFile + "' has a malformed certificate", e);
    }
    if (chain.isEmpty()) {
      throw unusable("'" + chainFile + "' has no certificate in PEM (BEGIN CERTIFICATE)", null);
    }
    return List.copyOf(chain);
  }

  private static byte[] decoded(String base64) {
    return java.util.Base64.getMimeDecoder().decode(base64.strip());
  }

  private void requirePrivate() throws IOException {
    try {
      if (Files.getPosixFilePermissions(keyFile).contains(PosixFilePermission.OTHERS_READ)) {
        throw unusable("the key in '" + keyFile + "' can be read by everyone; run: chmod 600 " + keyFile, null);
      }
    } catch (UnsupportedOperationException e) {
      // No such permissions on this system.
    }
  }

  private PrivateKey key(String pem, X509Certificate of) {
    for (Matcher block = BLOCK.matcher(pem); block.find();) {
      String kind = block.group(1);
      if (!kind.endsWith("PRIVATE KEY")) {
        continue;
      }
      if (kind.startsWith("ENCRYPTED") || block.group(2).contains("ENCRYPTED")) {
        throw unusable("the key in '" + keyFile + "' is encrypted; use a proxy, or decrypt it with: openssl pkey",
            null);
      }
      try {
        PrivateKey key = PemKey.read(kind, decoded(block.group(2)), of.getPublicKey());
        if (!PemKey.isOf(key, of.getPublicKey())) {
          throw unusable(
              "the key in '" + keyFile + "' is not that of the first certificate in '" + chainFile + "'", null);
        }
        return key;
      } catch (GeneralSecurityException | IllegalArgumentException e) {
        throw unusable("the key in '" + keyFile + "' cannot be used with its certificate", e);
      }
    }
    throw unusable("'" + keyFile + "' has no private key in PEM (BEGIN PRIVATE KEY)", null);
  }

  private static RnsException unusable(String why, @Nullable Exception cause) {
    return new RnsException(RnsError.INVALID_REQUEST, why, cause);
  }
}
