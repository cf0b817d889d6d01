package io.rns.client.http;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.NoSuchAlgorithmException;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * The certificates that a client accepts from HTTPS servers, and the one that it presents to them, if any. The name in
 * a certificate is always checked, too. Thread-safe.
 */
public final class TlsTrust {
  /** The certificate authorities of the Java installation, with the TLS settings of this JVM. */
  public static final TlsTrust SYSTEM = new TlsTrust(null, true, null, null);

  /** A file of certificate authorities has a few KB; the largest public collection has 250 KB. */
  private static final long MOST_BYTES = 4L << 20;

  private final @Nullable SSLContext context;
  private final boolean mayPresent;

  /** What is accepted; null for what the Java installation does. */
  private final TrustManager @Nullable [] accepted;

  private final @Nullable ClientCertificate certificate;
  private volatile @Nullable Presented presented;

  /** A context that presents a certificate as last read. */
  private record Presented(ClientCertificate.Loaded loaded, SSLContext context) {}

  private TlsTrust(
      @Nullable SSLContext context, boolean mayPresent, TrustManager @Nullable [] accepted,
      @Nullable ClientCertificate certificate) {
    this.context = context;
    this.mayPresent = mayPresent;
    this.accepted = accepted;
    this.certificate = certificate;
  }

  /** What a context accepts, with its client certificate if it has one. */
  public static TlsTrust of(SSLContext context) {
    return new TlsTrust(context, false, null, null);
  }

  /**
   * The same with a certificate for servers that ask for one. Its key never leaves this process, and a server that is
   * not accepted does not get the certificate either.
   *
   * @throws IllegalStateException if this was made of a context, which has its own keys
   */
  public TlsTrust presenting(ClientCertificate own) {
    if (!mayPresent) {
      throw new IllegalStateException("put the client's certificate into the context instead");
    }
    return new TlsTrust(context, true, accepted, own);
  }

  /**
   * Certificates in a PEM file, and what they have signed; nothing else.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST} if the file cannot be read or has no certificate
   */
  public static TlsTrust file(Path pem) {
    return trusting(pem, List.of());
  }

  /**
   * Certificates in a PEM file and those of the Java installation.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST} if the file cannot be read or has no certificate
   */
  public static TlsTrust fileAndSystem(Path pem) {
    try {
      return trusting(pem, List.of(x509(null).getAcceptedIssuers()));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the certificate authorities of this Java cannot be read", e);
    }
  }

  private static TlsTrust trusting(Path pem, List<X509Certificate> others) {
    List<Certificate> certificates = new ArrayList<>(certificates(pem));
    certificates.addAll(others);
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      for (int i = 0; i < certificates.size(); i++) {
        store.setCertificateEntry("trusted-" + i, certificates.get(i));
      }
      TrustManager[] accepted = {x509(store)};
      return new TlsTrust(context(null, accepted), true, accepted, null);
    } catch (GeneralSecurityException | IOException e) {
      throw unusable(pem, "cannot be used: " + e.getMessage(), e);
    }
  }

  /**
   * What decides about the chains of servers, but not about the names in them.
   *
   * @throws IllegalStateException if this was made of a context, which has its own
   */
  public X509TrustManager authorities() {
    if (!mayPresent) {
      throw new IllegalStateException("the context decides");
    }
    if (accepted != null) {
      return (X509TrustManager) accepted[0];
    }
    try {
      return x509(null);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the certificate authorities of this Java cannot be read", e);
    }
  }

  private static SSLContext context(@Nullable CertificateKeys keys, TrustManager @Nullable [] accepted)
      throws GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys == null ? null : new KeyManager[]{keys}, accepted, null);
    return context;
  }

  private static Collection<? extends Certificate> certificates(Path pem) {
    try {
      if (Files.size(pem) > MOST_BYTES) {
        throw unusable(pem, "has more than " + MOST_BYTES + " bytes", null);
      }
      try (InputStream in = Files.newInputStream(pem)) {
        Collection<? extends Certificate> found = CertificateFactory.getInstance("X.509").generateCertificates(in);
        if (found.isEmpty()) {
          throw unusable(pem, "has no certificate", null);
        }
        return found;
      }
    } catch (NoSuchFileException e) {
      throw unusable(pem, "does not exist", e);
    } catch (IOException e) {
      throw unusable(pem, "cannot be read: " + e.getMessage(), e);
    } catch (CertificateException e) {
      throw unusable(pem, "has no certificates in PEM: " + e.getMessage(), e);
    }
  }

  private static RnsException unusable(Path pem, String why, @Nullable Exception cause) {
    return new RnsException(RnsError.INVALID_REQUEST, "the file of trusted certificates '" + pem + "' " + why, cause);
  }

  /** With a store of null, those of the Java installation. */
  private static X509TrustManager x509(@Nullable KeyStore store) throws GeneralSecurityException {
    TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    for (TrustManager manager : factory.getTrustManagers()) {
      if (manager instanceof X509TrustManager found) {
        return found;
      }
    }
    throw new GeneralSecurityException("this Java has no trust manager for X.509");
  }

  /** Makes sockets that check certificates; whoever uses one sets that names are checked. */
  public SSLSocketFactory sockets() {
    SSLContext own = own();
    return own == null ? (SSLSocketFactory) SSLSocketFactory.getDefault() : own.getSocketFactory();
  }

  /**
   * Makes the client's side of a connection, which checks the certificate and that it is for {@code host}.
   *
   * @param host a name or an address, as in the URL
   */
  public SSLEngine engine(String host, int port) {
    try {
      SSLContext own = own();
      SSLEngine engine = (own == null ? SSLContext.getDefault() : own).createSSLEngine(host, port);
      engine.setUseClientMode(true);
      SSLParameters parameters = engine.getSSLParameters();
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      engine.setSSLParameters(parameters);
      return engine;
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java has no TLS", e);
    }
  }

  /** The context of new connections; null for that of the JVM. */
  private @Nullable SSLContext own() {
    ClientCertificate presenting = certificate;
    return presenting == null ? context : presented(presenting);
  }

  /** A new context for a new certificate: sessions that began with the former one must not be resumed. */
  private SSLContext presented(ClientCertificate own) {
    ClientCertificate.Loaded loaded = own.current();
    Presented before = presented;
    if (before != null && before.loaded().version() == loaded.version()) {
      return before.context();
    }
    try {
      Presented now = new Presented(loaded, context(new CertificateKeys(loaded), accepted));
      presented = now;
      return now.context();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no TLS", e);
    }
  }

  /** The number of what new connections present to servers: another than before once the certificate has changed. */
  long identity() {
    ClientCertificate own = certificate;
    return own == null ? 0 : own.current().version();
  }

  /**
   * Opens an address with the HTTP client of Java, which checks names.
   *
   * @throws IOException if it is not an address of http or https
   */
  public HttpURLConnection open(URI address) throws IOException {
    if (!(address.toURL().openConnection() instanceof HttpURLConnection http)) {
      throw new IOException("not an address of http or https");
    }
    if (http instanceof HttpsURLConnection secured) {
      secured.setSSLSocketFactory(sockets());
    }
    return http;
  }
}
