package io.rns.issuer;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.stream.IntStream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/** A key for 127.0.0.1 with a certificate of its own, made by the JDK's keytool. */
public final class TestKey {
  private static final char[] PASSWORD = "for-tests".toCharArray();

  private final KeyStore store;

  private TestKey(KeyStore store) {
    this.store = store;
  }

  /** Makes one; {@code bits} as the algorithm ({@code EC}, {@code RSA}) has them. */
  public static TestKey make(Path directory, String algorithm, int bits) throws Exception {
    return make(directory, algorithm, bits, "san=ip:127.0.0.1");
  }

  /** With a certificate of a little more than this size. */
  public static TestKey makeLarge(Path directory, int bytes) throws Exception {
    String names = IntStream.range(0, bytes / 200).mapToObj(i -> "dns:a" + i + ".b".repeat(96)).collect(joining(","));
    return make(directory, "EC", 256, "san=" + names);
  }

  private static TestKey make(Path directory, String algorithm, int bits, String extension) throws Exception {
    Path file = directory.resolve("key.p12");
    Files.deleteIfExists(file);
    Process keytool =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-genkeypair", "-alias", "server",
            "-keyalg", algorithm, "-keysize", Integer.toString(bits), "-dname", "CN=test", "-ext", extension,
            "-validity", "2", "-storetype", "PKCS12", "-keystore", file.toString(), "-storepass", new String(PASSWORD))
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("keytool.log").toFile())
            .start();
    if (keytool.waitFor() != 0) {
      throw new IOException(Files.readString(directory.resolve("keytool.log")));
    }
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, PASSWORD);
    }
    return new TestKey(store);
  }

  /** The certificate, as what it is. */
  public X509Certificate x509() throws GeneralSecurityException {
    return (X509Certificate) certificate();
  }

  /** The key. */
  public PrivateKey key() throws GeneralSecurityException {
    return (PrivateKey) store.getKey("server", PASSWORD);
  }

  /** The certificate. */
  public Certificate certificate() throws GeneralSecurityException {
    return store.getCertificate("server");
  }

  /** Writes {@code chain.pem} and {@code key.pem}. */
  public void write(Path directory) throws Exception {
    Key key = store.getKey("server", PASSWORD);
    Files.writeString(directory.resolve("chain.pem"), pem("CERTIFICATE", certificate().getEncoded()));
    Files.writeString(directory.resolve("key.pem"), pem("PRIVATE KEY", key.getEncoded()));
  }

  private static String pem(String what, byte[] content) {
    return "-----BEGIN " + what + "-----\n" + Base64.getMimeEncoder().encodeToString(content) + "\n-----END " + what
        + "-----\n";
  }

  /** A client that trusts it. */
  public SSLContext client() throws Exception {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[]{trust()}, null);
    return context;
  }

  /** What trusts it. */
  public TrustManager trust() throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("server", certificate());
    TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    return trust.getTrustManagers()[0];
  }

  /** A server that presents it. */
  public SSLContext server() throws Exception {
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return context;
  }
}
