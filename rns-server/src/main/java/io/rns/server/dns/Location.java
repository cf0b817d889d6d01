package io.rns.server.dns;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Optional;
import org.xbill.DNS.Address;
import org.xbill.DNS.Name;
import org.xbill.DNS.TextParseException;

/**
 * Where something serves, as far as DNS can say it.
 *
 * @param scheme of its URL, in small letters
 * @param address of the host, if the URL has it
 * @param host its name
 * @param port where it listens; 0 if neither the URL nor its scheme says
 */
record Location(String scheme, Optional<InetAddress> address, Name host, int port) {
  private static final int MOST_PORT = 65_535;

  /** The location of a URL; empty if it is none, or has no host. */
  static Optional<Location> of(String url, HostNames names) {
    try {
      URI uri = new URI(url);
      if (uri.getScheme() == null || uri.getHost() == null || uri.getPort() > MOST_PORT) {
        return Optional.empty();
      }
      String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
      String host = uri.getHost();
      Optional<InetAddress> address = literal(host.startsWith("[") ? host.substring(1, host.length() - 1) : host);
      Name name = address.isPresent() ? names.nameOf(address.get()) : Name.fromString(host, Name.root);
      return Optional.of(new Location(scheme, address, name, port(scheme, uri.getPort())));
    } catch (URISyntaxException | TextParseException e) {
      return Optional.empty();
    }
  }

  private static Optional<InetAddress> literal(String host) {
    try {
      // Only parses, without a lookup.
      return Optional.of(Address.getByAddress(host));
    } catch (UnknownHostException e) {
      return Optional.empty();
    }
  }

  private static int port(String scheme, int port) {
    if (port >= 0) {
      return port;
    }
    return switch (scheme) {
      case "http" -> 80;
      case "https" -> 443;
      default -> 0;
    };
  }
}
