package io.rns.guard;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Takes every certificate chain of a client that is not too long. TLS proves that the client has the key of the first
 * certificate, nothing more: whether the chain means anything is for the application to find out, which knows proxy
 * certificates.
 */
final class AnyClientChain extends X509ExtendedTrustManager {
  /** The most certificates in a chain. Java's TLS limits its size, to 32 KiB. */
  static final int MOST_CERTIFICATES = 8;

  /** No certificate of a server is taken, and none is told to clients as wanted. */
  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
    check(chain);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket) throws CertificateException {
    check(chain);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    check(chain);
  }

  private static void check(X509Certificate[] chain) throws CertificateException {
    if (chain.length > MOST_CERTIFICATES) {
      throw new CertificateException(
          "the chain has " + chain.length + " certificates; allowed are " + MOST_CERTIFICATES);
    }
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
    throw noServer();
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket) throws CertificateException {
    throw noServer();
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    throw noServer();
  }

  private static CertificateException noServer() {
    return new CertificateException("a listener trusts no server");
  }
}
