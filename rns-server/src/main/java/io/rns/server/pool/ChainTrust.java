package io.rns.server.pool;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Objects;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Has one check decide about the certificates of the other end, whichever side of the connection that is, and about the
 * names in them.
 */
final class ChainTrust extends X509ExtendedTrustManager {
  private final Check check;

  /** Decides about a chain. */
  interface Check {
    /**
     * Checks a chain.
     *
     * @param chain the certificate of the other end first; TLS verifies that it has the key
     * @param host the address that the connection leads to; empty if the other end has opened it
     * @throws CertificateException if it is refused
     */
    void check(X509Certificate[] chain, String host) throws CertificateException;
  }

  ChainTrust(Check check) {
    this.check = check;
  }

  /** No authority is named to clients: whoever issued their certificate is checked afterwards. */
  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
    check.check(chain, "");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket) throws CertificateException {
    check.check(chain, "");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    check(chain, engine);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
    check.check(chain, "");
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket) throws CertificateException {
    check.check(chain, "");
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    check(chain, engine);
  }

  private void check(X509Certificate[] chain, SSLEngine engine) throws CertificateException {
    check.check(chain, Objects.requireNonNullElse(engine.getPeerHost(), ""));
  }
}
