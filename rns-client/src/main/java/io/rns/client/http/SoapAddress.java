package io.rns.client.http;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;

/** The address of the SOAP endpoint of a server. */
public final class SoapAddress {
  private static final String PATH = "/services/rns";

  private SoapAddress() {}

  /**
   * The address below that of a server, such as {@code http://host:8080/rns}.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST} if {@code server} is not an absolute http or https address
   */
  public static URI of(URI server) {
    String scheme = server.getScheme() == null ? "" : server.getScheme().toLowerCase(Locale.ROOT);
    boolean http = scheme.equals("http") || scheme.equals("https");
    if (!http || server.getHost() == null || server.getRawQuery() != null || server.getRawFragment() != null) {
      throw new RnsException(
          RnsError.INVALID_REQUEST, "server '" + server + "' is not an address like http://host:8080/rns");
    }
    String path = server.getRawPath().replaceFirst("/+$", "") + PATH;
    try {
      return new URI(scheme + "://" + server.getRawAuthority() + path);
    } catch (URISyntaxException e) {
      throw new RnsException(RnsError.INVALID_REQUEST, "server '" + server + "': " + e.getReason(), e);
    }
  }

  /** The address of the server of a SOAP endpoint; the endpoint itself if it is not one below a server. */
  public static URI server(URI endpoint) {
    String address = endpoint.toString().replaceFirst("/+$", "");
    return URI.create(address.endsWith(PATH) ? address.substring(0, address.length() - PATH.length()) : address);
  }
}
