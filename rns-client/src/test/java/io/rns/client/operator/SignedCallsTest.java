package io.rns.client.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.rns.client.http.TlsTrust;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.operator.OperatorKey;
import io.rns.operator.Signature;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SignedCallsTest {
  private static final String SECRET = "known to few";
  private static final Duration BOUND = Duration.ofSeconds(20);

  private final List<String> reports = new CopyOnWriteArrayList<>();
  private final List<Signature> seen = new CopyOnWriteArrayList<>();
  private final List<String> heads = new CopyOnWriteArrayList<>();
  private HttpServer server;
  private SignedCalls calls;
  private volatile Reply reply = (exchange, text) -> {};

  private interface Reply {
    void send(HttpExchange exchange, String secret) throws IOException;
  }

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/rns",
        exchange -> {
          try (exchange) {
            seen.add(Signature.parse(exchange.getRequestHeaders().getFirst(OperatorKey.HEADER)).orElseThrow());
            heads.add(exchange.getRequestURI() + " " + exchange.getRequestHeaders().entrySet());
            Optional<String> secret = SignedExchange.secret(exchange, "/rns", List.of(SECRET));
            assertThat(secret).contains(SECRET);
            reply.send(exchange, SECRET);
          }
        });
    server.start();
    calls = new SignedCalls(BOUND, TlsTrust.SYSTEM, SECRET, InstantSource.system(), reports::add);
  }

  @AfterEach
  void stop() {
    calls.close();
    server.stop(0);
  }

  private URI address() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/rns");
  }

  private SignedCalls.Answer ask() throws IOException, InterruptedException {
    return calls.ask("POST", address(), "/group/follow?source=a%3A1", BOUND);
  }

  @Test
  void theSecretIsNotSentAndEveryRequestHasItsOwnNonce() throws Exception {
    reply = (exchange, secret) -> SignedExchange.answer(exchange, secret, 200, System.currentTimeMillis(), "{}");
    assertThat(ask()).isEqualTo(new SignedCalls.Answer(200, "{}", true));
    ask();
    assertThat(heads).hasSize(2).noneMatch(head -> head.contains(SECRET));
    assertThat(seen.get(0).nonce()).isNotEqualTo(seen.get(1).nonce());
    assertThat(seen.get(0).about()).isEqualTo("127.0.0.1:" + server.getAddress().getPort());
  }

  @Test
  void answersToAnotherRequestOrWithAnotherSecretAreIgnored() throws Exception {
    List<Reply> lies = new ArrayList<>();
    lies.add((exchange, secret) -> SignedExchange.answer(exchange, "another", 200, System.currentTimeMillis(), "{}"));
    lies.add((exchange, secret) -> exchange.sendResponseHeaders(200, -1));
    // An answer to another request.
    lies.add(
        (exchange, secret) -> {
          Signature earlier = new OperatorKey(secret).signAnswer(200, 1, "0".repeat(32), OperatorKey.EMPTY);
          exchange.getResponseHeaders().set(OperatorKey.HEADER, earlier.header());
          exchange.sendResponseHeaders(200, -1);
        });
    for (Reply lie : lies) {
      reply = lie;
      assertThatThrownBy(this::ask)
          .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.NOT_PERMITTED))
          .hasMessageContaining("is ignored");
    }
    reply = (exchange, secret) -> exchange.sendResponseHeaders(404, -1);
    assertThat(ask()).isEqualTo(new SignedCalls.Answer(404, "", false));
  }

  @Test
  void theClockOfAServerThatRefusesOursIsUsedAndTheDifferenceReported() throws Exception {
    long ahead = Duration.ofHours(3).toMillis();
    reply =
        (exchange, secret) -> {
          long now = System.currentTimeMillis() + ahead;
          boolean fits = Math.abs(seen.get(seen.size() - 1).millis() - now) < 60_000;
          SignedExchange.answer(exchange, secret, fits ? 200 : 403, now, "{}");
        };
    assertThat(ask().status()).isEqualTo(200);
    assertThat(seen).hasSize(2);
    assertThat(reports).singleElement().asString().contains(" s ahead of the clock here");
    assertThat(ask().status()).isEqualTo(200);
    assertThat(seen).as("the difference is remembered").hasSize(3);
    assertThat(reports).hasSize(1);
  }
}
