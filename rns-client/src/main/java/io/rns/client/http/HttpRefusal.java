package io.rns.client.http;

import io.rns.client.call.ExchangeFailure;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.net.URI;
import java.util.Locale;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.HttpStatus;
import org.apache.hc.core5.http.message.StatusLine;

/** Tells answers that are no SOAP messages from those that are, and what they mean. */
final class HttpRefusal {
  private HttpRefusal() {}

  /**
   * Passes an answer that says it is XML, whatever its status: faults come with 4xx and 5xx.
   *
   * @throws RnsException for any other
   */
  static void check(URI uri, ClassicHttpResponse response) {
    int status = response.getCode();
    String type = header(response, HttpHeaders.CONTENT_TYPE);
    boolean redirect = status >= HttpStatus.SC_REDIRECTION && status < HttpStatus.SC_CLIENT_ERROR;
    if (!redirect && type.toLowerCase(Locale.ROOT).contains("xml")) {
      return;
    }
    String answer = uri + " answers " + new StatusLine(response).toString().replaceFirst("^HTTP/\\S+ ", "").trim();
    ExchangeFailure failure = ExchangeFailure.ofStatus(status);
    throw switch (status) {
      case HttpStatus.SC_UNAUTHORIZED -> new RnsException(RnsError.NOT_AUTHENTICATED, answer, failure);
      case HttpStatus.SC_FORBIDDEN -> new RnsException(RnsError.NOT_PERMITTED, answer, failure);
      case HttpStatus.SC_UPGRADE_REQUIRED ->
        new RnsException(RnsError.INVALID_REQUEST, TlsFailure.plain(uri), failure);
      case HttpStatus.SC_REQUEST_TOO_LONG -> new RnsException(RnsError.LIMIT_EXCEEDED, answer, failure);
      case HttpStatus.SC_SERVICE_UNAVAILABLE -> new RnsException(RnsError.UNAVAILABLE, answer, failure);
      default ->
        new RnsException(
            RnsError.UNAVAILABLE, answer + (redirect ? redirected(response) : foreign(status, type)), failure);
    };
  }

  private static String redirected(ClassicHttpResponse response) {
    return " to '" + header(response, HttpHeaders.LOCATION) + "'; redirects are not followed";
  }

  /** Until an application server has deployed the service it knows nothing of it. */
  private static String foreign(int status, String type) {
    return " with " + (type.isEmpty() ? "no content type" : type) + ", which is no SOAP message: "
        + (status == HttpStatus.SC_NOT_FOUND ? "no RNS server, or still starting"
            : "is this an RNS server?");
  }

  private static String header(ClassicHttpResponse response, String name) {
    Header header = response.getFirstHeader(name);
    return header == null || header.getValue() == null ? "" : header.getValue();
  }
}
