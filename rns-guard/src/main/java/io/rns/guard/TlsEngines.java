package io.rns.guard;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.glassfish.grizzly.ssl.SSLEngineConfigurator;

/**
 * Makes the TLS side of new connections: TLS 1.3 and 1.2, and only suites with forward secrecy and authenticated
 * encryption.
 */
final class TlsEngines extends SSLEngineConfigurator {
  private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

  private static final String[] SUITES = {
      "TLS_AES_128_GCM_SHA256",
      "TLS_AES_256_GCM_SHA384",
      "TLS_CHACHA20_POLY1305_SHA256",
      "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
      "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
      "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
      "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
      "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
      "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256"
  };

  private final ServedCertificate certificate;
  private final boolean asksForClientChains;

  /**
   * The TLS side of a listener.
   *
   * @param asksForClientChains whether clients are asked for a certificate; they need not have one
   */
  TlsEngines(ServedCertificate certificate, boolean asksForClientChains) {
    super(certificate.context(), false, false, false);
    this.certificate = certificate;
    this.asksForClientChains = asksForClientChains;
  }

  ServedCertificate certificate() {
    return certificate;
  }

  @Override
  public SSLEngine createSSLEngine() {
    SSLEngine engine = certificate.context().createSSLEngine();
    engine.setUseClientMode(false);
    SSLParameters parameters = new SSLParameters(SUITES.clone(), PROTOCOLS.clone());
    parameters.setUseCipherSuitesOrder(true);
    parameters.setWantClientAuth(asksForClientChains);
    engine.setSSLParameters(parameters);
    return engine;
  }

  @Override
  public SSLEngine createSSLEngine(String peerHost, int peerPort) {
    return createSSLEngine();
  }

  @Override
  public SSLEngineConfigurator copy() {
    return new TlsEngines(certificate, asksForClientChains);
  }
}
