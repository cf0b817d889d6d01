package io.rns.local;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rns.client.http.HttpCalls;
import io.rns.client.http.TlsTrust;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

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

  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpCalls calls;

  /** With the certificates accepted from servers. */
  ReadyProbe(TlsTrust trust) {
    calls = new HttpCalls(TIMEOUT, trust);
  }

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

  /** Whether a server knows servers of that many groups, so that it passes on what belongs to them. */
  boolean knowsGroups(String url, int groups) {
    return answer(new HttpCalls.Call("GET", URI.create(url + "/partitions"), Map.of(), HttpCalls.Body.NONE, TIMEOUT))
        .filter(answer -> groups(answer) >= groups)
        .isPresent();
  }

  private static int groups(String partitions) {
    try {
      return JSON.readTree(partitions).path("groups").size();
    } catch (JsonProcessingException e) {
      return 0;
    }
  }

  private boolean answers(HttpCalls.Call call, String content) {
    return answer(call).filter(answer -> answer.contains(content)).isPresent();
  }

  private Optional<String> answer(HttpCalls.Call call) {
    try {
      HttpCalls.Reply<byte[]> response = calls.send(call);
      return response.status() == 200
          ? Optional.of(new String(response.body(), StandardCharsets.UTF_8))
          : Optional.empty();
    } catch (IOException e) {
      // Not listening yet, or no longer.
      return Optional.empty();
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
