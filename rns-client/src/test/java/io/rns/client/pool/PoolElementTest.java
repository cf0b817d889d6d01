package io.rns.client.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.EndpointReference;
import io.rns.api.RnsPath;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.pool.Occupancy;
import io.rns.pool.Parameters;
import io.rns.pool.PolicyType;
import io.rns.pool.PoolService;
import io.rns.pool.Registered;
import io.rns.pool.Registration;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Elements in virtual time, at a registrar in memory. */
@Timeout(60)
class PoolElementTest {
  private static final RnsPath HANDLE = RnsPath.parse("/svc/print");
  private static final List<EndpointReference> ENDPOINTS = List.of(EndpointReference.ofAddress("http://p1.example/"));
  private static final List<EndpointReference> OTHER = List.of(EndpointReference.ofAddress("http://p2.example/"));
  private static final long SEED = 5;

  private final ManualTime time = new ManualTime();
  private final MemoryPools pools = new MemoryPools(time::millis, 0);
  private final List<Object> told = new ArrayList<>();

  private final class Telling implements ElementListener {
    @Override
    public void registered(int id, Registered registered) {
      told.add(id);
    }

    @Override
    public void failed(RnsException error) {
      told.add(error.error());
    }
  }

  private PoolElement.Builder builder() {
    return PoolElement.builder(pools, HANDLE, ENDPOINTS)
        .policy(PolicyType.LEAST_USED)
        .listener(new Telling())
        .time(time, new SplittableRandom(SEED));
  }

  private Parameters reported(PoolElement element) {
    return pools.registration(HANDLE, element.id()).parameters();
  }

  @Test
  void staysRegisteredUntilItIsClosed() {
    PoolElement element = builder().register();
    for (int second = 0; second < 600; second++) {
      time.pass(1_000);
      assertThat(pools.ids(HANDLE)).containsExactly(element.id());
    }
    // Between a sixth and a third of the lifetime of 30 s.
    assertThat(pools.registrations()).isBetween(60, 121);
    assertThat(told).hasSize(pools.registrations()).containsOnly(element.id());
    element.close();
    element.close();
    assertThat(pools.ids(HANDLE)).isEmpty();
    assertThat(time.waiting()).isZero();
    int before = pools.registrations();
    time.pass(100_000);
    assertThat(pools.registrations()).isEqualTo(before);
  }

