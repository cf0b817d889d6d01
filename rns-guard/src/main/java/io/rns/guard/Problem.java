package io.rns.guard;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.glassfish.grizzly.http.server.Response;
import org.glassfish.grizzly.http.util.Header;

/**
 * An error response of the guard itself, as in RFC 9457, with the same members as those of the service.
 *
 * @param status the HTTP status
 * @param code the error code, one of the service's
 * @param detail the reason; plain text without quotes, backslashes and characters that XML escapes
 */
record Problem(int status, String code, String detail) {
  static final Problem UNAVAILABLE = new Problem(503, "UNAVAILABLE", "the service is starting or stopping");

  static Problem malformed(String detail) {
    return new Problem(400, "MALFORMED_MESSAGE", detail);
  }

  /** The replacement for an error page of the container. */
  static Problem ofContainer(int status) {
    return switch (status) {
      case 503 -> UNAVAILABLE;
      case 404 -> new Problem(status, "UNKNOWN_OPERATION", "nothing exists at this address");
      case 500 -> new Problem(status, "INTERNAL", "the server failed to respond; its log has the reason");
      default -> new Problem(status, "INVALID_REQUEST", "the server does not accept this request");
    };
  }

  /** Sends it as the response; nothing may have been sent before. */
  void send(Response response) throws IOException {
    byte[] body =
        ("{\"type\":\"about:blank\",\"title\":\"" + title() + "\",\"status\":" + status + ",\"detail\":\"" + detail
            + "\",\"code\":\"" + code + "\",\"message\":\"" + detail + "\"}\n")
            .getBytes(StandardCharsets.UTF_8);
    send(response, "application/problem+json", body);
  }

  /** Sends its status and headers with another representation. */
  void send(Response response, String contentType, byte[] body) throws IOException {
    // Headers stay: the container may have listed the allowed methods.
    response.resetBuffer(true);
    response.setStatus(status);
    response.setContentType(contentType);
    response.setHeader(Header.CacheControl, "no-store");
    if (status == UNAVAILABLE.status) {
      response.setHeader(Header.RetryAfter, "1");
    }
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }

  /** Whether the client caused the error. */
  boolean isOfClient() {
    return status < 500;
  }

  private String title() {
    return switch (status) {
      case 400 -> "Bad Request";
      case 404 -> "Not Found";
      case 500 -> "Internal Server Error";
      case 503 -> "Service Unavailable";
      default -> "Request Refused";
    };
  }
}
