package io.rns.identity;

import eu.emi.security.authn.x509.proxy.ProxyChainInfo;
import eu.emi.security.authn.x509.proxy.ProxyPolicy;
import eu.emi.security.authn.x509.proxy.ProxyUtils;
import java.io.IOException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAKey;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** What a chain of a client must be beside a valid path to an authority. */
final class ChainRules {
  private static final int LEAST_RSA_BITS = 2_048;
  private static final Set<String> FOR_CLIENTS = Set.of("1.3.6.1.5.5.7.3.2", "2.5.29.37.0");

  private ChainRules() {}

  /** Why a chain is refused; empty if it is not. */
  static Optional<String> problem(List<X509Certificate> chain, Instant now) {
    for (X509Certificate certificate : chain) {
      // The library grants expired proxies five minutes.
      if (!now.isBefore(certificate.getNotAfter().toInstant())) {
        return Optional.of("a certificate of the chain expired at " + certificate.getNotAfter().toInstant());
      }
    }
    return chain.stream().flatMap(certificate -> weakness(certificate).stream()).findFirst()
        .or(() -> holderProblem(chain))
        .or(() -> proxyProblem(chain));
  }

  private static Optional<String> weakness(X509Certificate certificate) {
    String algorithm = certificate.getSigAlgName().toUpperCase(Locale.ROOT);
    boolean self = certificate.getSubjectX500Principal().equals(certificate.getIssuerX500Principal());
    if (!self && (algorithm.startsWith("MD") || algorithm.startsWith("SHA1"))) {
      return Optional.of("a certificate of the chain is signed with " + algorithm + ", which can be forged");
    }
    if (certificate.getPublicKey() instanceof RSAKey key && key.getModulus().bitLength() < LEAST_RSA_BITS) {
      return Optional.of(
          "a key in the chain has " + key.getModulus().bitLength() + " bits; at least " + LEAST_RSA_BITS
              + " are needed");
    }
    return Optional.empty();
  }

  private static Optional<String> holderProblem(List<X509Certificate> chain) {
    X509Certificate holder = ProxyUtils.getEndUserCertificate(chain.toArray(X509Certificate[]::new));
    if (holder == null) {
      return Optional.of("the chain has proxy certificates only");
    }
    if (holder.getBasicConstraints() >= 0) {
      return Optional.of("the certificate is that of a certificate authority, not of a user or host");
    }
    boolean[] usage = chain.getFirst().getKeyUsage();
    if (usage != null && !usage[0]) {
      return Optional.of("the certificate is not for signatures (key usage)");
    }
    try {
      List<String> purposes = holder.getExtendedKeyUsage();
      return purposes == null || purposes.stream().anyMatch(FOR_CLIENTS::contains)
          ? Optional.empty()
          : Optional.of("the certificate is not for clients of TLS (extended key usage)");
    } catch (CertificateParsingException e) {
      return Optional.of("the certificate has a malformed extended key usage");
    }
  }

  /** Proxies must pass on all rights of their issuers, or be limited: what other policies say is not known here. */
  private static Optional<String> proxyProblem(List<X509Certificate> chain) {
    X509Certificate[] presented = chain.toArray(X509Certificate[]::new);
    if (!ProxyUtils.isProxy(presented)) {
      return Optional.empty();
    }
    try {
      ProxyChainInfo proxies = new ProxyChainInfo(presented);
      for (ProxyPolicy policy : proxies.getPolicy()) {
        String language = policy.getPolicyOID();
        if (!ProxyPolicy.INHERITALL_POLICY_OID.equals(language) && !ProxyPolicy.LIMITED_PROXY_OID.equals(language)) {
          return Optional.of("the proxy certificate has a policy that this server does not know");
        }
      }
      return proxies.getProxySourceRestrictions() == null && proxies.getProxyTargetRestrictions() == null
          ? Optional.empty()
          : Optional.of("the proxy certificate is restricted to addresses, which this server does not support");
    } catch (IOException | CertificateException e) {
      return Optional.of("the proxy certificate is malformed");
    }
  }

  /** Whether a proxy of the chain is limited. */
  static boolean isLimited(List<X509Certificate> chain) {
    X509Certificate[] presented = chain.toArray(X509Certificate[]::new);
    try {
      return ProxyUtils.isProxy(presented) && new ProxyChainInfo(presented).isLimited();
    } catch (IOException | CertificateException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /** When the first certificate of a chain expires. */
  static Instant end(List<X509Certificate> chain) {
    return chain.stream().map(certificate -> certificate.getNotAfter().toInstant())
        .min(Comparator.naturalOrder()).orElseThrow();
  }
}
