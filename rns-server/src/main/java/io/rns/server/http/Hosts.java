package io.rns.server.http;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The hosts by which clients reach this server. A page of any site can make the browser of its reader send requests
 * under the site's own name to any address; so only address literals, {@code localhost} and the names that an operator
 * knows are trusted.
 */
final class Hosts {
  /** How many headers are remembered, at most. */
  private static final int REMEMBERED = 256;

  private final Set<String> names;
  private final Set<String> hosts;
  private final Set<String> origins;
  private final Set<String> ownAuthorities;
  private final Optional<String> ownUrl;
  private final Map<String, RequestedHost> plain = new ConcurrentHashMap<>();
  private final Map<String, RequestedHost> secure = new ConcurrentHashMap<>();

  Hosts(WebSettings settings) {
    Collection<Authority> own =
        Stream.of(settings.publicUrl(), settings.serverUrl())
            .flatMap(Optional::stream)
            .flatMap(url -> WebSettings.authority(url).stream())
            .toList();
    names =
        Stream.of(own.stream().map(Authority::host), settings.hosts().stream(), Stream.of("localhost"))
            .flatMap(each -> each)
            .collect(Collectors.toUnmodifiableSet());
    ownAuthorities = own.stream().map(Authority::toString).collect(Collectors.toUnmodifiableSet());
    origins = Set.copyOf(settings.origins());
    hosts = Set.copyOf(settings.hosts());
    ownUrl =
        settings.serverUrl()
            .or(() -> settings.publicUrl().map(RequestedHost::application))
            .map(url -> url.replaceFirst("/+$", ""));
  }

  /**
   * The host of a request.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST} if its header is not one
   */
  RequestedHost of(HttpServletRequest request) {
    String header = request.getHeader("Host");
    if (header == null) {
      // HTTP/1.0, which no browser speaks.
      return new RequestedHost("", true, local(request));
    }
    Map<String, RequestedHost> known = request.isSecure() ? secure : plain;
    RequestedHost host = known.get(header);
    return host == null ? read(header, known, request) : host;
  }

  private RequestedHost read(String header, Map<String, RequestedHost> known, HttpServletRequest request) {
    Authority authority;
    try {
      authority = Authority.parse(header);
    } catch (RnsException e) {
      throw new RnsException(RnsError.INVALID_REQUEST, "header Host: " + e.getMessage(), e);
    }
    if (!authority.literal() && !names.contains(authority.host())) {
      return new RequestedHost(authority.toString(), false, ownUrl.orElseGet(() -> local(request)));
    }
    String url = request.getScheme() + "://" + authority + request.getContextPath();
    RequestedHost host = new RequestedHost(authority.toString(), true, url);
    if (known.size() >= REMEMBERED) {
      known.clear();
    }
    known.put(header, host);
    return host;
  }

  /** The URL of the web application at the address that a request came to. */
  private static String local(HttpServletRequest request) {
    String address = request.getLocalAddr();
    String host = address.indexOf(':') < 0 ? address : "[" + address.replaceFirst("%.*", "") + "]";
    return request.getScheme() + "://" + host + ":" + request.getLocalPort() + request.getContextPath();
  }

  /** Whether the operator lets pages of a site read answers and change state from browsers. */
  boolean opensTo(String origin) {
    return origins.contains(origin.toLowerCase(Locale.ROOT));
  }

  /** Whether a page of a site may change state: one of this server itself, or one that the operator has named. */
  boolean isOwn(String origin, RequestedHost host) {
    Optional<Authority> site = WebSettings.authority(origin);
    return site.isPresent()
        && (host.authority().equals(site.get().toString())
            || ownAuthorities.contains(site.get().toString())
            || hosts.contains(site.get().host()));
  }
}
