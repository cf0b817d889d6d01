package io.rns.server.group;

import io.rns.client.http.TlsTrust;
import io.rns.client.http.MessageAuthentication;
import io.rns.replication.member.GroupSettings;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.rns.identity.AccessMode;
import io.rns.identity.AccessPolicy;
import io.rns.operator.OperatorKey;
import io.rns.operator.Signature;
import io.rns.permission.AccessControl;
import io.rns.replication.Offer;
import io.rns.replication.Topology;
import io.rns.replication.membership.Durability;
import io.rns.server.Eventually;
import io.rns.server.TestDatabase;
import io.rns.server.http.ServerJson;
import io.rns.server.store.Database;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("server")
class GroupMembershipTest {
  private static final String NEWCOMER = "http://127.0.0.1:2/rns";

  /** A membership whose database is away. */
  private static GroupMembership membership(Database database, String url, List<String> servers) {
    return membership(database, url, servers, AccessControl.open());
  }

  private static GroupMembership membership(
      Database database, String url, List<String> servers, AccessControl control) {
    return new GroupMembership(
        new GroupSettings(
            Topology.SOURCE_REPLICA, url, url, servers, "secret", "127.0.0.1:1", "rns_control", "",
            Durability.REPLICATED,
            false),
        TlsTrust.SYSTEM,
        database,
        8 << 20,
        TestGroup.WRITER,
        InstantSource.system(),
        () -> Offer.NONE,
        control, MessageAuthentication.NONE);
  }

  @Test
  void newMemberIsKnownToThoseWhomItAsksThoughNobodyWasToldOfIt() throws Exception {
    HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    String url = "http://127.0.0.1:" + http.getAddress().getPort() + "/rns";
    CountDownLatch asked = new CountDownLatch(2);
    try (Database database = new Database(TestDatabase.impatient("jdbc:mysql://127.0.0.1:1/rns"));
        GroupMembership old = membership(database, url, List.of());
        GroupMembership newcomer = membership(database, NEWCOMER, List.of(url))) {
      http.createContext("/rns/group/member", exchange -> answer(exchange, old, asked));
      http.start();
      assertThat(old.report().members()).containsExactly(url);

      newcomer.start();
      assertThat(asked.await(60, TimeUnit.SECONDS)).isTrue();
      assertThat(old.report().members()).containsExactlyInAnyOrder(url, NEWCOMER);
      assertThat(old.unreachable()).containsOnlyKeys(NEWCOMER);
    } finally {
      http.stop(0);
    }
  }

  @Test
  void serversWhoseAccessDiffersAreNamed() throws Exception {
    HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    String url = "http://127.0.0.1:" + http.getAddress().getPort() + "/rns";
    AccessControl closed = new AccessControl(new AccessPolicy(AccessMode.CLOSED, Set.of()), false);
    try (Database database = new Database(TestDatabase.impatient("jdbc:mysql://127.0.0.1:1/rns"));
        GroupMembership other = membership(database, url, List.of(), closed);
        GroupMembership open = membership(database, NEWCOMER, List.of(url))) {
      http.createContext("/rns/group/member", exchange -> answer(exchange, other, new CountDownLatch(1)));
      http.start();
      assertThat(open.accessTrouble()).isEmpty();
      open.start();
      Eventually.until("its report", Duration.ofSeconds(60), () -> open.accessTrouble().isPresent());
      assertThat(open.accessTrouble()).contains(
          Stream.of(NEWCOMER + " open", url + " closed").sorted().collect(Collectors.joining(", ")));
    } finally {
      http.stop(0);
    }
  }

  /** As the servlet does it. */
  private static void answer(HttpExchange exchange, GroupMembership asked, CountDownLatch done) throws IOException {
    String from = exchange.getRequestURI().getRawQuery().replaceFirst("^from=", "");
    asked.hear(URLDecoder.decode(from, StandardCharsets.UTF_8));
    byte[] report = ServerJson.MAPPER.writeValueAsBytes(ReportJson.of(asked.report()));
    Signature signature = Signature.parse(exchange.getRequestHeaders().getFirst(OperatorKey.HEADER)).orElseThrow();
    String path = exchange.getRequestURI().toString().substring("/rns".length());
    OperatorKey key = new OperatorKey("secret");
    assertThat(key.isRequest(signature, "GET", path)).isTrue();
    exchange
        .getResponseHeaders()
        .set(OperatorKey.HEADER,
            key.signAnswer(200, signature.millis(), signature.nonce(), OperatorKey.digest(report)).header());
    exchange.sendResponseHeaders(200, report.length);
    exchange.getResponseBody().write(report);
    exchange.close();
    done.countDown();
  }
}
