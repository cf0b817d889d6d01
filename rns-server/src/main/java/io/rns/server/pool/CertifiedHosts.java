package io.rns.server.pool;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.net.ssl.X509TrustManager;

/**
 * Accepts certificates of servers that were issued for one of some hosts, by authorities that are trusted. Names with a
 * wildcard do not count. Immutable.
 */
final class CertifiedHosts implements ChainTrust.Check {
  private static final int NAME = 2;
  private static final int ADDRESS = 7;
  /** Does not need a look-up. */
  private static final Pattern LITERAL = Pattern.compile("[0-9.]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

  private final X509TrustManager authorities;
  private final Set<String> hosts;

  /**
   * A check.
   *
   * @param hosts names or addresses; none accepts nobody
   */
  CertifiedHosts(X509TrustManager authorities, Collection<String> hosts) {
    this.authorities = authorities;
    this.hosts = hosts.stream().map(CertifiedHosts::plain).collect(Collectors.toUnmodifiableSet());
  }

  /** As the certificate of a server, whichever side of the connection it is. */
  @Override
  public void check(X509Certificate[] chain, String host) throws CertificateException {
    authorities.checkServerTrusted(chain, "UNKNOWN");
    if (!isFor(chain[0])) {
      throw new CertificateException("the certificate is not for one of the hosts " + hosts);
    }
  }

  private boolean isFor(X509Certificate certificate) throws CertificateParsingException {
    Collection<List<?>> names = certificate.getSubjectAlternativeNames();
    if (names == null) {
      return false;
    }
    return names.stream()
        .filter(name -> name.get(0).equals(NAME) || name.get(0).equals(ADDRESS))
        .anyMatch(name -> hosts.contains(plain(String.valueOf(name.get(1)))));
  }

  /** One text for all that name the same host. */
  private static String plain(String host) {
    if (!LITERAL.matcher(host).matches()) {
      return host.toLowerCase(Locale.ROOT);
    }
    try {
      return InetAddress.getByName(host).getHostAddress();
    } catch (UnknownHostException e) {
      return host;
    }
  }
}
