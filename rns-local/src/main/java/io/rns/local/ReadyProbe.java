package io.rns.local;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Checks a server with the smallest client request, a query of the root. Thread-safe. */
final class ReadyProbe implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(2);
  private static final String QUERY =
      """
      <soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"><soapenv:Body>\
      <rns:query xmlns:rns="http://schemas.ggf.org/rns/2006/05/rns"><rns:entry-pattern>/</rns:entry-pattern></rns:query>\
      </soapenv:Body></soapenv:Envelope>""";

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(TIMEOUT).build();
  private final HttpRequest request;

  ReadyProbe(String soapUrl) {
    this.request =
        HttpRequest.newBuilder(URI.create(soapUrl))
            .timeout(TIMEOUT)
            .header("Content-Type", "text/xml; charset=utf-8")
            .header("SOAPAction", "\"\"")
            .POST(HttpRequest.BodyPublishers.ofString(QUERY))
            .build();
  }

  /** Whether the query was answered. */
  boolean answers() {
    try {
      HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
      return response.statusCode() == 200 && response.body().contains("queryResponse");
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
    client.close();
  }
}
