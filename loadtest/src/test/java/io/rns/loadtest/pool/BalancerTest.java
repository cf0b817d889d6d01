package io.rns.loadtest.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.rns.client.pool.ElementBusyException;
import io.rns.loadtest.measure.LoadClient;
import io.rns.loadtest.pool.Cluster.Member;
import io.rns.loadtest.pool.Requests.Bursts;
import io.rns.loadtest.pool.Requests.Demand;
import io.rns.loadtest.pool.Requests.Sizes;
import io.rns.pool.PolicyType;
import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.PrimitiveIterator;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class BalancerTest {
  private static final int MANY = 20;

  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);

  /** Holds the first request until it is released. */
  private Member holding(int limit) {
    Service service =
        nanos -> {
          begun.countDown();
          assertThat(released.await(60, TimeUnit.SECONDS)).isTrue();
        };
    return new Member(service, limit, 1);
  }

  @Test
  void leastConnectionsLeavesTheBusyServerAlone() throws Exception {
    List<Member> members = List.of(holding(MANY), new Member(Service.sleeping(1), MANY, 1));
    try (Cluster cluster = new Cluster(members, PolicyType.ROUND_ROBIN, Duration.ZERO, 1);
        ElementConnections connections = new ElementConnections();
        ExecutorService other = Executors.newSingleThreadExecutor()) {
      Balancer balancer =
          new LeastConnections(cluster.servers(), new long[]{1, 1}, 0, connections, System::nanoTime);
      Future<?> held = other.submit(() -> send(balancer));
      assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
      for (int i = 0; i < MANY; i++) {
        balancer.send(0);
      }
      released.countDown();
      held.get(60, TimeUnit.SECONDS);
      assertThat(cluster.servers()).extracting(SimulatedServer::requests).containsExactly(1L, (long) MANY);
    }
  }

  private static void send(Balancer balancer) {
    try {
      balancer.send(0);
    } catch (IOException e) {
      throw new AssertionError("the request was not answered", e);
    }
  }

  @Test
  void whatAServerTurnsAwayIsLostWithoutPatience() throws Exception {
    try (Cluster cluster = new Cluster(List.of(holding(1)), PolicyType.WEIGHTED_ROUND_ROBIN, Duration.ZERO, 1);
        ExecutorService other = Executors.newSingleThreadExecutor()) {
      Balancer balancer = cluster.dispatched();
      Future<?> held = other.submit(() -> send(balancer));
      assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
      assertThatExceptionOfType(ElementBusyException.class).isThrownBy(() -> balancer.send(0));
      assertThat(cluster.servers().get(0).requests()).isEqualTo(2);
      Future<?> waiting = other.submit(() -> send(Balancer.patient(balancer, Duration.ofMinutes(1))));
      released.countDown();
      held.get(60, TimeUnit.SECONDS);
      waiting.get(60, TimeUnit.SECONDS);
    }
  }

  @Test
  void creditsSendsNobodyToAFullServer() throws Exception {
    try (Cluster cluster = new Cluster(List.of(holding(1)), PolicyType.CREDITS, Duration.ZERO, 1);
        ExecutorService other = Executors.newSingleThreadExecutor()) {
      Balancer balancer = cluster.dispatched();
      Future<?> held = other.submit(() -> send(balancer));
      assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
      assertThatExceptionOfType(ElementBusyException.class).isThrownBy(() -> balancer.send(0))
          .withMessageContaining("can be selected");
      assertThat(cluster.servers().get(0).requests()).isEqualTo(1);
      released.countDown();
      held.get(60, TimeUnit.SECONDS);
    }
  }

  @Test
  void aUserGoesOnWhereAServerBreaksOff() throws Exception {
    List<Member> members = List.of(new Member(Service.BROKEN, MANY, 1), new Member(Service.sleeping(1), MANY, 1));
    try (Cluster cluster = new Cluster(members, PolicyType.ROUND_ROBIN, Duration.ofMinutes(1), 1)) {
      Balancer balancer = cluster.pooled();
      for (int i = 0; i < MANY; i++) {
        balancer.send(0);
      }
      assertThat(cluster.servers().get(1).requests()).isEqualTo(MANY);
      assertThat(cluster.servers().get(0).requests()).isBetween(1L, (long) MANY / 2);
    }
  }

  @Test
  void leastConnectionsLeavesAFailedServerAloneForTenSecondsAndAsksTheNext() throws Exception {
    AtomicLong now = new AtomicLong();
    List<Member> members = List.of(new Member(Service.BROKEN, MANY, 1), new Member(Service.sleeping(1), MANY, 1));
    try (Cluster cluster = new Cluster(members, PolicyType.ROUND_ROBIN, Duration.ZERO, 1);
        ElementConnections connections = new ElementConnections()) {
      Balancer balancer =
          new LeastConnections(cluster.servers(), new long[]{1, 1}, 0, connections, now::get);
      for (int i = 0; i < MANY; i++) {
        balancer.send(0);
      }
      assertThat(cluster.servers()).extracting(SimulatedServer::requests).containsExactly(1L, (long) MANY);
      now.addAndGet(Duration.ofSeconds(10).toNanos());
      balancer.send(0);
      balancer.send(0);
      assertThat(cluster.servers()).extracting(SimulatedServer::requests).containsExactly(2L, MANY + 2L);
    }
  }

  @Test
  void leastConnectionsFailsOnlyWhereEveryServerDoes() {
    List<Member> members = List.of(new Member(Service.BROKEN, MANY, 1), new Member(Service.BROKEN, MANY, 1));
    try (Cluster cluster = new Cluster(members, PolicyType.ROUND_ROBIN, Duration.ZERO, 1)) {
      Balancer balancer = cluster.leastConnections();
      for (int i = 0; i < 2; i++) {
        assertThatExceptionOfType(EOFException.class).isThrownBy(() -> balancer.send(0));
      }
      assertThat(cluster.servers()).extracting(SimulatedServer::requests).containsExactly(2L, 2L);
    }
  }

  @Test
  void weightsAreSharesOfTheRequestsInFlight() {
    List<Member> members = List.of(new Member(Service.sleeping(1), MANY, 1), new Member(Service.sleeping(1), MANY, 4));
    List<Integer> ports = new ArrayList<>();
    try (Cluster cluster = new Cluster(members, PolicyType.ROUND_ROBIN, Duration.ZERO, 1)) {
      // Each request is in flight while the next is decided.
      AtomicReference<Balancer> balancer = new AtomicReference<>();
      balancer.set(new LeastConnections(cluster.servers(), new long[]{1, 4}, 0, (port, nanos) -> {
        ports.add(port);
        return ports.size() < 10 ? balancer.get().send(0) : 0;
      }, System::nanoTime));
      send(balancer.get());
      assertThat(ports).filteredOn(port -> port == cluster.servers().get(1).port()).hasSize(8);
    }
  }

  @Test
  void peakEwmaLeavesASlowServerAloneOnceItIsKnown() {
    AtomicLong now = new AtomicLong();
    List<Member> members = List.of(new Member(Service.sleeping(1), MANY, 1), new Member(Service.sleeping(1), MANY, 1));
    List<Integer> ports = new ArrayList<>();
    try (Cluster cluster = new Cluster(members, PolicyType.ROUND_ROBIN, Duration.ZERO, 1)) {
      int slow = cluster.servers().get(0).port();
      Balancer balancer = new PeakEwma(cluster.servers(), (port, nanos) -> {
        ports.add(port);
        return now.addAndGet(Duration.ofMillis(port == slow ? 160 : 10).toNanos());
      }, now::get, new SplittableRandom(1));
      for (int i = 0; i < MANY; i++) {
        send(balancer);
      }
      assertThat(ports).filteredOn(port -> port == slow).hasSize(1);
    }
  }

  @Test
  void sizesAreAsTheySay() {
    SplittableRandom random = new SplittableRandom(4);
    assertThat(LongStream.range(0, 1_000).map(i -> Sizes.even(100).draw(random)).summaryStatistics())
        .satisfies(even -> assertThat(even.getMin()).isBetween(50L, 52L))
        .satisfies(even -> assertThat(even.getMax()).isBetween(148L, 150L));
    assertThat(
        LongStream.range(0, 1_000).map(i -> Sizes.mixed(1, 9, 0.1).draw(random)).filter(size -> size == 9).count())
        .isBetween(60L, 140L);
  }

  /** All times and sizes of a run with one client after the other, without waiting for their times. */
  private static List<Long> drawn(Demand demand, long seed) {
    List<Long> drawn = new ArrayList<>();
    Balancer balancer = nanos -> {
      drawn.add(nanos);
      return System.nanoTime();
    };
    LoadClient client =
        new Requests(demand, seed, Duration.ZERO, Duration.ofSeconds(1)).clients(List.of(balancer), () -> {}).get(0);
    while (client.prepare()) {
      drawn.add(client.dueNanos());
      assertThat(client.perform()).isNull();
    }
    return drawn;
  }

  @Test
  void everyWayToChooseGetsTheSameRequestsAtTheSameTimes() {
    Demand demand = new Demand(2, Bursts.atRandom(1_000 / 3.0), 3, Sizes.even(100));
    List<Long> drawn = drawn(demand, 7);
    assertThat(drawn).isEqualTo(drawn(demand, 7)).isNotEqualTo(drawn(demand, 8));
    assertThat(drawn.size() / 2).as("1,000 in a second, in bursts of 3").isBetween(800, 1_200);
    assertThat(List.of(drawn.get(0), drawn.get(2), drawn.get(4))).containsOnly(0L);
    assertThat(drawn.get(6)).isPositive().isEqualTo(drawn.get(8));
  }

  @Test
  void aTraceIsReplayedInCopiesAndBeginsAnewASecondAfterItsEnd() {
    Demand demand = new Demand(2, Bursts.NONE, 1, random -> 9).at(Bursts.repeated(List.of(0L, 100L)), 2);
    assertThat(drawn(demand, 1)).containsExactly(0L, 9L, 0L, 9L, 100L, 9L, 100L, 9L);
    PrimitiveIterator.OfLong times = Bursts.repeated(List.of(0L, 100L)).times(new SplittableRandom(1));
    assertThat(LongStream.generate(times::nextLong).limit(4)).containsExactly(0L, 100L, 1_000_000_100L, 1_000_000_200L);
  }

  @Test
  void failuresOfTheWarmUpDoNotCountAndTheLastClientClosesTheServers() {
    AtomicInteger closed = new AtomicInteger();
    Demand demand = new Demand(2, Bursts.atRandom(100), 1, Sizes.even(100));
    List<LoadClient> clients =
        new Requests(demand, 1, Duration.ofSeconds(1), Duration.ofSeconds(1)).clients(List.of(nanos -> {
          throw new IOException("refused");
        }), closed::incrementAndGet);
    while (clients.get(0).prepare()) {
      assertThat(clients.get(0).perform() == null).isEqualTo(clients.get(0).dueNanos() < 1_000_000_000);
    }
    clients.get(0).close();
    assertThat(closed).hasValue(0);
    clients.get(1).close();
    assertThat(closed).hasValue(1);
  }
}
