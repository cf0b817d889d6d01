package io.rns.client.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.EndpointReference;
import io.rns.api.RnsPath;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.pool.ElementExperience;
import io.rns.pool.Occupancy;
import io.rns.pool.Parameters;
import io.rns.pool.PolicyType;
import io.rns.pool.PoolResolution;
import io.rns.pool.PoolService;
import io.rns.pool.Registered;
import io.rns.pool.Registration;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Users in virtual time, of pools in memory. */
@Timeout(60)
class PoolUserTest {
  private static final RnsPath HANDLE = RnsPath.parse("/svc/print");

  private final ManualTime time = new ManualTime();
  private final Set<Integer> dead = new HashSet<>();
  private final Set<Integer> full = new HashSet<>();
  private final List<Integer> called = new ArrayList<>();

  private MemoryPools pools(PolicyType policy, long ttlMillis, int elements) {
    MemoryPools pools = new MemoryPools(time::millis, ttlMillis);
    for (int id = 1; id <= elements; id++) {
      register(pools, policy, id, Parameters.PLAIN);
    }
    return pools;
  }

  private static void register(MemoryPools pools, PolicyType policy, int id, Parameters parameters) {
    List<EndpointReference> endpoints = List.of(EndpointReference.ofAddress("http://p" + id + ".example/"));
    Registered unused =
        pools.register(HANDLE, policy, new Registration(id, endpoints, parameters, Registration.FOREVER));
  }

  private static Parameters holding(long accepted, long occupied, long limit) {
    return Parameters.PLAIN.withOccupancy(new Occupancy(1, accepted, occupied, limit));
  }

  /** What an element does: answer, turn away, or nothing. */
  private int serve(Serving element) throws IOException {
    called.add(element.id());
    assertThat(element.endpoint().address()).isEqualTo("http://p" + element.id() + ".example/");
    if (full.contains(element.id())) {
      throw new ElementBusyException(element.id() + " is full", Duration.ofMillis(50));
    }
    if (dead.contains(element.id())) {
      throw new ConnectException(element.id() + " is dead");
    }
    return element.id();
  }

