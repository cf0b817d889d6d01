package io.rns.guard;

/**
 * An error response of the guard itself, as in RFC 9457, with the same members as those of the service.
 *
 * @param status the HTTP status
 * @param code the error code, one of the service's
 * @param detail the reason; plain text without quotes, backslashes and characters that XML escapes
 */
record Problem(int status, String code, String detail) {
  /** When a client may ask again after {@link #UNAVAILABLE}, in seconds. */
  static final String RETRY_SECONDS = "1";

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

  /** The body as JSON. */
  String json() {
    return "{\"type\":\"about:blank\",\"title\":\"" + title() + "\",\"status\":" + status + ",\"detail\":\"" + detail
        + "\",\"code\":\"" + code + "\",\"message\":\"" + detail + "\"}\n";
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
