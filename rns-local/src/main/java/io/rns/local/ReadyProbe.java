package io.rns.local;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rns.client.http.HttpCalls;
import io.rns.client.http.TlsTrust;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

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

  private static final List<String> ANSWERS = List.of("queryResponse", "NOT_PERMITTED", "NOT_AUTHENTICATED");

  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpCalls calls;

  /**
   * A probe.
   *
   * @param trust the certificates accepted from servers
   * @param authorization the header of the administrator; empty for none
   */
  ReadyProbe(TlsTrust trust, Supplier<Optional<String>> authorization) {
    this.calls = new HttpCalls(TIMEOUT, trust, authorization);
  }

  /**
   * Whether a server answers the smallest client request, a query of the root; also that the caller may not read it.
   */
  boolean answers(String soapUrl) {
    HttpCalls.Call call =
        new HttpCalls.Call("POST", URI.create(soapUrl), HEADERS, new HttpCalls.Body.Text(QUERY), TIMEOUT);
    return reply(call).map(ReadyProbe::text).filter(answer -> ANSWERS.stream().anyMatch(answer::contains)).isPresent();
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

  /** The body of an answer with status 200. */
  private Optional<String> answer(HttpCalls.Call call) {
    return reply(call).filter(reply -> reply.status() == 200).map(ReadyProbe::text);
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