  private List<Integer> calls(PoolSession session, int count) throws IOException {
    List<Integer> answered = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      answered.add(session.call(this::serve));
    }
    return answered;
  }

  @Test
  void everyResolutionIsTakenInItsOrder() throws IOException {
    MemoryPools pools = pools(PolicyType.ROUND_ROBIN, 0, 3);
    assertThat(calls(user(pools).session(HANDLE), 6)).containsExactly(1, 2, 3, 1, 2, 3);
    assertThat(pools.resolutions()).isEqualTo(6);
  }

  @ParameterizedTest
  @EnumSource(value = PolicyType.class, names = {"ROUND_ROBIN", "WEIGHTED_ROUND_ROBIN"})
  void whatIsKeptGoesRound(PolicyType policy) throws IOException {
    List<Integer> answered = calls(user(pools(policy, 1_000, 3)).session(HANDLE), 6);
    assertThat(Set.copyOf(answered.subList(0, 3))).hasSize(3);
    assertThat(answered.subList(3, 6)).isEqualTo(answered.subList(0, 3));
  }

  @Test
  void whatIsKeptIsUsedInTurnForAsLongAsItHolds() throws IOException {
    MemoryPools pools = pools(PolicyType.ROUND_ROBIN, 1_000, 3);
    PoolUser user = user(pools);
    assertThat(calls(user.session(HANDLE), 4)).containsExactly(1, 2, 3, 1);
    assertThat(calls(user.session(HANDLE), 2)).containsExactly(2, 3);
    time.pass(999);
    assertThat(calls(user.session(HANDLE), 1)).containsExactly(1);
    assertThat(pools.resolutions()).isEqualTo(1);
    time.pass(1);
    assertThat(calls(user.session(HANDLE), 1)).containsExactly(2);
    assertThat(pools.resolutions()).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource(value = PolicyType.class, names = {"RANDOM", "WEIGHTED_RANDOM", "WEIGHTED_RANDOM_DISTANCE"})
  void whatIsKeptOfARandomPoolIsDrawnAgain(PolicyType policy) throws IOException {
    PoolSession session = user(pools(policy, 1_000_000, 3)).session(HANDLE);
    List<Integer> answered = calls(session, 300);
    for (int id = 1; id <= 3; id++) {
      assertThat(answered.stream().filter(List.of(id)::contains).count()).isBetween(70L, 130L);
    }
  }

  @Test
  void theHighestPriorityIsUsedAlways() throws IOException {
    MemoryPools pools = new MemoryPools(time::millis, 1_000);
    register(pools, PolicyType.PRIORITY, 1, Parameters.PLAIN.withPriority(1));
    register(pools, PolicyType.PRIORITY, 2, Parameters.PLAIN.withPriority(9));
    PoolSession session = user(pools).session(HANDLE);
    assertThat(calls(session, 3)).containsExactly(2, 2, 2);
    dead.add(2);
    assertThat(calls(session, 1)).containsExactly(1);
  }

  @Test
  void oneThatFailsIsReportedOnceAndTheNextIsUsedAtOnce() throws IOException {
    MemoryPools pools = pools(PolicyType.ROUND_ROBIN, 60_000, 3);
    PoolUser user = user(pools);
    PoolSession session = user.session(HANDLE);
    dead.add(1);
    assertThat(calls(session, 1)).containsExactly(2);
    assertThat(user.figures()).isEqualTo(new PoolFigures(1, 1, 1, 0, 1));
    assertThat(time.pauses()).isEmpty();
    assertThat(calls(session, 3)).doesNotContain(1);
    time.pass(1);
    assertThat(called.stream().filter(List.of(1)::contains).count()).isEqualTo(1);
    assertThat(pools.reports()).isEqualTo(1);
    assertThat(user.figures().failures()).isEqualTo(called.size() - 4).isEqualTo(user.figures().failovers());
    assertThat(user.figures()).extracting(PoolFigures::calls, PoolFigures::resolutions).containsExactly(4L, 1L);
    dead.clear();
    time.pass(10_000);
    assertThat(calls(session, 3)).contains(1);
    dead.add(1);
    assertThat(calls(session, 3)).doesNotContain(1);
    time.pass(1);
    assertThat(pools.reports()).isEqualTo(2);
  }

  @Test
  void oneThatFailedComesLastForAWhile() throws IOException {
    PoolSession session = user(pools(PolicyType.ROUND_ROBIN, 1_000_000, 2)).session(HANDLE);
    dead.add(1);
    List<Integer> unused = calls(session, 2);
    called.clear();
    assertThat(calls(session, 4)).containsOnly(2);
    assertThat(called).containsOnly(2);
    time.pass(10_000);
    assertThat(calls(session, 2)).containsOnly(2);
    assertThat(called).contains(1);
  }

  @Test
  void whoTurnsAwayIsNotReported() throws IOException {
    MemoryPools pools = pools(PolicyType.ROUND_ROBIN, 60_000, 2);
    full.add(1);
    PoolUser user = user(pools);
    assertThat(calls(user.session(HANDLE), 2)).containsExactly(2, 2);
    assertThat(user.figures()).isEqualTo(new PoolFigures(2, 1, 2, 2, 0));
    time.pass(1);
    assertThat(called).contains(1);
    assertThat(pools.reports()).isZero();
    assertThat(time.pauses()).isEmpty();
  }

  @Test
  void whenAllFailThePoolIsResolvedAgainAfterAPause() throws IOException {
    MemoryPools pools = pools(PolicyType.ROUND_ROBIN, 60_000, 2);
    PoolSession session = user(pools).session(HANDLE);
    dead.addAll(List.of(1, 2));
    Runnable unused = time.after(1, () -> register(pools, PolicyType.ROUND_ROBIN, 3, Parameters.PLAIN));
    assertThat(calls(session, 1)).containsExactly(3);
    assertThat(time.pauses()).isNotEmpty().allSatisfy(pause -> assertThat(pause).isBetween(0L, 2_000L));
    assertThat(time.pauses().get(0)).isLessThanOrEqualTo(200);
    assertThat(pools.resolutions()).isEqualTo(1 + time.pauses().size());
  }

  @Test
  void whatCannotBeHelpedEndsWithTheLastFailure() {
    MemoryPools pools = pools(PolicyType.ROUND_ROBIN, 60_000, 1);
    dead.add(1);
    assertThatThrownBy(() -> user(pools).session(HANDLE).call(this::serve))
        .isInstanceOf(ConnectException.class)
        .hasMessage("1 is dead")
        .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
    assertThat(called).hasSize(8);
    assertThat(time.pauses()).hasSize(7).allMatch(pause -> pause <= 2_000);
  }

  @Test
  void repetitionsHaveABudget() throws IOException {
    PoolUser user = user(pools(PolicyType.PRIORITY, 60_000, 2));
    dead.addAll(List.of(1, 2));
    int failed = 0;
    for (int i = 0; i < 100; i++) {
      try {
        int unused = user.session(HANDLE).call(this::serve);
      } catch (ConnectException e) {
        failed++;
      }
    }
    assertThat(failed).isEqualTo(100);
    // Ten in reserve and a fifth of the calls.
    assertThat(called).hasSizeBetween(100 + 28, 100 + 31);
    assertThat(user.figures().failovers()).as("what was not repeated is none").isEqualTo(called.size() - 100);
  }

  @Test
  void theDeadlineEndsACall() {
    PoolUser user =
        PoolUser.builder(pools(PolicyType.ROUND_ROBIN, 60_000, 1)).deadline(Duration.ofMillis(1))
            .time(time, new SplittableRandom(3)).build();
    dead.add(1);
    assertThatThrownBy(() -> user.session(HANDLE).call(this::serve)).hasMessage("1 is dead");
    assertThat(called.size()).isLessThan(4);
  }

  @Test
  void otherErrorsAreOfTheCaller() {
    MemoryPools pools = pools(PolicyType.ROUND_ROBIN, 60_000, 2);
    PoolSession session = user(pools).session(HANDLE);
    assertThatThrownBy(
        () -> session.call(
            element -> {
              called.add(element.id());
              throw new IllegalArgumentException("bad order");
            }))
        .hasMessage("bad order");
    time.pass(1);
    assertThat(called).hasSize(1);
    assertThat(pools.reports()).isZero();
  }

  @Test
  void anInterruptEndsACall() {
    PoolSession session = user(pools(PolicyType.ROUND_ROBIN, 60_000, 2)).session(HANDLE);
    dead.addAll(List.of(1, 2));
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> session.call(this::serve)).isInstanceOf(ConnectException.class);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(called).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(value = RnsError.class, names = {"UNAVAILABLE", "TIMEOUT"})
  void whatIsKeptIsUsedWhileNoServerAnswersButNotForEver(RnsError error) throws IOException {
    MemoryPools pools = pools(PolicyType.ROUND_ROBIN, 100, 2);
    PoolSession session = user(pools).session(HANDLE);
    assertThat(calls(session, 1)).containsExactly(1);
    pools.failWith(new RnsException(error, "away"));
    time.pass(100 + 30_000);
    assertThat(calls(session, 2)).containsExactly(2, 1);
    time.pass(1);
    assertThatThrownBy(() -> session.call(this::serve)).isInstanceOf(RnsException.class).hasMessage("away");
  }

  /** Pools that are asked in a way. */
  private static PoolService asked(MemoryPools pools, Supplier<PoolResolution> resolve) {
    return (PoolService) Proxy.newProxyInstance(
        PoolService.class.getClassLoader(), new Class<?>[]{PoolService.class}, (proxy, method, arguments) -> {
          if (method.getName().equals("resolve")) {
            return resolve.get();
          }
          try {
            return method.invoke(pools, arguments);
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        });
  }

  private PoolUser user(PoolService pools) {
    return PoolUser.builder(pools).time(time, new SplittableRandom(3)).build();
  }

  /** A client that knows several servers asks them for 30 s. */
  @Test
  void whatIsKeptIsUsedThoughServersAreAskedForLong() throws IOException {
    MemoryPools pools = pools(PolicyType.ROUND_ROBIN, 100, 2);
    AtomicBoolean away = new AtomicBoolean();
    AtomicInteger asked = new AtomicInteger();
    PoolSession session = user(asked(pools, () -> {
      asked.incrementAndGet();
      if (away.get()) {
        time.pass(29_500);
        throw new RnsException(RnsError.UNAVAILABLE, "away");
      }
      return pools.resolve(HANDLE, 10);
    })).session(HANDLE);
    assertThat(calls(session, 1)).containsExactly(1);
    away.set(true);
    time.pass(20_000);
    assertThat(calls(session, 1)).containsExactly(2);
    assertThat(asked).hasValue(2);
  }

  @Test
  void whatIsKeptIsUsedWhileAnotherThreadAsks() throws Exception {
    MemoryPools pools = pools(PolicyType.ROUND_ROBIN, 100, 2);
    AtomicBoolean away = new AtomicBoolean();
    CountDownLatch asking = new CountDownLatch(1);
    CountDownLatch answered = new CountDownLatch(1);
    PoolSession session = user(asked(pools, () -> {
      if (away.get()) {
        asking.countDown();
        await(answered);
        throw new RnsException(RnsError.UNAVAILABLE, "away");
      }
      return pools.resolve(HANDLE, 10);
    })).session(HANDLE);
    assertThat(calls(session, 1)).containsExactly(1);
    away.set(true);
    time.pass(1_000);
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try {
      Future<List<Integer>> first = threads.submit(() -> calls(session, 1));
      await(asking);
      assertThat(calls(session, 2)).hasSize(2);
      assertThat(first.isDone()).isFalse();
      answered.countDown();
      assertThat(first.get()).hasSize(1);
    } finally {
      threads.shutdownNow();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aPoolThatIsNotThereIsToldAtOnce() {
    MemoryPools pools = new MemoryPools(time::millis, 0);
    assertThatThrownBy(() -> user(pools).session(HANDLE).call(this::serve))
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.NO_SUCH_POOL));
    assertThat(time.pauses()).isEmpty();
  }

  @Test
  void aPoolThatIsFullIsWaitedFor() throws IOException {
    MemoryPools pools = new MemoryPools(time::millis, 0);
    register(pools, PolicyType.CREDITS, 1, holding(1, 1, 1));
    PoolSession session = user(pools).session(HANDLE);
    Runnable unused = time.after(500, () -> register(pools, PolicyType.CREDITS, 1, holding(1, 0, 1)));
    assertThat(calls(session, 1)).containsExactly(1);
    assertThat(time.millis()).isGreaterThanOrEqualTo(1_500);
    register(pools, PolicyType.CREDITS, 1, holding(2, 1, 1));
    assertThatThrownBy(() -> session.call(this::serve))
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.BUSY));
  }

  @Test
  void aUserOfAnAdaptivePoolCountsItsOwnRequests() throws IOException {
    MemoryPools pools = new MemoryPools(time::millis, 1_000_000);
    register(pools, PolicyType.ADAPTIVE, 1, holding(0, 0, 10));
    register(pools, PolicyType.ADAPTIVE, 2, holding(0, 0, 10));
    PoolUser user = user(pools);
    List<Integer> within = new ArrayList<>();
    int outer =
        user.session(HANDLE)
            .call(
                element -> {
                  within.add(user.session(HANDLE).call(this::serve));
                  return element.id();
                });
    assertThat(within).doesNotContain(outer);
  }

  /** What ended in the caller's own error is over, too. */
  @Test
  void aCallOfAnAdaptivePoolThatEndsBadlyLeavesNothingBehind() throws IOException {
    MemoryPools pools = new MemoryPools(time::millis, 1_000_000);
    register(pools, PolicyType.ADAPTIVE, 1, holding(0, 0, 10));
    register(pools, PolicyType.ADAPTIVE, 2, holding(0, 0, 10));
    PoolSession session = user(pools).session(HANDLE);
    assertThatThrownBy(
        () -> session.call(
            element -> {
              called.add(element.id());
              throw new IllegalArgumentException("bad order");
            }))
        .hasMessage("bad order");
    assertThat(called).containsExactly(1);
    assertThat(calls(session, 4)).containsExactly(2, 1, 2, 1);
  }

  /**
   * A rejection is quick; it must not look like a quick answer, also of an element that does not say how long to wait.
   */
  @Test
  void whoTurnedAwayGetsLessAlthoughThatWasQuick() throws IOException {
    MemoryPools pools = new MemoryPools(time::millis, 1_000_000);
    register(pools, PolicyType.ADAPTIVE, 1, holding(0, 0, 10));
    register(pools, PolicyType.ADAPTIVE, 2, holding(0, 0, 10));
    PoolSession session = user(pools).session(HANDLE);
    for (int i = 0; i < 3; i++) {
      int answered =
          session.call(
              element -> {
                called.add(element.id());
                if (element.id() == 1) {
                  throw new ElementBusyException("full", Duration.ZERO);
                }
                time.pass(5);
                return element.id();
              });
      assertThat(answered).isEqualTo(2);
    }
    assertThat(called).containsExactly(1, 2, 2, 2);
  }

  @Test
  void aUserOfAnAdaptivePoolGoesWhereLeastIsOccupied() throws IOException {
    MemoryPools pools = new MemoryPools(time::millis, 1_000_000);
    register(pools, PolicyType.ADAPTIVE, 1, holding(9, 9, 10));
    register(pools, PolicyType.ADAPTIVE, 2, holding(0, 0, 10));
    PoolSession session = user(pools).session(HANDLE);
    assertThat(calls(session, 3)).containsExactly(2, 2, 2);
    dead.add(2);
    assertThat(calls(session, 1)).containsExactly(1);
  }

  /** Answers after 10 ms, but element 1 after 200 ms. */
  private int slowly(Serving element) throws IOException {
    int id = serve(element);
    time.pass(id == 1 ? 200 : 10);
    return id;
  }

  private MemoryPools adaptivePools() {
    MemoryPools pools = new MemoryPools(time::millis, 5_000);
    for (int id = 1; id <= 3; id++) {
      register(pools, PolicyType.ADAPTIVE, id, holding(0, 0, 10));
    }
    return pools;
  }

  @Test
  void whatOneUserOfAnAdaptivePoolLearnsOthersStartFrom() throws IOException {
    MemoryPools pools = adaptivePools();
    PoolSession first = user(pools).session(HANDLE);
    for (int i = 0; i < 6; i++) {
      int unused = first.call(this::slowly);
    }
    time.pass(1_000);
    assertThat(pools.told()).contains(ElementExperience.answered(1, 200), ElementExperience.answered(2, 10));
    called.clear();
    PoolSession second = user(pools).session(HANDLE);
    for (int i = 0; i < 6; i++) {
      int unused = second.call(this::slowly);
    }
    assertThat(called).doesNotContain(1);
  }

  /** Others need not wait for the first answer of a slow element. */
  @Test
  void anElementThatIsSilentForLongIsToldBeforeItAnswers() throws IOException {
    MemoryPools pools = adaptivePools();
    int unused = user(pools).session(HANDLE).call(element -> {
      time.pass(49);
      assertThat(pools.told()).isEmpty();
      time.pass(1);
      assertThat(pools.told()).containsExactly(ElementExperience.answered(element.id(), 50));
      time.pass(349);
      assertThat(pools.told()).extracting(ElementExperience::millis).containsExactly(50L, 200L);
      return element.id();
    });
    time.pass(100_000);
    assertThat(time.waiting()).as("what is left to do").isZero();
  }

  @Test
  void whatFailsForOneUserOthersAvoidUntilItAnswers() throws IOException {
    MemoryPools pools = adaptivePools();
    dead.add(1);
    List<Integer> unused = calls(user(pools).session(HANDLE), 6);
    time.pass(1);
    assertThat(pools.told()).contains(ElementExperience.failed(1));
    called.clear();
    PoolUser second = user(pools);
    assertThat(calls(second.session(HANDLE), 6)).doesNotContain(1);
    assertThat(called).doesNotContain(1);
    dead.clear();
    time.pass(10_000);
    called.clear();
    for (int i = 0; i < 20; i++) {
      List<Integer> more = calls(second.session(HANDLE), 1);
      time.pass(10L * more.size());
    }
    assertThat(called).contains(1);
    time.pass(1_000);
    assertThat(pools.told().stream().filter(told -> told.id() == 1 && told.answered())).isNotEmpty();
  }

  @Test
  void aUserThatHasJustMetAnAdaptivePoolSoonAsksAgain() throws IOException {
    MemoryPools pools = adaptivePools();
    PoolSession session = user(pools).session(HANDLE);
    List<Long> resolved = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      int before = pools.resolutions();
      List<Integer> unused = calls(session, 1);
      if (pools.resolutions() > before) {
        resolved.add(time.millis());
      }
      time.pass(100);
    }
    long met = resolved.get(0);
    assertThat(resolved.stream().map(at -> at - met)).containsExactly(0L, 100L, 200L, 400L, 800L, 1_600L, 3_200L,
        6_400L, 11_400L, 16_400L);
  }

  @Test
  void aUserTellsOnlyWhatIsNewsAndNotTooOften() throws IOException {
    MemoryPools pools = adaptivePools();
    PoolSession session = user(pools).session(HANDLE);
    for (int i = 0; i < 300; i++) {
      int unused = session.call(this::slowly);
      time.pass(10);
    }
    assertThat(pools.told()).as("each element once or, when it was forgotten, twice").hasSizeLessThan(9);
  }

  @Test
  void usersOfOtherPoliciesTellNothing() throws IOException {
    MemoryPools pools = pools(PolicyType.LEAST_USED, 60_000, 3);
    dead.add(2);
    List<Integer> unused = calls(user(pools).session(HANDLE), 9);
    time.pass(10_000);
    assertThat(pools.told()).isEmpty();
  }

  @Test
  void aSessionStaysWithItsElementAndItsStateGoesAlong() throws IOException {
    PoolUser user = user(pools(PolicyType.ROUND_ROBIN, 0, 3));
    List<String> echoed = new ArrayList<>();
    PoolSession session =
        user.session(HANDLE,
            (cookie, element) -> echoed.add(element.id() + ":" + new String(cookie, StandardCharsets.UTF_8)));
    int first =
        session.call(
            element -> {
              session.cookie("begun".getBytes(StandardCharsets.UTF_8));
              session.cookie("state".getBytes(StandardCharsets.UTF_8));
              return element.id();
            });
    assertThat(calls(session, 3)).containsOnly(first);
    assertThat(echoed).isEmpty();
    dead.add(first);
    int second = session.call(this::serve);
    assertThat(second).isNotEqualTo(first);
    assertThat(echoed).containsExactly(second + ":state");
    assertThat(calls(session, 3)).containsOnly(second);
    assertThat(echoed).hasSize(1);
    assertThatThrownBy(() -> session.cookie(new byte[65_536])).hasMessageContaining("65535 bytes");
  }

  /** One that failed has its turn like any other, though it holds the state. */
  @Test
  void aKeeperThatFailedIsNotAskedFirst() throws IOException {
    MemoryPools pools = new MemoryPools(time::millis, 0);
    register(pools, PolicyType.PRIORITY, 1, Parameters.PLAIN.withPriority(9));
    register(pools, PolicyType.PRIORITY, 2, Parameters.PLAIN.withPriority(1));
    List<Integer> echoed = new ArrayList<>();
    PoolSession session =
        user(pools)
            .session(
                HANDLE,
                (cookie, element) -> {
                  echoed.add(element.id());
                  if (echoed.size() == 1) {
                    throw new ConnectException("not yet");
                  }
                });
    dead.add(1);
    int keeper =
        session.call(
            element -> {
              int id = serve(element);
              session.cookie(new byte[1]);
              return id;
            });
    assertThat(keeper).isEqualTo(2);
    dead.clear();
    dead.add(2);
    called.clear();
    int next = session.call(this::serve);
    assertThat(next).isEqualTo(1);
    assertThat(called).containsExactly(2, 1);
    assertThat(echoed).containsExactly(1, 1);
  }

  /** Otherwise the next in the order of the policy, 2, would take over. */
  @Test
  void theElementsOfABusinessCardTakeOver() throws IOException {
    MemoryPools pools = pools(PolicyType.ROUND_ROBIN, 60_000, 5);
    PoolSession session =
        PoolUser.builder(pools).items(5).time(time, new SplittableRandom(3)).build().session(HANDLE, (state, at) -> {});
    int first =
        session.call(
            element -> {
              session.cookie(new byte[1]);
              session.businessCard(List.of(77, 4, 3));
              return element.id();
            });
    assertThat(first).isEqualTo(1);
    assertThat(calls(session, 2)).as("it serves").containsOnly(1);
    dead.add(1);
    called.clear();
    assertThat(session.call(this::serve)).isEqualTo(4);
    assertThat(called).containsExactly(1, 4);
    dead.add(4);
    called.clear();
    assertThat(session.call(this::serve)).isEqualTo(3);
    assertThat(called).containsExactly(4, 3);
    assertThatThrownBy(() -> session.businessCard(Collections.nCopies(129, 1)))
        .hasMessageContaining("128 elements");
  }

  /** By the policy, 2 would be next. */
  @Test
  void aBusinessCardCountsForTheNextCallToo() throws IOException {
    MemoryPools pools = new MemoryPools(time::millis, 60_000);
    for (int id = 1; id <= 3; id++) {
      register(pools, PolicyType.PRIORITY, id, Parameters.PLAIN.withPriority(9 - id));
    }
    PoolSession session = user(pools).session(HANDLE);
    int first =
        session.call(
            element -> {
              session.businessCard(List.of(3));
              return element.id();
            });
    dead.add(first);
    assertThat(calls(session, 2)).containsOnly(3);
    assertThat(called).containsExactly(1, 3, 3);
  }

  /** The state is what it was when it was given, whatever the element and the callback do with their arrays. */
  @Test
  void aCookieIsCopied() throws IOException {
    PoolUser user = user(pools(PolicyType.ROUND_ROBIN, 60_000, 3));
    List<Integer> echoed = new ArrayList<>();
    PoolSession session =
        user.session(
            HANDLE,
            (cookie, element) -> {
              echoed.add((int) cookie[0]);
              cookie[0] = 9;
            });
    byte[] given = {5};
    int first =
        session.call(
            element -> {
              session.cookie(given);
              return element.id();
            });
    given[0] = 7;
    dead.add(first);
    dead.add(session.call(this::serve));
    int unused = session.call(this::serve);
    assertThat(echoed).hasSizeGreaterThan(1).containsOnly(5);
  }

  @Test
  void whatIsKnownOfPoolsIsBounded() throws IOException {
    MemoryPools pools = new MemoryPools(time::millis, 60_000);
    PoolUser user = user(pools);
    List<EndpointReference> endpoints = List.of(EndpointReference.ofAddress("http://p1.example/"));
    for (int i = 0; i <= 1_000; i++) {
      RnsPath handle = RnsPath.parse("/svc/p" + i);
      Registered unused =
          pools.register(handle, PolicyType.RANDOM, new Registration(1, endpoints, Parameters.PLAIN, -1));
      assertThat(calls(user.session(handle), 1)).containsExactly(1);
    }
    assertThat(pools.resolutions()).isEqualTo(1_001);
    assertThat(calls(user.session(RnsPath.parse("/svc/p1")), 1)).containsExactly(1);
    assertThat(pools.resolutions()).as("the last thousand are known").isEqualTo(1_001);
    assertThat(calls(user.session(RnsPath.parse("/svc/p0")), 1)).containsExactly(1);
    assertThat(pools.resolutions()).as("the first is not").isEqualTo(1_002);
  }

  @Test
  void oneThatDoesNotTakeTheStateIsPassedOver() throws IOException {
    PoolUser user = user(pools(PolicyType.ROUND_ROBIN, 0, 3));
    PoolSession session =
        user.session(
            HANDLE,
            (cookie, element) -> {
              if (element.id() == 2) {
                throw new ConnectException("not me");
              }
            });
    int first =
        session.call(
            element -> {
              session.cookie(new byte[1]);
              return element.id();
            });
    assertThat(first).isEqualTo(1);
    dead.add(1);
    assertThat(session.call(this::serve)).isEqualTo(3);
  }
}