  @Test
  void anotherIdIsDrawnIfOneIsTaken() {
    int first = new SplittableRandom(SEED).nextInt();
    Registered unused =
        pools.register(HANDLE, PolicyType.LEAST_USED, new Registration(first, OTHER, Parameters.PLAIN, -1));
    PoolElement element = builder().register();
    assertThat(element.id()).isNotEqualTo(first);
    assertThat(pools.ids(HANDLE)).containsExactlyInAnyOrder(first, element.id());
    assertThatThrownBy(() -> builder().id(first).register())
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.ELEMENT_ID_TAKEN));
  }

  @Test
  void anIdThatIsLostLaterIsDrawnAnew() {
    PoolElement element = builder().register();
    int first = element.id();
    pools.forget(HANDLE, first);
    Registered unused =
        pools.register(HANDLE, PolicyType.LEAST_USED, new Registration(first, OTHER, Parameters.PLAIN, -1));
    time.pass(10_001);
    assertThat(element.id()).isNotEqualTo(first);
    assertThat(pools.ids(HANDLE)).containsExactlyInAnyOrder(first, element.id());
    element.close();
    assertThat(pools.ids(HANDLE)).containsExactly(first);
  }

  @Test
  void whatFailsAtFirstIsToldToWhoeverRegisters() {
    pools.failWith(new RnsException(RnsError.UNAVAILABLE, "away"));
    assertThatThrownBy(() -> builder().register()).hasMessage("away");
    assertThat(time.waiting()).isZero();
  }

  @Test
  void renewalsThatFailAreToldAndTriedAgain() {
    PoolElement element = builder().register();
    pools.failWith(new RnsException(RnsError.UNAVAILABLE, "away"));
    time.pass(120_000);
    long failures = told.stream().filter(RnsError.UNAVAILABLE::equals).count();
    // At first after 200 ms, then less often, in the end every 10 s at most.
    assertThat(failures).isBetween(12L, 60L);
    pools.failWith(null);
    time.pass(10_000);
    assertThat(pools.ids(HANDLE)).containsExactly(element.id());
    pools.failWith(new RnsException(RnsError.UNAVAILABLE, "away"));
    element.close();
    assertThat(told.get(told.size() - 1)).isEqualTo(RnsError.UNAVAILABLE);
  }

  @Test
  void aLoadThatChangedMuchIsReportedSoon() {
    AtomicLong load = new AtomicLong();
    PoolElement element = builder().load(load::get).register();
    load.set(Parameters.FULL / 100);
    time.pass(4_000);
    assertThat(reported(element).load()).isZero();
    load.set(Parameters.FULL / 10);
    time.pass(1_000);
    assertThat(reported(element).load()).isEqualTo(Parameters.FULL / 10);
    load.set(Long.MAX_VALUE);
    time.pass(1_000);
    assertThat(reported(element).load()).isEqualTo(Parameters.FULL);
    load.set(-5);
    time.pass(1_000);
    assertThat(reported(element).load()).isZero();
  }

  @Test
  void placesAreReportedWhenTheyChangedEnoughAndABurstByOneReport() {
    Admission admission = new Admission(240, new SplittableRandom(1));
    PoolElement element = builder().policy(PolicyType.CREDITS).admission(admission).register();
    List<Admission.Place> held = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      held.add(admission.enter().orElseThrow());
    }
    time.pass(1_000);
    assertThat(pools.registrations()).isEqualTo(1);
    for (int i = 0; i < 16; i++) {
      held.add(admission.enter().orElseThrow());
    }
    time.pass(20);
    assertThat(pools.registrations()).isEqualTo(2);
    assertThat(reported(element).occupancy().occupied()).isEqualTo(20);
    held.forEach(Admission.Place::close);
    held.forEach(Admission.Place::close);
    time.pass(20);
    assertThat(reported(element).occupancy().occupied()).isZero();
    assertThat(reported(element).occupancy().accepted()).isEqualTo(20);
  }

  @Test
  void anotherLimitIsReportedThoughThePlacesHardlyChanged() {
    Admission admission = new Admission(40, new SplittableRandom(1));
    PoolElement element = builder().policy(PolicyType.CREDITS).admission(admission).register();
    admission.limit(41);
    time.pass(20);
    assertThat(reported(element).occupancy().limit()).isEqualTo(41);
  }

  @Test
  void betweenTwoReportsIsAGap() {
    Admission admission = new Admission(4, new SplittableRandom(1));
    PoolElement element = builder().policy(PolicyType.CREDITS).admission(admission).register();
    assertThat(admission.enter()).isPresent();
    time.pass(9);
    assertThat(reported(element).occupancy().occupied()).isZero();
    time.pass(1);
    assertThat(reported(element).occupancy().occupied()).isEqualTo(1);
  }

  /** Reports that take no time may come sooner. */
  @Test
  void theGapDependsOnHowLongReportsTake() {
    assertThat(RenewalTimes.leastGap(0)).isEqualTo(2);
    assertThat(RenewalTimes.leastGap(0.2)).isEqualTo(4);
    assertThat(RenewalTimes.leastGap(100)).isEqualTo(10);
    Admission admission = new Admission(4, new SplittableRandom(1));
    PoolElement element = builder().policy(PolicyType.CREDITS).admission(admission).register();
    for (int i = 0; i < 50; i++) {
      assertThat(admission.enter().map(place -> {
        place.close();
        return true;
      })).isPresent();
      time.pass(10);
    }
    int before = pools.registrations();
    assertThat(admission.enter()).isPresent();
    time.pass(2);
    assertThat(pools.registrations()).isEqualTo(before + 1);
    assertThat(reported(element).occupancy().occupied()).isEqualTo(1);
  }

  /** Where a report failed, the next waits for its time, however many places change. */
  @Test
  void whatFailsIsNotHurried() {
    Admission admission = new Admission(4, new SplittableRandom(1));
    PoolElement element = builder().policy(PolicyType.CREDITS).admission(admission).register();
    pools.failWith(new RnsException(RnsError.UNAVAILABLE, "away"));
    assertThat(admission.enter()).isPresent();
    time.pass(20);
    assertThat(told).containsExactly(element.id(), RnsError.UNAVAILABLE);
    assertThat(admission.enter()).isPresent();
    time.pass(1);
    assertThat(told).hasSize(2);
  }

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void whereEveryIdIsTakenItGivesUp() {
    pools.failWith(new RnsException(RnsError.ELEMENT_ID_TAKEN, "taken"));
    assertThatThrownBy(() -> builder().register()).hasMessage("taken");
    assertThat(time.waiting()).isZero();
  }

  /**
   * What arrives and is done at once leaves the places as they were; yet those who select have to learn that it came.
   */
  @Test
  void arrivalsAreReportedAlsoIfNothingIsOccupied() {
    Admission admission = new Admission(40, new SplittableRandom(1));
    PoolElement element = builder().policy(PolicyType.CREDITS).admission(admission).register();
    for (int i = 0; i < 10; i++) {
      admission.enter().orElseThrow().close();
    }
    time.pass(20);
    assertThat(reported(element).occupancy()).extracting(Occupancy::accepted, Occupancy::occupied).containsExactly(10L,
        0L);
  }

  @Test
  void whoeverIsTurnedAwayHasArrivedToo() {
    Admission admission = new Admission(2, new SplittableRandom(1));
    assertThat(List.of(admission.enter().isPresent(), admission.enter().isPresent(), admission.enter().isPresent()))
        .containsExactly(true, true, false);
    Occupancy occupancy = admission.occupancy();
    assertThat(occupancy).isEqualTo(new Occupancy(occupancy.epoch(), 3, 2, 2));
    admission.limit(3);
    assertThat(admission.enter()).isPresent();
    assertThat(admission.occupancy().credit()).isZero();
    assertThatThrownBy(() -> admission.limit(0)).hasMessageContaining("admits no request");
    assertThatThrownBy(() -> new Admission(0)).hasMessageContaining("admits no request");
  }

  /** Pools whose second call hangs until {@code over}. */
  private static PoolService hanging(PoolService pools, CountDownLatch begun, CountDownLatch over) {
    AtomicLong calls = new AtomicLong();
    return (PoolService) Proxy.newProxyInstance(
        PoolService.class.getClassLoader(),
        new Class<?>[]{PoolService.class},
        (proxy, method, arguments) -> {
          if (calls.incrementAndGet() == 2) {
            begun.countDown();
            over.await();
          }
          return method.invoke(pools, arguments);
        });
  }

  /** A registrar that hangs must not hold up those whom the element serves. */
  @Test
  void nobodyWaitsForAReport() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    Admission admission = new Admission(2, new SplittableRandom(1));
    PoolElement element =
        PoolElement.builder(hanging(pools, begun, over), HANDLE, ENDPOINTS).admission(admission)
            .time(time, new SplittableRandom(SEED)).register();
    Thread renewing = new Thread(() -> time.pass(30_000));
    renewing.start();
    assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
    admission.enter().orElseThrow().close();
    over.countDown();
    renewing.join();
    assertThat(element.id()).isNotZero();
  }

  /** A registrar that hangs must not let the registrations of the other elements of the process end. */
  @Test
  void anElementWhoseRegistrarHangsDoesNotHoldUpOthers() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    CountDownLatch renewed = new CountDownLatch(4);
    MemoryPools real = new MemoryPools(SystemTime.INSTANCE::millis, 0);
    PoolElement stuck =
        PoolElement.builder(hanging(real, begun, over), HANDLE, ENDPOINTS).lifetime(Duration.ofSeconds(1)).register();
    assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
    PoolElement other =
        PoolElement.builder(real, HANDLE, OTHER)
            .lifetime(Duration.ofSeconds(1))
            .listener(new ElementListener() {
              @Override
              public void registered(int id, Registered registered) {
                renewed.countDown();
              }
            })
            .register();
    assertThat(renewed.await(10, TimeUnit.SECONDS)).as("renewals while another one hangs").isTrue();
    over.countDown();
    stuck.close();
    other.close();
  }

  @Test
  void leavingEndsTheRenewalsOnly() {
    PoolElement element = builder().register();
    element.leave();
    element.close();
    time.pass(29_999);
    assertThat(pools.ids(HANDLE)).containsExactly(element.id());
    time.pass(1);
    assertThat(pools.ids(HANDLE)).isEmpty();
  }

  @Test
  void lifetimesAreBounded() {
    assertThatThrownBy(() -> builder().lifetime(Duration.ofMillis(999))).hasMessageContaining("between 1 s and a day");
    assertThatThrownBy(() -> builder().lifetime(Duration.ofDays(1).plusMillis(1)))
        .hasMessageContaining("between 1 s and a day");
    PoolElement element = builder().lifetime(Duration.ofSeconds(1)).register();
    for (int i = 0; i < 100; i++) {
      time.pass(100);
      assertThat(pools.ids(HANDLE)).containsExactly(element.id());
    }
  }
}
