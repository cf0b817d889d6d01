package io.rns.guard;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.glassfish.grizzly.http.server.Response;
import org.glassfish.grizzly.http.util.Header;

/**
 * An answer that the guard gives itself, as RFC 9457 has it, with the members that the service's own have.
 *
 * @param status of HTTP
 * @param code of the service's errors
 * @param detail what was wrong; plain text without quotes, backslashes and what XML escapes
 */
record Problem(int status, String code, String detail) {
  static final Problem UNAVAILABLE = new Problem(503, "UNAVAILABLE", "the service is starting or stopping");

  static Problem malformed(String detail) {
    return new Problem(400, "MALFORMED_MESSAGE", detail);
  }

  /** What stands in place of an error page of the container. */
  static Problem ofContainer(int status) {
    return switch (status) {
      case 503 -> UNAVAILABLE;
      case 404 -> new Problem(status, "UNKNOWN_OPERATION", "there is nothing at this address");
      case 500 -> new Problem(status, "INTERNAL", "the server could not answer; its log says why");
      default -> new Problem(status, "INVALID_REQUEST", "the server does not take this request");
    };
  }

  /** Answers with it; nothing may have been sent before. */
  void send(Response response) throws IOException {
    byte[] body =
        ("{\"type\":\"about:blank\",\"title\":\"" + title() + "\",\"status\":" + status + ",\"detail\":\"" + detail
            + "\",\"code\":\"" + code + "\",\"message\":\"" + detail + "\"}\n")
            .getBytes(StandardCharsets.UTF_8);
    send(response, "application/problem+json", body);
  }

  /** Answers with its status and headers, and another form of it. */
  void send(Response response, String contentType, byte[] body) throws IOException {
    // Headers stay: the container may have said what it allows.
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

  /** Whether the client is to blame. */
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
