package io.rns.local;

import io.rns.client.http.HttpCalls;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;

/** Checks whether servers answer. Thread-safe. */
final class ReadyProbe implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(2);
  private static final String QUERY =
      """
      <soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"><soapenv:Body>\
      <rns:query xmlns:rns="http://schemas.ggf.org/rns/2006/05/rns"><rns:entry-pattern>/</rns:entry-pattern></rns:query>\
      </soapenv:Body></soapenv:Envelope>""";

  private static final Map<String, String> HEADERS =
      Map.of("Content-Type", "text/xml; charset=utf-8", "SOAPAction", "\"\"");

  private final HttpCalls calls = new HttpCalls(TIMEOUT);

  /** Whether a server answers the smallest client request, a query of the root. */
  boolean answers(String soapUrl) {
    return answers(
        new HttpCalls.Call("POST", URI.create(soapUrl), HEADERS, new HttpCalls.Body.Text(QUERY), TIMEOUT),
        "queryResponse");
  }

  /** Whether a server answers from its own database; another group may have the root. */
  boolean isHealthy(String url) {
    return answers(
        new HttpCalls.Call("GET", URI.create(url + "/health"), Map.of(), HttpCalls.Body.NONE, TIMEOUT), "");
  }

  private boolean answers(HttpCalls.Call call, String content) {
    try {
      HttpCalls.Reply<byte[]> response = calls.send(call);
      return response.status() == 200 && new String(response.body(), StandardCharsets.UTF_8).contains(content);
    } catch (IOException e) {
      // Not listening yet, or no longer.
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LocalServiceException("interrupted while waiting for the first answer", e);
    }
  }

  @Override
  public void close() {
    calls.close();
  }
}
