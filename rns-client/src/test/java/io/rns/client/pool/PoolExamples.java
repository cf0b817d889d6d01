package io.rns.client.pool;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.rns.api.EndpointReference;
import io.rns.api.RnsPath;
import io.rns.pool.PolicyType;
import io.rns.pool.PoolService;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/** The examples of docs/pools.md, as they stand there. */
final class PoolExamples {
  private PoolExamples() {}

  /** Runs the first example and gives what was answered. */
  static List<String> replicated(PoolService pools, String oneUrl, String otherUrl, Runnable death) throws IOException {
    List<String> answers = new ArrayList<>();
    // example replicated
    RnsPath handle = RnsPath.parse("/svc/hello");
    PoolElement one =
        PoolElement.builder(pools, handle, List.of(EndpointReference.ofAddress(oneUrl))).policy(PolicyType.ROUND_ROBIN)
            .register();
    PoolElement other =
        PoolElement.builder(pools, handle, List.of(EndpointReference.ofAddress(otherUrl)))
            .policy(PolicyType.ROUND_ROBIN).register();

    PoolSession session = PoolUser.of(pools).session(handle);
    String answer = session.call(element -> get(element.endpoint().address()));
    // end
    answers.add(answer);
    answers.add(session.call(element -> get(element.endpoint().address())));
    death.run();
    for (int i = 0; i < 4; i++) {
      answers.add(session.call(element -> get(element.endpoint().address())));
    }
    one.close();
    other.close();
    return answers;
  }

  /** A server that takes so many requests at once, and turns the others away. */
  static HttpServer limited(Admission admission, CountDownLatch over) throws IOException {
    return serving(
        exchange -> {
          // example admission
          Optional<Admission.Place> place = admission.enter();
          if (place.isEmpty()) {
            exchange.getResponseHeaders().set("Retry-After", "1");
            exchange.sendResponseHeaders(503, -1);
            return;
          }
          Admission.Place held = place.get();
          try {
            serve(exchange, over);
          } finally {
            held.close();
          }
          // end
        });
  }

  /** Registers a server that counts its places. */
  static PoolElement rejecting(PoolService pools, RnsPath handle, String url, Admission admission) {
    // example rejecting
    PoolElement element =
        PoolElement.builder(pools, handle, List.of(EndpointReference.ofAddress(url)))
            .policy(PolicyType.ADAPTIVE)
            .admission(admission)
            .register();
    // end
    return element;
  }

  private static void serve(HttpExchange exchange, CountDownLatch over) throws IOException {
    try {
      over.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    answer(exchange);
  }

  // example get
  static String get(String address) throws IOException {
    HttpURLConnection connection = (HttpURLConnection) URI.create(address).toURL().openConnection();
    connection.setConnectTimeout(1_000);
    if (connection.getResponseCode() == 503) {
      long seconds = connection.getHeaderFieldLong("Retry-After", 0);
      throw new ElementBusyException(address + " is full", Duration.ofSeconds(seconds));
    }
    return new String(connection.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  // end

  /** What one handler does, on a socket of this machine. */
  interface Handler {
    void handle(HttpExchange exchange) throws IOException;
  }

  static HttpServer serving(Handler handler) throws IOException {
    HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            handler.handle(exchange);
          }
        });
    return server;
  }

  static void answer(HttpExchange exchange) throws IOException {
    byte[] name = url(exchange.getLocalAddress().getPort()).getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, name.length);
    exchange.getResponseBody().write(name);
  }

  static String url(int port) {
    return "http://127.0.0.1:" + port + "/";
  }
}
