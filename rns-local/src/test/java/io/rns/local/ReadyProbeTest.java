package io.rns.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.rns.client.http.TlsTrust;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the launcher sends to a port before it knows who listens there. */
@Timeout(60)
class ReadyProbeTest {
  private static final String SECRET = "the-secret-of-the-group";

  private final List<String> received = Collections.synchronizedList(new ArrayList<>());
  private HttpServer stranger;
  private String url;

  @BeforeEach
  void listen() throws IOException {
    stranger = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    stranger.createContext(
        "/rns/services/rns", exchange -> answer(exchange, 500, "<faultstring>NOT_AUTHENTICATED</faultstring>"));
    stranger.createContext("/rns/health", exchange -> answer(exchange, 200, "serving"));
    stranger.createContext("/rns/partitions", exchange -> answer(exchange, 200, "{\"groups\":[{},{}]}"));
    stranger.start();
    url = "http://127.0.0.1:" + stranger.getAddress().getPort() + "/rns";
  }

  @AfterEach
  void stop() {
    stranger.stop(0);
  }

  private void answer(HttpExchange exchange, int status, String text) throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    received.add(
        exchange.getRequestURI() + " " + exchange.getRequestHeaders().entrySet()
            + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  @Test
  void probesHaveNoCredential() {
    try (ReadyProbe probe = new ReadyProbe(TlsTrust.SYSTEM)) {
      assertThat(probe.answers(url + MemberProcesses.SOAP_PATH)).as("closed to anonymous callers").isTrue();
      assertThat(probe.isHealthy(url)).isTrue();
    }
    assertThat(received).hasSize(2).noneMatch(request -> request.contains("Authorization"));
  }

  @Test
  void aStrangerLearnsNoSecretAndIsNotBelieved() {
    try (LocalGroupCalls calls = new LocalGroupCalls(SECRET, TlsTrust.SYSTEM, line -> {})) {
      assertThat(calls.knowsGroups(url, 2)).isFalse();
    }
    assertThat(received).hasSize(1).noneMatch(request -> request.contains("Authorization") || request.contains(SECRET));
  }
}
