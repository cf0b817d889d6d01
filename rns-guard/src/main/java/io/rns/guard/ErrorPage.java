package io.rns.guard;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.glassfish.grizzly.http.HttpRequestPacket;
import org.glassfish.grizzly.http.server.Response;
import org.glassfish.grizzly.http.util.Header;

/**
 * A response of the guard itself, in the format of the service at the path of the request: a SOAP fault or a problem
 * document.
 */
record ErrorPage(Problem problem, String contentType, String body) {
  static ErrorPage of(Problem problem, HttpRequestPacket request, List<String> contexts) {
    if (SoapFault.isFor(request, contexts)) {
      String sent = request.getContentType();
      return new ErrorPage(problem, SoapFault.contentType(sent), SoapFault.of(problem, sent));
    }
    return new ErrorPage(problem, "application/problem+json", problem.json());
  }

  /** Sends it as the response; nothing may have been sent before. */
  void send(Response response) throws IOException {
    // Headers stay: the container may have listed the allowed methods.
    response.resetBuffer(true);
    setHead(response);
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    response.setContentLength(bytes.length);
    response.getOutputStream().write(bytes);
  }

  /** Sets status and headers, but the length. */
  void setHead(Response response) {
    response.setStatus(problem.status());
    response.setContentType(contentType);
    response.setHeader(Header.CacheControl, "no-store");
    if (problem.equals(Problem.UNAVAILABLE)) {
      response.setHeader(Header.RetryAfter, Problem.RETRY_SECONDS);
    }
  }
}
