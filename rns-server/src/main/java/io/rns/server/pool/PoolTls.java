package io.rns.server.pool;

import io.rns.association.AssociationTls;
import io.rns.association.Protocol;
import io.rns.client.http.ClientCertificate;
import io.rns.client.http.TlsTrust;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.X509TrustManager;

/**
 * TLS of a server's registrar. Both ends of a connection between registrars present the certificate of a server, which
 * has to be for one of the hosts that are registrars by the settings. Elements and users may present any certificate:
 * who they are is found out when they ask for something. Thread-safe.
 */
final class PoolTls implements AssociationTls {
  private static final int MOST_CERTIFICATES = 8;

  private final ClientCertificate own;
  private final X509TrustManager authorities;
  private final ChainTrust elements = new ChainTrust(PoolTls::checkLength);
  private final ChainTrust registrars;
  private final ChainTrust controls = new ChainTrust(this::checkControl);
  private final boolean asks;
  private volatile Contexts contexts;

  /** For connections of the present certificate. */
  private record Contexts(long version, SSLContext elements, SSLContext registrars, SSLContext controls) {}

  /**
   * TLS with a certificate.
   *
   * @param own of this server
   * @param trust of the certificates of other servers
   * @param registrars their hosts
   * @param asks whether elements and users are asked for a certificate
   */
  PoolTls(ClientCertificate own, TlsTrust trust, List<String> registrars, boolean asks) {
    this.own = own;
    this.authorities = trust.authorities();
    this.registrars = new ChainTrust(new CertifiedHosts(authorities, registrars));
    this.asks = asks;
    this.contexts = read();
  }

  private Contexts read() {
    return new Contexts(own.version(), own.context(elements), connecting(registrars), connecting(controls));
  }

  /** Each connection verifies the certificate of the other end: none resumes what an earlier one has verified. */
  private SSLContext connecting(ChainTrust trust) {
    SSLContext context = own.context(trust);
    context.getClientSessionContext().setSessionCacheSize(1);
    context.getClientSessionContext().setSessionTimeout(1);
    return context;
  }

  /** An element proves the address that it has given. */
  private void checkControl(X509Certificate[] chain, String host) throws CertificateException {
    new CertifiedHosts(authorities, host.isEmpty() ? List.of() : List.of(host)).check(chain, host);
  }

  private static void checkLength(X509Certificate[] chain, String host) throws CertificateException {
    if (chain.length > MOST_CERTIFICATES) {
      throw new CertificateException(
          "the chain has " + chain.length + " certificates; allowed are " + MOST_CERTIFICATES);
    }
  }

  private Contexts present() {
    Contexts known = contexts;
    if (known.version() != own.version()) {
      known = read();
      contexts = known;
    }
    return known;
  }

  @Override
  public SSLContext accepting(Protocol protocol) {
    return protocol == Protocol.ASAP ? present().elements() : present().registrars();
  }

  @Override
  public SSLContext connecting(Protocol protocol) {
    return protocol == Protocol.ENRP ? present().registrars() : present().controls();
  }

  @Override
  public boolean asksForCertificates() {
    return asks;
  }
}
