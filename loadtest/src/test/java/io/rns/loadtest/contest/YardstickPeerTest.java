package io.rns.loadtest.contest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.rns.client.RnsClient;
import io.rns.client.RnsConnection;
import io.rns.client.TestServer;
import io.rns.error.RnsException;
import io.rns.loadtest.contest.PeerContest.Candidate;
import io.rns.loadtest.measure.Row;
import io.rns.loadtest.measure.Schedule;
import io.rns.loadtest.peer.PeerService;
import io.rns.loadtest.service.HttpTarget;
import io.rns.loadtest.service.LoadTransport;
import io.rns.loadtest.service.YardstickPeer;
import io.rns.loadtest.work.Call;
import io.rns.loadtest.work.Kind;
import io.rns.loadtest.work.Session;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Yardsticks in the place of those that an application server has. */
@Timeout(120)
class YardstickPeerTest {
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/rns/services/RNSService";
  }

  private void deploy(UnaryOperator<String> nullOperation) {
    server.createContext("/yardstick/echo", exchange -> answer(exchange, message -> message));
    server.createContext("/yardstick/null", exchange -> answer(exchange, nullOperation));
  }

  private static void answer(HttpExchange exchange, UnaryOperator<String> answer) throws IOException {
    String message = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    byte[] body = answer.apply(message).getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, body.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(body);
    }
  }

  @Test
  void areAskedForQueriesOnly() throws InterruptedException {
    deploy(message -> message.replace("y:nothing", "y:nothingResponse"));
    Schedule turn = new Schedule(Duration.ZERO, Duration.ofMillis(150));
    try (TestServer rns = TestServer.start();
        RnsConnection names = RnsClient.builder().server(rns.address()).build()) {
      PeerContest contest =
          new PeerContest(RnsClient.soapEndpoint(rns.address()).toString(), LoadTransport.RAW, 20, 10, List.of(1, 2),
              new Contest(1, Duration.ZERO, turn));
      Contest.Report report =
          contest.run(
              names,
              List.of(new Candidate("servlet", () -> YardstickPeer.servlet(HttpTarget.of(url()))),
                  new Candidate("jaxws", () -> YardstickPeer.jaxWs(HttpTarget.of(url())))),
              progress -> {});
      assertThat(report.rows()).extracting(Row::what).containsExactly("query, 1 client: rns",
          "query, 1 client: servlet", "query, 1 client: jaxws", "query, 2 clients: rns", "query, 2 clients: servlet",
          "query, 2 clients: jaxws", "add, 1 client: rns", "add, 2 clients: rns", "list, 1 client: rns",
          "list, 2 clients: rns");
      assertThat(report.rows()).allSatisfy(row -> assertThat(row.figure("errors")).as(row.toString()).isZero());
      assertThat(report.notes().get("jaxws")).contains("JAX-WS", "queries only");
    }
  }

  @Test
  void lookAtTheirAnswers() {
    deploy(message -> message.contains("/a") ? "a fault>" : message.replace("y:nothing", "y:nothingResponse"));
    try (PeerService peer = YardstickPeer.jaxWs(HttpTarget.of(url()));
        Session session = peer.session()) {
      session.prepare(Call.of(Kind.QUERY, "/b"));
      assertThat(session.perform()).isNull();
      session.prepare(Call.of(Kind.QUERY, "/a"));
      assertThat(session.perform()).isNotNull();
      assertThatThrownBy(() -> session.prepare(Call.of(Kind.ADD, "/b"))).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void sayWhatPutsThemThere() {
    assertThatThrownBy(() -> YardstickPeer.servlet(HttpTarget.of(url()))).isInstanceOf(RnsException.class)
        .hasMessageContaining("./rns up --yardstick");
  }
}
