package io.rns.association;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.rns.api.EndpointReference;
import io.rns.api.RnsPath;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.handlespace.HandlespaceSettings;
import io.rns.pool.ElementPage.ListedElement;
import io.rns.pool.ElementsRequest;
import io.rns.pool.Parameters;
import io.rns.pool.ElementExperience;
import io.rns.pool.PolicyType;
import io.rns.pool.PoolResolution;
import io.rns.pool.PoolResolution.Selected;
import io.rns.pool.PoolService;
import io.rns.pool.Registration;
import io.rns.registrar.RegistrarSettings;
import io.rns.rserpool.AsapMessage;
import io.rns.rserpool.Octets;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Pool service in one process: of one registrar, and of three connected by real sockets. */
class RegistrarPoolsTest {
  private static final Duration BOUND = Duration.ofSeconds(60);
  private static final RnsPath POOL = RnsPath.parse("/service");
  private static final int MINUTES = 600_000;

  /** Short keep-alive and takeover periods; nothing else depends on time. */
  private static final RegistrarSettings SETTINGS =
      new RegistrarSettings(new HandlespaceSettings(99, 999, 99, 128, 1, 20, 20, 3), 100, 400, 400, 400, 7);

  private final List<RegistrarServer> open = new ArrayList<>();
  private long seed = 1;

  @AfterEach
  void close() {
    open.forEach(RegistrarServer::close);
  }

  private RegistrarPools pools(RegistrarServer server, List<InetSocketAddress> others) {
    open.add(server);
    server.start(others, SETTINGS, new SplittableRandom(seed++), () -> System.nanoTime() / 1_000_000);
    return new RegistrarPools(server, Duration.ofSeconds(5), BOUND);
  }

  private static Registration element(int id, long lifetime, String address) {
    return new Registration(id, List.of(EndpointReference.ofAddress(address)), Parameters.PLAIN, lifetime);
  }

