package io.rns.server;

import io.rns.identity.AccessMode;
import io.rns.identity.IdentitySettings;
import io.rns.server.dns.DnsSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Whether a server is more open, or more closed, than its operator is likely to want. */
final class Exposure {
  private static final Pattern LOOPBACK =
      Pattern.compile("https?://(localhost|127\\.[0-9.]+|\\[::1])([:/]|$)", Pattern.CASE_INSENSITIVE);

  private Exposure() {}

  /**
   * What the log warns of at startup.
   *
   * @param onLoopback whether the application server listens on loopback only
   * @return empty if there is no reason
   */
  static Optional<String> warning(ServerConfig config, boolean onLoopback) {
    AccessMode mode = config.access().mode();
    if (mode == AccessMode.CLOSED) {
      return whileClosed(config);
    }
    return onLoopback && !isKnownElsewhere(config)
        ? Optional.empty()
        : Optional.of(
            "access: " + mode.text() + ", so whoever reaches this server may change everything, and it does not listen"
                + " on loopback only; RNS_ACCESS=closed enforces access rules");
  }

  private static Optional<String> whileClosed(ServerConfig config) {
    if (!hasCallers(config.identity())) {
      return Optional.of(
          "access: closed, and no caller can prove a name: only what access rules grant to anyone is permitted. Add"
              + " an account (rns account add NAME --file FILE) and set RNS_ACCOUNTS=FILE and"
              + " RNS_ADMINISTRATORS=local:NAME, or set RNS_ISSUERS or RNS_X509_TRUST. RNS_ACCESS=open permits"
              + " everything to everyone");
    }
    boolean hasPlainPort =
        config.pools().certificate().isEmpty()
            && config.pools().address().filter(address -> !address.isLoopbackAddress()).isPresent();
    return hasPlainPort
        ? Optional.of(
            "access: closed, but whoever reaches the port for registrars at RNS_POOL_ADDRESS may change all pool"
                + " elements, because it has no TLS; set RNS_POOL_CERTIFICATE and RNS_POOL_KEY")
        : Optional.empty();
  }

  private static boolean hasCallers(IdentitySettings identity) {
    return identity.accounts().isPresent() || !identity.issuers().issuers().isEmpty()
        || identity.x509().authorities().isPresent();
  }

  /** Whether others reach it through a proxy, or by other ports than those for HTTP. */
  private static boolean isKnownElsewhere(ServerConfig config) {
    Stream<String> urls = Stream.concat(config.serverUrl().stream(), config.web().publicUrl().stream());
    Stream<InetAddress> addresses =
        Stream.concat(
            config.pools().address().stream(),
            config.dns().map(DnsSettings::address).map(InetSocketAddress::getAddress).stream());
    return urls.anyMatch(url -> !LOOPBACK.matcher(url).lookingAt())
        || addresses.anyMatch(address -> !address.isLoopbackAddress());
  }
}
