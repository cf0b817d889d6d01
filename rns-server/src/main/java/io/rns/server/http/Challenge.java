package io.rns.server.http;

import jakarta.servlet.http.HttpServletResponse;

/** Tells clients how to authenticate. */
public final class Challenge {
  private static final String HEADER = "WWW-Authenticate";

  private Challenge() {}

  /** Adds the methods to a response that has status 401; does nothing for any other. */
  public static void addTo(HttpServletResponse response, int status) {
    if (status == HttpServletResponse.SC_UNAUTHORIZED && !response.containsHeader(HEADER)) {
      response.addHeader(HEADER, "Bearer realm=\"rns\"");
      response.addHeader(HEADER, "Basic realm=\"rns\", charset=\"UTF-8\"");
    }
  }
}