  private static void until(String what, Callable<Boolean> condition) throws Exception {
    long deadline = System.nanoTime() + BOUND.toNanos();
    while (!holds(condition)) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("not within " + BOUND + ": " + what);
      }
      LockSupport.parkNanos(5_000_000);
    }
  }

  private static boolean holds(Callable<Boolean> condition) throws Exception {
    try {
      return condition.call();
    } catch (RnsException e) {
      return false;
    }
  }

  private static List<Integer> ids(PoolResolution resolution) {
    return resolution.elements().stream().map(Selected::id).toList();
  }

  @Test
  void aRegistrarWithoutPortsServesItsProcess() {
    RegistrarPools pools = pools(RegistrarServer.withoutPorts(), List.of());
    for (int id = 1; id <= 5; id++) {
      pools.register(POOL, PolicyType.ROUND_ROBIN, element(id, MINUTES, "http://host" + id + "/"));
    }
    assertThat(ids(pools.resolve(POOL, 5))).containsExactly(1, 2, 3, 4, 5);
    assertThat(ids(pools.resolve(POOL, 2))).containsExactly(2, 3);
    RnsPath none = RnsPath.parse("/none");
    List<Optional<PoolResolution>> all = pools.resolveAll(List.of(POOL, none, POOL), 1);
    assertThat(all.stream().map(one -> one.map(RegistrarPoolsTest::ids)).toList())
        .containsExactly(Optional.of(List.of(3)), Optional.empty(), Optional.of(List.of(4)));
    assertThat(pools.deregister(POOL, 5)).isTrue();
    assertThat(pools.deregister(POOL, 5)).isFalse();
    assertThat(pools.statistics())
        .containsEntry("pools", 1)
        .containsEntry("poolElements", 4)
        .containsEntry("poolSelections", 4L)
        .containsEntry("poolRejections", 1L)
        .containsEntry("poolRegistrars", 1)
        .containsEntry("poolReports", 0L)
        .containsEntry("poolLosses", 0L)
        .containsEntry("poolTakeovers", 0L)
        .containsEntry("poolUnanswered", 0L);
  }

  /** A broken firewall before one host must not remove an element for all others. */
  @Test
  void theReportsOfOneHostCountOnceHoweverTheyCome() throws Exception {
    RegistrarServer server = RegistrarServer.bind(InetAddress.getLoopbackAddress(), 0, 0);
    RegistrarPools pools = pools(server, List.of());
    until("it serves",
        () -> pools.register(POOL, PolicyType.ROUND_ROBIN, element(1, MINUTES, "http://a/")).home() != 0);
    Octets handle = Octets.utf8(POOL.toString());
    try (TestElement user = new TestElement(handle, 9)) {
      for (int connection = 0; connection < 5; connection++) {
        Socket socket = user.connect(server.elementsAddress());
        TestElement.send(socket, new AsapMessage.Unreachable(handle, 1));
        TestElement.send(socket, new AsapMessage.HandleResolution(false, handle));
        assertThat(user.received.poll(60, TimeUnit.SECONDS)).isNotNull();
      }
    }
    for (int call = 0; call < 5; call++) {
      pools.calledBy("127.0.0.1").unreachable(POOL, 1);
    }
    assertThat(pools.elements(ElementsRequest.of(POOL)).elements())
        .extracting(ListedElement::unreachableReports)
        .containsExactly(1);
    pools.calledBy("192.0.2.1").unreachable(POOL, 1);
    pools.calledBy("192.0.2.2").unreachable(POOL, 1);
    assertThat(pools.elements(ElementsRequest.of(POOL)).total()).isEqualTo(1);
    pools.calledBy("192.0.2.3").unreachable(POOL, 1);
    assertThat(pools.elements(ElementsRequest.of(POOL)).total()).as("four hosts cannot reach it").isZero();
    assertThat(pools.statistics()).containsEntry("poolReports", 13L).containsEntry("poolLosses", 1L);
  }

  @Test
  void errorsFollowThePoolService() {
    RegistrarServer server = RegistrarServer.withoutPorts();
    RegistrarPools pools = pools(server, List.of());
    assertThat(error(() -> pools.resolve(POOL, 1))).isEqualTo(RnsError.NO_SUCH_POOL);
    assertThat(error(() -> pools.resolve(POOL, 0))).isEqualTo(RnsError.INVALID_REQUEST);
    assertThat(error(() -> pools.resolve(POOL, PoolService.RESOLUTION_ITEMS + 1))).isEqualTo(RnsError.LIMIT_EXCEEDED);
    pools.register(POOL, PolicyType.RANDOM, element(1, MINUTES, "http://a/"));
    assertThat(error(() -> pools.register(POOL, PolicyType.ADAPTIVE, element(2, 9, "http://b/"))))
        .isEqualTo(RnsError.OTHER_POLICY);
    assertThat(error(() -> pools.register(POOL, PolicyType.RANDOM, element(1, 9, "http://b/"))))
        .isEqualTo(RnsError.ELEMENT_ID_TAKEN);
    assertThat(ids(pools.resolve(POOL, PoolService.RESOLUTION_ITEMS))).containsExactly(1);
    server.close();
    assertThat(error(() -> pools.resolve(POOL, 1))).isEqualTo(RnsError.UNAVAILABLE);
  }

  private static RnsError error(Callable<?> asked) {
    RnsException[] thrown = new RnsException[1];
    assertThatExceptionOfType(RnsException.class).isThrownBy(asked::call).satisfies(e -> thrown[0] = e);
    return thrown[0].error();
  }

  /** Whether the clock is set or the whole process was suspended, no live element is lost; a dead one is, later. */
  @Test
  void clockJumpsLoseNoElement() {
    AtomicLong clock = new AtomicLong(5_000_000);
    RegistrarServer server = RegistrarServer.withoutPorts();
    open.add(server);
    server.start(List.of(), SETTINGS, new SplittableRandom(seed++), clock::get);
    RegistrarPools pools = new RegistrarPools(server, Duration.ofSeconds(5), BOUND);
    pools.register(POOL, PolicyType.RANDOM, element(1, 3_000, "http://a/"));
    for (long jump : new long[]{MINUTES, -2 * MINUTES, 24 * 60 * MINUTES}) {
      clock.addAndGet(jump);
      assertThat(ids(pools.resolve(POOL, 1))).as("after a jump of " + jump + " ms").containsExactly(1);
    }
    for (int passed = 0; passed < 2_700; passed += 900) {
      assertThat(ids(pools.resolve(POOL, 1))).containsExactly(1);
      clock.addAndGet(900);
    }
    assertThat(ids(pools.resolve(POOL, 1))).containsExactly(1);
    clock.addAndGet(900);
    assertThat(pools.statistics()).as("any call handles due timers").containsKey("pools");
    assertThat(error(() -> pools.resolve(POOL, 1))).isEqualTo(RnsError.NO_SUCH_POOL);
  }

  /** A long planned wait is not a pause. */
  @Test
  void timersRunAfterALongWait() {
    AtomicLong clock = new AtomicLong();
    RegistrarServer server = RegistrarServer.withoutPorts();
    open.add(server);
    server.start(List.of(), RegistrarSettings.DEFAULTS, new SplittableRandom(seed++), clock::get);
    RegistrarPools pools = new RegistrarPools(server, Duration.ofSeconds(5), BOUND);
    pools.register(POOL, PolicyType.RANDOM, element(1, 1_500, "http://a/"));
    clock.addAndGet(2_000);
    assertThat(pools.statistics()).as("any call handles due timers").containsKey("pools");
    assertThat(error(() -> pools.resolve(POOL, 1))).isEqualTo(RnsError.NO_SUCH_POOL);
  }

  /** A registrar that was never started does not answer. */
  @Test
  void waitsAreBounded() {
    RegistrarPools pools = new RegistrarPools(RegistrarServer.withoutPorts(), Duration.ZERO, Duration.ofMillis(1));
    assertThat(error(() -> pools.resolve(POOL, 1))).isEqualTo(RnsError.TIMEOUT);
    assertThat(pools.statistics()).containsExactly(Map.entry("poolUnanswered", 1L));
  }

  /** A user at one registrar meets an element first, one at another starts from that. */
  @Test
  void whatUsersOfOneRegistrarReportThoseOfOthersHear() throws Exception {
    RegistrarServer one = RegistrarServer.bind(InetAddress.getLoopbackAddress(), 0, 0);
    RegistrarPools first = pools(one, List.of());
    until("the registrar serves", () -> !first.deregister(POOL, 1));
    RegistrarPools second =
        pools(RegistrarServer.bind(InetAddress.getLoopbackAddress(), 0, 0), List.of(one.peersAddress()));
    until("the other serves", () -> !second.deregister(POOL, 1));
    first.register(POOL, PolicyType.ADAPTIVE, element(1, MINUTES, "http://one/"));
    until("both know it", () -> ids(second.resolve(POOL, 1)).equals(List.of(1)));
    second.calledBy("192.0.2.1").experienced(POOL, List.of(ElementExperience.answered(1, 321)));
    until("it is told", () -> first.resolve(POOL, 1).elements().get(0).shared().millis() == 321);
    first.calledBy("192.0.2.2").experienced(POOL, List.of(ElementExperience.answered(1, 20)));
    until("it is refuted", () -> second.resolve(POOL, 1).elements().get(0).shared().millis() == 20);
  }

  @Test
  void elementsOfAFailedRegistrarAreKeptAndRenewElsewhere() throws Exception {
    List<RegistrarServer> servers = new ArrayList<>();
    List<RegistrarPools> pools = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      RegistrarServer server = RegistrarServer.bind(InetAddress.getLoopbackAddress(), 0, 0);
      List<InetSocketAddress> others = servers.stream().map(RegistrarServer::peersAddress).toList();
      servers.add(server);
      RegistrarPools its = pools(server, others);
      pools.add(its);
      until("the registrar serves", () -> !its.deregister(POOL, 1));
    }
    pools.get(2).register(POOL, PolicyType.ROUND_ROBIN, element(1, MINUTES, "http://long/"));
    pools.get(2).register(POOL, PolicyType.ROUND_ROBIN, element(2, 4_000, "http://short/"));
    for (RegistrarPools each : pools) {
      until("both are known", () -> ids(each.resolve(POOL, 9)).size() == 2);
    }
    servers.get(2).close();
    for (RegistrarServer survivor : servers.subList(0, 2)) {
      until("the elements have another home",
          () -> homes(survivor).stream().noneMatch(home -> home == servers.get(2).id()));
    }
    until("the short registration ended", () -> ids(pools.get(0).resolve(POOL, 9)).equals(List.of(1)));
    until("everywhere", () -> ids(pools.get(1).resolve(POOL, 9)).equals(List.of(1)));
    assertThat(pools.get(1).register(POOL, PolicyType.ROUND_ROBIN, element(1, MINUTES, "http://long/")).home())
        .isEqualTo(servers.get(1).id());
    until("the new home is known", () -> homes(servers.get(0)).equals(List.of(servers.get(1).id())));
    assertThat(ids(pools.get(0).resolve(POOL, 9))).containsExactly(1);
  }

  private static List<Integer> homes(RegistrarServer server) throws Exception {
    return server.ask(registrar -> registrar.handlespace().synchronisation().homes());
  }
}
