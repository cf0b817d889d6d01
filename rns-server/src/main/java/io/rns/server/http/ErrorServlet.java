package io.rns.server.http;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.server.http.EntranceFilter.Refusal;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Converts errors of the container and uncaught exceptions into our own form, in place of its pages. */
public final class ErrorServlet extends HttpServlet {
  /** The path that web.xml names for errors. */
  public static final String PATH = "/error";

  private static final long serialVersionUID = 1L;

  private final transient Refusal soap;

  /**
   * A servlet for errors.
   *
   * @param soap how requests below {@code /services} and {@code /wsdl} are refused
   */
  public ErrorServlet(Refusal soap) {
    this.soap = soap;
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
    Object told = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
    int status = told instanceof Integer code ? code : HttpServletResponse.SC_NOT_FOUND;
    Object uri = request.getAttribute(RequestDispatcher.ERROR_REQUEST_URI);
    String path = String.valueOf(uri == null ? request.getRequestURI() : uri);
    RnsException error = error(status, request, path);
    String below = path.substring(Math.min(path.length(), request.getContextPath().length()));
    if (below.startsWith("/services") || below.startsWith("/wsdl")) {
      soap.send(request, response, status, error);
    } else {
      JsonReplies.send(response, JsonReplies.refuse(response, error, status));
    }
  }

  private static RnsException error(int status, HttpServletRequest request, String path) {
    Object cause = request.getAttribute(RequestDispatcher.ERROR_EXCEPTION);
    return switch (status) {
      case HttpServletResponse.SC_FORBIDDEN, HttpServletResponse.SC_UNAUTHORIZED ->
        new RnsException(RnsError.NOT_PERMITTED, "there is no access to " + path);
      case HttpServletResponse.SC_NOT_FOUND ->
        new RnsException(RnsError.UNKNOWN_OPERATION, "there is no resource " + path);
      case HttpServletResponse.SC_METHOD_NOT_ALLOWED, HttpServletResponse.SC_NOT_IMPLEMENTED ->
        new RnsException(RnsError.UNKNOWN_OPERATION, "there is no " + request.getMethod() + " of " + path);
      case HttpServletResponse.SC_SERVICE_UNAVAILABLE ->
        new RnsException(RnsError.UNAVAILABLE, "the service is not available");
      case HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE, HttpServletResponse.SC_REQUEST_URI_TOO_LONG, 431 ->
        new RnsException(RnsError.LIMIT_EXCEEDED, "the request, its URL or its headers are too long");
      default -> status < HttpServletResponse.SC_INTERNAL_SERVER_ERROR
          ? new RnsException(RnsError.INVALID_REQUEST, "the request is not one of HTTP")
          : Incidents
              .told(new IllegalStateException("an answer broke off", cause instanceof Throwable known ? known : null));
    };
  }
}
