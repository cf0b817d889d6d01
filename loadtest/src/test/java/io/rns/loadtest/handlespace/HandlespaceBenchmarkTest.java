package io.rns.loadtest.handlespace;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.handlespace.Handlespace;
import io.rns.handlespace.RegistrationOutcome;
import io.rns.handlespace.ResolutionOutcome;
import io.rns.handlespace.ResolutionOutcome.Selected;
import io.rns.handlespace.UpdateOutcome;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is measured does what its name says, or the figures mean nothing. */
class HandlespaceBenchmarkTest {
  private static final int ELEMENTS = 50;

  private final HandlespaceBenchmark benchmark = new HandlespaceBenchmark();

  private static Population population(String policy, int items) {
    Population pool = new Population();
    pool.elements = ELEMENTS;
    pool.policy = policy;
    pool.items = items;
    pool.fill();
    assertThat(pool.handlespace().size()).isEqualTo(ELEMENTS);
    return pool;
  }

  private static List<Selected> selected(ResolutionOutcome outcome) {
    return ((ResolutionOutcome.Resolved) outcome).selected();
  }

  @ParameterizedTest
  @ValueSource(strings = {"rr", "lu", "rand"})
  void elementsLeaveAndCome(String policy) {
    Population pool = population(policy, 1);
    Set<Integer> ids = new HashSet<>();
    for (int i = 0; i < 4 * ELEMENTS; i++) {
      assertThat(benchmark.registerAndDeregister(pool)).isInstanceOf(RegistrationOutcome.Registered.class);
      ids.add(pool.said().id());
      assertThat(pool.handlespace().size()).isEqualTo(ELEMENTS);
    }
    assertThat(ids).hasSize(ELEMENTS);
  }

  @Test
  void elementsReportOtherLoads() {
    Population pool = population("lu", 1);
    Set<Long> loads = new HashSet<>();
    for (int i = 0; i < 4 * ELEMENTS; i++) {
      RegistrationOutcome outcome = benchmark.report(pool);
      assertThat(outcome).isInstanceOf(RegistrationOutcome.Renewed.class);
      loads.add(((RegistrationOutcome.Renewed) outcome).element().registration().parameters().load());
    }
    assertThat(loads).hasSize(4 * ELEMENTS);
  }

  /** With loads that differ, the pool is no circle: each is the lowest of its time. */
  @ParameterizedTest
  @ValueSource(ints = {1, 5})
  void theLeastUsedIsTakenAndReportsAnotherLoad(int pools) {
    Population pool = new Population();
    pool.elements = ELEMENTS;
    pool.pools = pools;
    pool.policy = "lu";
    pool.fill();
    assertThat(pool.handlespace().poolCount()).isEqualTo(pools);
    for (int i = 0; i < 4 * ELEMENTS; i++) {
      RegistrationOutcome.Renewed renewed = (RegistrationOutcome.Renewed) benchmark.resolveAndReport(pool);
      assertThat(renewed.before().registration().parameters().load())
          .isNotEqualTo(renewed.element().registration().parameters().load());
    }
    assertThat(pool.handlespace().size()).isEqualTo(ELEMENTS);
  }

  @Test
  void elementsRenewAsTheyAre() {
    Population pool = population("rr", 1);
    for (int i = 0; i < 2 * ELEMENTS; i++) {
      RegistrationOutcome.Renewed renewed = (RegistrationOutcome.Renewed) benchmark.renew(pool);
      assertThat(renewed.element().registration()).isEqualTo(renewed.before().registration());
      assertThat(renewed.element().version()).isGreaterThan(renewed.before().version());
    }
  }

  @Test
  void elementsOfAnotherRegistrarAreFollowed() {
    Population pool = new Population();
    pool.elements = ELEMENTS;
    pool.owned = false;
    pool.policy = "rr";
    pool.fill();
    assertThat(pool.handlespace().size()).isEqualTo(ELEMENTS);
    for (int i = 0; i < 2 * ELEMENTS; i++) {
      assertThat(benchmark.follow(pool)).isInstanceOf(UpdateOutcome.Replaced.class);
    }
    assertThat(pool.handlespace().nextTimerMillis()).isEmpty();
  }

  @Test
  void oneTimerAfterTheOther() {
    Population pool = population("rr", 1);
    Handlespace handlespace = pool.handlespace();
    long before = pool.untilDue();
    for (int i = 0; i < 100 * ELEMENTS; i++) {
      assertThat(benchmark.timer(pool)).isTrue();
    }
    assertThat(pool.now()).isGreaterThan(before + 10_000);
    assertThat(handlespace.size()).isEqualTo(ELEMENTS);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void usersGoRound(int items) {
    Population pool = population("rr", items);
    Set<Integer> ids = new HashSet<>();
    for (int i = 0; i < ELEMENTS; i += items) {
      List<Selected> selected = selected(benchmark.resolve(pool));
      assertThat(selected).hasSize(items);
      selected.forEach(each -> ids.add(each.element().id()));
    }
    assertThat(ids).hasSize(ELEMENTS);
  }

  @Test
  void usersDrawThree() {
    Population pool = population("rand", 3);
    assertThat(selected(benchmark.resolve(pool)).stream().map(each -> each.element().id())).doesNotHaveDuplicates()
        .hasSize(3);
  }

  @Test
  void everyElementIsCopiedOnce() {
    Population pool = new Population();
    pool.elements = 1_000;
    pool.policy = "rr";
    pool.fill();
    assertThat(benchmark.synchronise(pool)).isEqualTo(1_000);
  }
}
