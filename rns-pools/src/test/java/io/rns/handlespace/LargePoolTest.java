package io.rns.handlespace;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.EndpointReference;
import io.rns.api.RnsPath;
import io.rns.pool.Occupancy;
import io.rns.pool.Parameters;
import io.rns.pool.PolicyType;
import io.rns.pool.Registration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** 20,000 elements in one pool. */
class LargePoolTest {
  private static final int ELEMENTS = 20_000;
  private static final RnsPath HANDLE = RnsPath.parse("/large");
  private static final List<EndpointReference> ENDPOINTS = List.of(EndpointReference.ofAddress("http://a/"));

  private final RandomGenerator random = new SplittableRandom(2_008);

  private Registration element(int id) {
    Occupancy occupancy = new Occupancy(1, random.nextInt(1_000), random.nextInt(10), 10 + random.nextInt(10));
    Parameters parameters =
        new Parameters(1 + random.nextInt(9), random.nextInt(5), random.nextInt(1 << 30), 0, 0, occupancy)
            .withLoadDegradation(7);
    return new Registration(id, ENDPOINTS, parameters, 30_000);
  }

  @ParameterizedTest
  @EnumSource
  void everyOperationWorks(PolicyType policy) {
    Handlespace handlespace = new Handlespace(1, 0, HandlespaceSettings.DEFAULTS, random);
    for (int id = 1; id <= ELEMENTS; id++) {
      assertThat(handlespace.register(HANDLE, policy, element(id), 0))
          .isInstanceOf(RegistrationOutcome.Registered.class);
    }
    for (int i = 0; i < ELEMENTS; i++) {
      assertThat(handlespace.resolve(HANDLE, 3))
          .isInstanceOfSatisfying(ResolutionOutcome.Resolved.class,
              r -> assertThat(Set.copyOf(r.elements())).hasSize(3));
    }
    for (int id = 1; id <= ELEMENTS; id++) {
      assertThat(handlespace.register(HANDLE, policy, element(id), 1)).isInstanceOf(RegistrationOutcome.Renewed.class);
    }
    handlespace.checkInvariants();
    assertThat(handlespace.run(10_000, ELEMENTS)).as("keep-alives").hasSize(ELEMENTS);
    for (int id = 1; id <= ELEMENTS; id += 2) {
      assertThat(handlespace.acknowledge(new ElementKey(HANDLE, id), 10_000)).isTrue();
    }
    assertThat(handlespace.run(15_000, ELEMENTS)).filteredOn(e -> e instanceof TimerEvent.KeepAliveMissed)
        .hasSize(ELEMENTS / 2);
    handlespace.checkInvariants();
    for (int id = 1; id <= ELEMENTS; id++) {
      handlespace.deregister(new ElementKey(HANDLE, id), 15_000);
    }
    assertThat(handlespace.size()).isZero();
    assertThat(handlespace.nextTimerMillis()).isEmpty();
  }

  @Test
  void roundRobinSelectsEveryElementOncePerRound() {
    Handlespace handlespace = new Handlespace(1, 0, HandlespaceSettings.DEFAULTS, random);
    for (int id = 1; id <= ELEMENTS; id++) {
      handlespace.register(HANDLE, PolicyType.ROUND_ROBIN, element(id), 0);
    }
    for (int round = 0; round < 2; round++) {
      Set<Integer> met = new HashSet<>();
      for (int i = 0; i < ELEMENTS; i++) {
        met.add(first(handlespace).id());
      }
      assertThat(met).hasSize(ELEMENTS);
    }
  }

  private static RegisteredElement first(Handlespace handlespace) {
    return ((ResolutionOutcome.Resolved) handlespace.resolve(HANDLE, 1)).elements().get(0);
  }

  /** Chi-square over 100 classes of 200 elements: with 99 degrees of freedom, 99.9 % of samples are below 149. */
  @Test
  void weightedRandomDrawsInProportion() {
    Handlespace handlespace = new Handlespace(1, 0, HandlespaceSettings.DEFAULTS, random);
    int classes = 100;
    for (int id = 1; id <= ELEMENTS; id++) {
      Parameters parameters = Parameters.PLAIN.withWeight(1 + id % classes);
      handlespace.register(HANDLE, PolicyType.WEIGHTED_RANDOM, new Registration(id, ENDPOINTS, parameters, 30_000), 0);
    }
    int draws = 200_000;
    long[] seen = new long[classes];
    for (int i = 0; i < draws; i++) {
      seen[first(handlespace).id() % classes]++;
    }
    double chiSquare = 0;
    for (int i = 0; i < classes; i++) {
      double expected = draws * (1.0 + i) / (classes * (classes + 1) / 2.0);
      chiSquare += (seen[i] - expected) * (seen[i] - expected) / expected;
    }
    assertThat(chiSquare).isLessThan(149);
  }
}
