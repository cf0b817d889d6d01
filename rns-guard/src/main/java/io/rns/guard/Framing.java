package io.rns.guard;

import org.glassfish.grizzly.http.HttpRequestPacket;
import org.glassfish.grizzly.http.util.DataChunk;
import org.glassfish.grizzly.http.util.Header;
import org.glassfish.grizzly.http.util.MimeHeaders;
import org.jspecify.annotations.Nullable;

/**
 * Strict validation of message framing and host: refuses everything that a proxy in front could interpret differently
 * (RFC 9112, sections 3.2, 6.1 and 6.3). The application decides whether the host is a known one.
 */
final class Framing {
  private static final int MOST_LENGTH_DIGITS = 18;

  private Framing() {}

  /** The violation, or null. */
  static @Nullable Problem problem(HttpRequestPacket request) {
    MimeHeaders headers = request.getHeaders();
    int length = headers.indexOf(Header.ContentLength, 0);
    int coding = headers.indexOf(Header.TransferEncoding, 0);
    if (coding >= 0) {
      if (length >= 0 || SentHeaders.have(request, "content-length")) {
        return Problem.malformed("Content-Length and Transfer-Encoding are mutually exclusive");
      }
      if (headers.indexOf(Header.TransferEncoding, coding + 1) >= 0
          || !headers.getValue(coding).equalsIgnoreCase("chunked")) {
        return Problem.malformed("the only supported Transfer-Encoding is chunked");
      }
      if (!"HTTP/1.1".equals(request.getProtocolString())) {
        return Problem.malformed("Transfer-Encoding requires HTTP/1.1");
      }
    } else if (length >= 0
        && (headers.indexOf(Header.ContentLength, length + 1) >= 0 || !isNumber(headers.getValue(length)))) {
      return Problem.malformed("Content-Length must be one decimal number");
    }
    int host = headers.indexOf(Header.Host, 0);
    if (host >= 0 && (headers.indexOf(Header.Host, host + 1) >= 0 || headers.getValue(host).toString().isBlank())) {
      return Problem.malformed("exactly one non-empty Host header is required");
    }
    return null;
  }

  private static boolean isNumber(DataChunk value) {
    String text = value.toString();
    boolean ofDigits = !text.isEmpty() && text.length() <= MOST_LENGTH_DIGITS;
    for (int i = 0; ofDigits && i < text.length(); i++) {
      ofDigits = text.charAt(i) >= '0' && text.charAt(i) <= '9';
    }
    return ofDigits;
  }
}
