package io.rns.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.EndpointReference;
import io.rns.api.ModelNameService;
import io.rns.api.RnsPath;
import io.rns.client.pool.MemoryPools;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.pool.ElementPage;
import io.rns.pool.ElementsRequest;
import io.rns.pool.Parameters;
import io.rns.pool.PolicyType;
import io.rns.pool.PoolPage.ListedPool;
import io.rns.pool.PoolResolution;
import io.rns.pool.PoolService;
import io.rns.pool.PoolsRequest;
import io.rns.pool.Registration;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Pools over sockets: what the service has is what comes out, and servers that are away or know nothing of pools. */
@Timeout(120)
class PoolsOverHttpTest {
  private static final RnsPath HANDLE = RnsPath.parse("/svc/print");
  private static final List<EndpointReference> ENDPOINTS = List.of(EndpointReference.ofAddress("http://p1.example/"));

  private final MemoryPools pools = new MemoryPools(() -> 0, 5_000);

  private static RnsConnection client(URI... servers) {
    return RnsClient.builder().servers(servers).firstPause(Duration.ofMillis(1)).build();
  }

  private static Registration registration(int id) {
    return new Registration(id, ENDPOINTS, Parameters.PLAIN.withWeight(3), 30_000);
  }

  private static void refused(RnsError error, Runnable call) {
    assertThatThrownBy(call::run).isInstanceOfSatisfying(RnsException.class,
        e -> assertThat(e.error()).isEqualTo(error));
  }

  @ParameterizedTest
  @EnumSource(value = Dialect.class, names = {"RNS_1_0", "RNS_1_1"})
  void everyCallIsAnsweredAsByTheServiceItself(Dialect dialect) {
    try (TestServer server = TestServer.start(new ModelNameService(), pools);
        RnsConnection connection = RnsClient.builder().server(server.address()).dialect(dialect).build()) {
      PoolService remote = connection.pools();
      assertThat(remote.register(HANDLE, PolicyType.WEIGHTED_ROUND_ROBIN, registration(-2)).home()).isEqualTo(7);
      refused(RnsError.OTHER_POLICY, () -> remote.register(HANDLE, PolicyType.ROUND_ROBIN, registration(1)));
      PoolResolution resolution = remote.resolve(HANDLE, 3);
      assertThat(resolution.ttlMillis()).isEqualTo(5_000);
      assertThat(resolution.elements().get(0).endpoints()).isEqualTo(ENDPOINTS);
      assertThat(remote.pools(PoolsRequest.of(RnsPath.ROOT)).pools())
          .containsExactly(new ListedPool(HANDLE, PolicyType.WEIGHTED_ROUND_ROBIN, 1, 1));
      ElementPage page = remote.elements(ElementsRequest.of(HANDLE));
      assertThat(page).isEqualTo(pools.elements(ElementsRequest.of(HANDLE)));
      assertThat(page.elements().get(0).id()).isEqualTo(-2);
      remote.unreachable(HANDLE, -2);
      assertThat(pools.reports()).isEqualTo(1);
      assertThat(remote.deregister(HANDLE, -2)).isTrue();
      assertThat(remote.deregister(HANDLE, -2)).isFalse();
      refused(RnsError.NO_SUCH_POOL, () -> remote.resolve(HANDLE, 3));
    }
  }

  @Test
  void theNextServerIsAskedWhereOneIsAway() {
    TestServer first = TestServer.start(new ModelNameService(), pools);
    try (TestServer second = TestServer.start(new ModelNameService(), pools);
        RnsConnection connection = client(first.address(), second.address())) {
      connection.pools().register(HANDLE, PolicyType.ROUND_ROBIN, registration(1));
      first.close();
      assertThat(connection.pools().resolve(HANDLE, 1).elements()).hasSize(1);
      assertThat(connection.pools().deregister(HANDLE, 1)).isTrue();
    }
  }

  /** A lost connection leaves open what was done: everything is asked again but the report, which would count twice. */
  @Test
  void whatMayBeRepeatedIsRepeated() {
    try (TestServer server = TestServer.start(new ModelNameService(), pools);
        RnsConnection connection = client(server.address())) {
      PoolService remote = connection.pools();
      server.loseAnswers(1);
      remote.register(HANDLE, PolicyType.ROUND_ROBIN, registration(1));
      assertThat(pools.registrations()).isEqualTo(2);
      server.loseAnswers(1);
      assertThat(remote.resolve(HANDLE, 1).elements()).hasSize(1);
      server.loseAnswers(1);
      refused(RnsError.UNAVAILABLE, () -> remote.unreachable(HANDLE, 1));
      assertThat(pools.reports()).isEqualTo(1);
    }
  }

  @Test
  void aReportThatWasNotSentGoesToTheNextServer() {
    try (TestServer server = TestServer.start(new ModelNameService(), pools);
        RnsConnection connection = client(URI.create("http://127.0.0.1:1/rns"), server.address())) {
      connection.pools().unreachable(HANDLE, 1);
      assertThat(pools.reports()).isEqualTo(1);
    }
  }

  /** Who waits for a place has better things to do than to ask again and again. */
  @Test
  void thatNoElementCanBeSelectedIsAnAnswer() {
    try (TestServer server = TestServer.start(new ModelNameService(), pools);
        RnsConnection connection = client(server.address(), URI.create("http://127.0.0.1:1/rns"))) {
      connection.pools().register(HANDLE, PolicyType.CREDITS, registration(1));
      refused(RnsError.BUSY, () -> connection.pools().resolve(HANDLE, 1));
    }
  }

  @Test
  void aServerOfAnotherMakeIsNamed() {
    String fault =
        "<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'><s:Body><s:Fault><faultcode>s:Client</faultcode>"
            + "<faultstring>unknown</faultstring></s:Fault></s:Body></s:Envelope>";
    String answer =
        "HTTP/1.1 500 Error\r\nContent-Type: text/xml\r\nContent-Length: " + fault.length() + "\r\n\r\n" + fault;
    try (RawServer server = RawServer.answering(answer);
        RnsConnection connection = client(server.address())) {
      assertThatThrownBy(() -> connection.pools().resolve(HANDLE, 1))
          .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.UNKNOWN_OPERATION))
          .hasMessageContaining(server.address() + "/services/rns has no pools");
    }
  }

  @Test
  void whoSpeaksTheStandardsOnlyHasNoPools() {
    try (RnsConnection connection = RnsClient.builder().dialect(Dialect.RNS_1_1_PLAIN).build()) {
      PoolService remote = connection.pools();
      refused(RnsError.UNKNOWN_OPERATION, () -> remote.register(HANDLE, PolicyType.ROUND_ROBIN, registration(1)));
      refused(RnsError.UNKNOWN_OPERATION, () -> remote.deregister(HANDLE, 1));
      refused(RnsError.UNKNOWN_OPERATION, () -> remote.resolve(HANDLE, 1));
      refused(RnsError.UNKNOWN_OPERATION, () -> remote.unreachable(HANDLE, 1));
      refused(RnsError.UNKNOWN_OPERATION, () -> remote.pools(new PoolsRequest(HANDLE, 1, Optional.empty())));
      refused(RnsError.UNKNOWN_OPERATION, () -> remote.elements(ElementsRequest.of(HANDLE)));
    }
  }
}
