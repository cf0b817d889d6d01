package io.rns.server.http;

import jakarta.servlet.http.HttpServletRequest;

/**
 * Which host a request was sent to.
 *
 * @param authority host and port as the request has them; empty if it has none
 * @param trusted whether the host is known to be one of this server's, so that no page of another site can have chosen
 *        it
 * @param url URL of the web application for answers: at that host if it is trusted, else at one of this server's own
 */
public record RequestedHost(String authority, boolean trusted, String url) {
  private static final String ATTRIBUTE = RequestedHost.class.getName();
  private static final String SOAP = "/services/rns";

  /** The host of a request that came through {@link EntranceFilter}. */
  public static RequestedHost of(HttpServletRequest request) {
    return request.getAttribute(ATTRIBUTE) instanceof RequestedHost host ? host
        : new Hosts(WebSettings.NONE).of(request);
  }

  void keep(HttpServletRequest request) {
    request.setAttribute(ATTRIBUTE, this);
  }

  /** URL of the SOAP service for answers. */
  public String soapUrl() {
    return url + SOAP;
  }

  /** URL of the web application from that of the SOAP service; as it is if it has another form. */
  static String application(String soapUrl) {
    return soapUrl.endsWith(SOAP) ? soapUrl.substring(0, soapUrl.length() - SOAP.length()) : soapUrl;
  }
}
