package io.rns.local;

import io.rns.client.http.HttpCalls;
import io.rns.client.http.TlsTrust;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Checks whether servers answer. Anonymously: another user of the machine may have bound the port meanwhile.
 * Thread-safe.
 */
final class ReadyProbe implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(2);
  private static final String QUERY =
      """
      <soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"><soapenv:Body>\
      <rns:query xmlns:rns="http://schemas.ggf.org/rns/2006/05/rns"><rns:entry-pattern>/</rns:entry-pattern></rns:query>\
      </soapenv:Body></soapenv:Envelope>""";

  private static final Map<String, String> HEADERS =
      Map.of("Content-Type", "text/xml; charset=utf-8", "SOAPAction", "\"\"");

  private static final List<String> ANSWERS = List.of("queryResponse", "NOT_PERMITTED", "NOT_AUTHENTICATED");

  private final HttpCalls calls;

  /**
   * A probe.
   *
   * @param trust the certificates accepted from servers
   */
  ReadyProbe(TlsTrust trust) {
    this.calls = new HttpCalls(TIMEOUT, trust);
  }

  /**
   * Whether a server answers the smallest client request, a query of the root; also that anonymous callers may not read
   * it.
   */
  boolean answers(String soapUrl) {
    HttpCalls.Call call =
        new HttpCalls.Call("POST", URI.create(soapUrl), HEADERS, new HttpCalls.Body.Text(QUERY), TIMEOUT);
    return reply(call).map(ReadyProbe::text).filter(answer -> ANSWERS.stream().anyMatch(answer::contains)).isPresent();
  }

  /** Whether a server answers from its own database; another group may have the root. */
  boolean isHealthy(String url) {
    return reply(new HttpCalls.Call("GET", URI.create(url + "/health"), Map.of(), HttpCalls.Body.NONE, TIMEOUT))
        .filter(reply -> reply.status() == 200).isPresent();
  }

  private static String text(HttpCalls.Reply<byte[]> reply) {
    return new String(reply.body(), StandardCharsets.UTF_8);
  }

  private Optional<HttpCalls.Reply<byte[]>> reply(HttpCalls.Call call) {
    try {
      return Optional.of(calls.send(call));
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
