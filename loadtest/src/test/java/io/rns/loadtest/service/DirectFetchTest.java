package io.rns.loadtest.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.rns.loadtest.measure.Failure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DirectFetchTest {
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private HttpServer front;
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = serve("server ");
    front = serve("front ");
  }

  @AfterEach
  void stop() {
    front.stop(0);
    server.stop(0);
  }

  /** Sends clients from {@code /front} to the server, and answers everything else but {@code /missing}. */
  private HttpServer serve(String name) throws IOException {
    HttpServer started = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    started.createContext("/", exchange -> {
      requests.add(name + exchange.getRequestURI());
      String path = exchange.getRequestURI().getPath();
      if (path.equals("/front")) {
        exchange.getResponseHeaders().set("Location", at(server) + exchange.getRequestURI().getQuery());
      }
      int status = path.equals("/front") ? 307 : path.equals("/missing") ? 404 : 200;
      exchange.sendResponseHeaders(status, -1);
      exchange.close();
    });
    started.start();
    return started;
  }

  private static String at(HttpServer server) {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  @Test
  void theResponseIsFetchedFromWhereTheFrontSays() {
    try (DirectFetch client = new DirectFetch(URI.create(at(front)), () -> "/front?/list?ticket=1")) {
      assertThat(client.prepare()).isTrue();
      assertThat(client.perform()).isNull();
      assertThat(client.prepare()).isTrue();
      assertThat(client.perform()).isNull();
      assertThat(client.reconnects()).isZero();
    }
    assertThat(requests).containsExactly(
        "front /front?/list?ticket=1", "server /list?ticket=1", "front /front?/list?ticket=1", "server /list?ticket=1");
  }

  @Test
  void aResponseOfTheFrontItselfIsAFailure() {
    assertThat(failure("/list")).extracting(Failure::text).asString().startsWith("HTTP 200");
  }

  @Test
  void aServerThatRefusesIsAFailure() {
    assertThat(failure("/front?/missing?ticket=1")).extracting(Failure::text).asString().startsWith("HTTP 404");
  }

  private Failure failure(String target) {
    try (DirectFetch client = new DirectFetch(URI.create(at(front)), () -> target)) {
      assertThat(client.prepare()).isTrue();
      return client.perform();
    }
  }
}
