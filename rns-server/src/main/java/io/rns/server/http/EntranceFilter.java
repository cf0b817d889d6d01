package io.rns.server.http;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * In front of everything: refuses requests whose end is ambiguous ({@link RequestFraming}) and those that a page of
 * another site may have had a browser send, and says which sites may (CORS). What others need of the request's host
 * they find as {@link RequestedHost}.
 */
public final class EntranceFilter extends HttpFilter {
  private static final long serialVersionUID = 1L;
  private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS", "TRACE");
  private static final String METHODS = "GET, HEAD, PUT, PATCH, POST, DELETE";
  private static final String REQUEST_HEADERS =
      "Authorization, Content-Type, If-Match, If-None-Match, Last-Event-ID, RNS-Consistency, RNS-Position, RNS-Referrals, RNS-Request-Id, SOAPAction";
  private static final String ANSWER_HEADERS = "Allow, ETag, Location, Retry-After, RNS-Age, RNS-Position";
  private static final String DAY_SECONDS = "86400";

  private final transient Hosts hosts;
  private final transient Refusal soap;

  /**
   * A filter for all paths.
   *
   * @param soap how requests below {@code /services} are refused
   */
  public EntranceFilter(WebSettings settings, Refusal soap) {
    this.hosts = new Hosts(settings);
    this.soap = soap;
  }

  /** An error as an answer of some form. */
  @FunctionalInterface
  public interface Refusal {
    /** Answers with an error and an HTTP status, and nothing else. */
    void send(HttpServletRequest request, HttpServletResponse response, int status, RnsException error)
        throws IOException;
  }

  @Override
  protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    RequestedHost host;
    try {
      RequestFraming.check(request);
    } catch (RnsException e) {
      // Where the next request begins is not known.
      response.setHeader("Connection", "close");
      refuse(request, response, e);
      return;
    }
    try {
      host = hosts.of(request);
    } catch (RnsException e) {
      refuse(request, response, e);
      return;
    }
    host.keep(request);
    String origin = request.getHeader("Origin");
    boolean open = origin != null && hosts.opensTo(origin);
    if (!host.trusted() || (origin != null && !open)) {
      String trouble = isChange(request) ? foreign(host, origin, open) : null;
      if (trouble != null) {
        refuse(request, response, new RnsException(RnsError.NOT_PERMITTED, trouble));
        return;
      }
    }
    if (open) {
      response.setHeader("Access-Control-Allow-Origin", origin);
      response.addHeader("Vary", "Origin");
      if (request.getMethod().equals("OPTIONS") && request.getHeader("Access-Control-Request-Method") != null) {
        response.setHeader("Access-Control-Allow-Methods", METHODS);
        response.setHeader("Access-Control-Allow-Headers", REQUEST_HEADERS);
        response.setHeader("Access-Control-Max-Age", DAY_SECONDS);
        response.setStatus(HttpServletResponse.SC_NO_CONTENT);
        return;
      }
      response.setHeader("Access-Control-Expose-Headers", ANSWER_HEADERS);
    }
    chain.doFilter(request, response);
  }

  private static boolean isChange(HttpServletRequest request) {
    return !READING.contains(request.getMethod()) || request.getServletPath().startsWith("/group");
  }

  /** Why a request may come from the page of another site; null if it cannot. */
  private @Nullable String foreign(RequestedHost host, @Nullable String origin, boolean open) {
    if (!host.trusted()) {
      return "this server is not known as host '" + host.authority() + "': RNS_HOSTS names further hosts of it";
    }
    return origin == null || open || hosts.isOwn(origin, host)
        ? null
        : "pages of " + origin + " may not change anything here: RNS_CORS_ORIGINS names the sites whose pages may";
  }

  private void refuse(HttpServletRequest request, HttpServletResponse response, RnsException error) throws IOException {
    if (request.getServletPath().startsWith("/services")) {
      soap.send(request, response, JsonReplies.status(error.error()), error);
    } else {
      JsonReplies.send(response, JsonReplies.refuse(response, error));
    }
  }
}
