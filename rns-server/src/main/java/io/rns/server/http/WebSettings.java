package io.rns.server.http;

import io.rns.error.RnsException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What an operator says about the names of a server and about browsers.
 *
 * @param publicUrl URL of the SOAP service as clients see it
 * @param serverUrl URL of the web application for other servers
 * @param hosts further names of hosts by which clients reach this server, in lower case
 * @param origins sites whose pages may send requests from browsers, such as {@code https://app.example.org}
 */
public record WebSettings(Optional<String> publicUrl, Optional<String> serverUrl, List<String> hosts,
    List<String> origins) {
  /** Nothing is said. */
  public static final WebSettings NONE = new WebSettings(Optional.empty(), Optional.empty(), List.of(), List.of());

  /** Copies the lists. */
  public WebSettings {
    hosts = List.copyOf(hosts);
    origins = List.copyOf(origins);
  }

  /**
   * A host for {@link #hosts}.
   *
   * @throws IllegalArgumentException naming what is not one
   */
  public static String host(String text) {
    try {
      Authority authority = Authority.parse(text);
      if (authority.port().isEmpty()) {
        return authority.host();
      }
    } catch (RnsException e) {
      throw new IllegalArgumentException("'" + text + "' is not the name of a host", e);
    }
    throw new IllegalArgumentException("'" + text + "' has a port; only the name of a host is needed");
  }

  /**
   * A site for {@link #origins}.
   *
   * @throws IllegalArgumentException naming what is not one
   */
  public static String origin(String text) {
    String origin = text.toLowerCase(Locale.ROOT);
    int scheme = origin.indexOf("://");
    try {
      if (scheme > 0) {
        Authority.parse(origin.substring(scheme + 3));
        return origin;
      }
    } catch (RnsException e) {
      throw new IllegalArgumentException("'" + text + "' is not a site like https://app.example.org", e);
    }
    throw new IllegalArgumentException("'" + text + "' is not a site like https://app.example.org");
  }

  /** Host and port of a URL; empty if it has none. */
  static Optional<Authority> authority(String url) {
    try {
      String authority = new URI(url).getRawAuthority();
      return authority == null ? Optional.empty() : Optional.of(Authority.parse(authority));
    } catch (URISyntaxException | RnsException e) {
      return Optional.empty();
    }
  }
}
