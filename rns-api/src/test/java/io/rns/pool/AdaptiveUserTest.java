package io.rns.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class AdaptiveUserTest {
  private static final long NOW = 100_000;
  private static final AdaptiveUser USER = new AdaptiveUser(1_000, 10_000);

  private final RandomGenerator random = new SplittableRandom(5);

  /** An element that holds {@code occupied} of four places, as reported {@code ageMillis} ago. */
  private static Prospect prospect(long number, long occupied, long ageMillis) {
    Parameters parameters = Parameters.PLAIN.withOccupancy(new Occupancy(1, 0, occupied, 4));
    return new Prospect(SelectionState.fresh(parameters, Distance.NONE, number), number, NOW - ageMillis, 0, 0, 0,
        Health.GOOD);
  }

  private static Prospect with(Prospect p, long inFlight, double cost, Health health) {
    return new Prospect(p.standing(), p.sequence(), p.reportedMillis(), p.knownSinceMillis(), inFlight, cost, health);
  }

  private static List<Long> numbers(List<Prospect> prospects) {
    return prospects.stream().map(p -> p.standing().number()).toList();
  }

  private List<Long> order(Prospect... prospects) {
    return numbers(USER.order(List.of(prospects), NOW, random));
  }

  @Test
  void freshReportsAreComparedWithOwnRequestsAndCost() {
    assertThat(order(prospect(1, 2, 300), prospect(2, 1, 0), prospect(3, 1, 0))).containsExactly(2L, 3L, 1L);
    assertThat(order(with(prospect(1, 0, 0), 3, 0, Health.GOOD), prospect(2, 2, 0))).containsExactly(2L, 1L);
    assertThat(order(with(prospect(1, 0, 0), 0, 100, Health.GOOD), with(prospect(2, 2, 0), 0, 10, Health.GOOD)))
        .containsExactly(2L, 1L);
    assertThat(order(prospect(1, 1, 0), with(prospect(2, 0, 0), 0, 10, Health.GOOD))).as("unknown cost is average")
        .containsExactly(2L, 1L);
  }

  /** With 4 draws of 8 the best is among them in 4 of 8 cases, with 2 in 2 of 8; three standard deviations allowed. */
  @Test
  void withStaleReportsElementsAreDrawn() {
    assertThat(bestIsFirst(300)).isEqualTo(4_000);
    assertThat(bestIsFirst(301)).isBetween(1_905, 2_095);
    assertThat(bestIsFirst(1_000)).isBetween(1_905, 2_095);
    assertThat(bestIsFirst(1_001)).isBetween(917, 1_083);
  }

  /** Of two elements both are drawn. */
  @Test
  void ownRequestsCountMoreThanWhatWasHeldLongAgo() {
    Prospect own = with(prospect(1, 0, 1_000), 2, 0, Health.GOOD);
    assertThat(order(own, prospect(2, 3, 1_000))).containsExactly(1L, 2L);
    own = with(prospect(1, 0, 3_000), 2, 0, Health.GOOD);
    assertThat(order(own, prospect(2, 3, 3_000))).containsExactly(2L, 1L);
  }

  private int bestIsFirst(long ageMillis) {
    List<Prospect> eight = LongStream.range(0, 8).mapToObj(i -> prospect(i, i == 5 ? 0 : 2, ageMillis)).toList();
    int first = 0;
    for (int i = 0; i < 4_000; i++) {
      List<Long> numbers = numbers(USER.order(eight, NOW, random));
      assertThat(numbers).containsExactlyInAnyOrder(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L);
      first += numbers.get(0) == 5 ? 1 : 0;
    }
    return first;
  }

  @Test
  void whoHasMostRequestsComparesAllHoweverOldReportsAre() {
    assertThat(firstOfOwn(1)).as("all held are its own").isEqualTo(4_000);
    assertThat(firstOfOwn(100)).as("two of eight are drawn").isBetween(917, 1_083);
  }

  private int firstOfOwn(long reported) {
    long[] own = {1, 1, 1, 1, 1, 0, 2, 1};
    List<Prospect> eight =
        LongStream.range(0, 8).mapToObj(i -> with(prospect(i, reported, 9_000), own[(int) i], 0, Health.GOOD))
            .toList();
    int first = 0;
    for (int i = 0; i < 4_000; i++) {
      first += numbers(USER.order(eight, NOW, random)).get(0) == 5 ? 1 : 0;
    }
    return first;
  }

  /** A few long requests among short ones raise the cost of an element that is as good as the others. */
  @Test
  void whoHasMostRequestsGoesMoreByTheirNumberThanByResponseTimes() {
    Prospect cheapAndBusy = with(prospect(1, 1, 0), 2, 2, Health.GOOD);
    Prospect dearAndIdle = with(prospect(2, 1, 0), 0, 10, Health.GOOD);
    assertThat(order(cheapAndBusy, dearAndIdle)).containsExactly(2L, 1L);
    assertThat(order(with(prospect(1, 101, 0), 2, 2, Health.GOOD), with(prospect(2, 101, 0), 0, 10, Health.GOOD)))
        .as("a user among many").containsExactly(1L, 2L);
  }

  @Test
  void neverMoreThanHalfAreLeftOut() {
    List<Prospect> five = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      five.add(with(prospect(i, i, 0), 0, 0, new Health(1_000, NOW + 100 - i)));
    }
    assertThat(numbers(USER.order(five, NOW, random))).as("the elements whose back-off ends first").containsExactly(4L,
        3L, 2L);
    five.set(4, prospect(4, 4, 0));
    five.set(3, with(prospect(3, 0, 0), 0, 0, five.get(3).health()));
    assertThat(numbers(USER.order(five, NOW, random))).as("idle but failed").containsExactly(4L, 3L, 2L);
    five.set(4, with(prospect(4, 4, 0), 0, 0, new Health(1_000, NOW + 96)));
    five.set(0, prospect(0, 0, 0));
    five.set(1, prospect(1, 1, 0));
    five.set(2, prospect(2, 2, 0));
    assertThat(numbers(USER.order(five, NOW, random))).containsExactly(0L, 1L, 2L);
    assertThat(numbers(USER.order(five, NOW + 200, random))).contains(3L, 4L);
  }

  @Test
  void newElementsWarmUp() {
    Prospect cold = new Prospect(prospect(1, 0, 0).standing(), 1, NOW, NOW, 0, 0, Health.GOOD);
    assertThat(order(cold, prospect(2, 2, 0))).containsExactly(2L, 1L);
    assertThat(numbers(new AdaptiveUser(1_000, 0).order(List.of(cold, prospect(2, 2, 0)), NOW, random)))
        .containsExactly(1L, 2L);
  }

  @Test
  void aFailureStartsAGrowingBackOff() {
    Health health = Health.GOOD;
    long now = NOW;
    for (long backOff : new long[]{10_000, 20_000, 40_000, 60_000, 60_000}) {
      health = health.failed(now);
      assertThat(health.failed(now)).as("requests sent before the report count once").isEqualTo(health);
      assertThat(health.hasFailed()).isTrue();
      assertThat(health.isOut(now + backOff - 1)).isTrue();
      assertThat(health.isOut(now + backOff)).isFalse();
      now += backOff;
    }
    assertThat(health.succeeded()).isEqualTo(Health.GOOD);
  }

  @Test
  void whatFailsForOthersIsOutWithoutAFailureOfOnesOwn() {
    Health heard = Health.outUntil(NOW + 100);
    assertThat(heard.isOut(NOW + 99)).isTrue();
    assertThat(heard.isOut(NOW + 100)).isFalse();
    assertThat(heard.hasFailed()).isFalse();
    assertThat(heard.failed(NOW).isOut(NOW + 9_999)).as("an own failure counts whatever was heard").isTrue();
  }
}
