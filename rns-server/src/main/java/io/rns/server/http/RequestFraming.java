package io.rns.server.http;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import jakarta.servlet.http.HttpServletRequest;

/**
 * Refuses requests whose end two parties on their way may see in different places (RFC 9112, 6.1): what one takes for
 * the body is a request of its own for the other. Grizzly hides the Content-Length of a request that also has a
 * transfer coding.
 */
public final class RequestFraming {
  private static final String CODING = "Transfer-Encoding";

  private RequestFraming() {}

  /**
   * Checks the headers of a request; the connection of one that is refused has to be closed.
   *
   * @throws RnsException {@link RnsError#MALFORMED_MESSAGE}
   */
  public static void check(HttpServletRequest request) {
    String coding = request.getHeader(CODING);
    if (coding != null) {
      checkCoding(request, coding);
    }
  }

  private static void checkCoding(HttpServletRequest request, String coding) {
    var codings = request.getHeaders(CODING);
    codings.nextElement();
    if (codings.hasMoreElements() || !coding.strip().equalsIgnoreCase("chunked")) {
      throw refused("the only transfer coding is chunked, once; it was '" + coding + "'");
    }
    if (request.getHeader("Content-Length") != null) {
      throw refused("the request has both Content-Length and Transfer-Encoding");
    }
    if (request.getProtocol().equals("HTTP/1.0")) {
      throw refused("HTTP/1.0 has no transfer codings");
    }
  }

  private static RnsException refused(String why) {
    return new RnsException(RnsError.MALFORMED_MESSAGE, why);
  }
}
