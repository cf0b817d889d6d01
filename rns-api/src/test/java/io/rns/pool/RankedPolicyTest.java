package io.rns.pool;

import static io.rns.pool.Parameters.PLAIN;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Selections in comparison with hand-computed ones. */
class RankedPolicyTest {
  @Test
  void roundRobinTakesTurns() {
    Circle circle =
        new Circle(PolicyType.ROUND_ROBIN).with("A", PLAIN).with("B", PLAIN.withLoad(5)).with("C", PLAIN.withWeight(0));
    assertThat(circle.turns(4)).isEqualTo("ABCA");
    assertThat(circle.names()).isEqualTo("BCA");
    circle.with("D", PLAIN);
    assertThat(circle.turns(5)).isEqualTo("BCADB");
  }

  @Test
  void priorityTakesTheHighestAndEqualsTakeTurns() {
    Circle circle =
        new Circle(PolicyType.PRIORITY)
            .with("A", PLAIN.withPriority(1))
            .with("B", PLAIN.withPriority(Parameters.FULL))
            .with("C", PLAIN.withPriority(Parameters.FULL))
            .with("D", PLAIN.withPriority(2));
    assertThat(circle.names()).isEqualTo("BCDA");
    assertThat(circle.turns(5)).isEqualTo("BCBCB");
  }

  @Test
  void leastUsedTakesTheLowestLoadAndEqualsTakeTurns() {
    Circle circle =
        new Circle(PolicyType.LEAST_USED).with("A", PLAIN.withLoad(3)).with("B", PLAIN.withLoad(1)).with("C",
            PLAIN.withLoad(1));
    assertThat(circle.names()).isEqualTo("BCA");
    assertThat(circle.turns(3)).isEqualTo("BCB");
    circle.report("A", PLAIN);
    assertThat(circle.turns(2)).isEqualTo("AA");
  }

  /** A: 0, 10, 20, 30; B: 15, 25, 35. */
  @Test
  void degradationCountsSelectionsSinceTheLastReport() {
    Parameters a = PLAIN.withLoadDegradation(10);
    Circle circle = new Circle(PolicyType.LEAST_USED_DEGRADATION).with("A", a).with("B", a.withLoad(15));
    assertThat(circle.turns(6)).isEqualTo("AABABA");
    circle.report("A", a.withLoad(12));
    assertThat(circle.turns(3)).isEqualTo("AAA");
  }

  @Test
  void degradationSaturates() {
    Parameters all = new Parameters(1, 0, Parameters.FULL, Parameters.FULL, Parameters.FULL, Occupancy.UNKNOWN);
    SelectionState standing = new SelectionState(all, new Distance(Integer.MAX_VALUE), 0, 0, Long.MAX_VALUE, 0);
    assertThat(new LeastUsedDegradation().rank(standing)).isEqualTo(Long.MAX_VALUE);
    assertThat(new LeastUsedDegradationDistance().rank(standing)).isEqualTo(Parameters.FULL);
  }

  @Test
  void priorityLeastUsedTakesTheLowestLoadAfterOneMoreRequest() {
    Circle circle =
        new Circle(PolicyType.PRIORITY_LEAST_USED)
            .with("A", PLAIN.withLoad(10).withLoadDegradation(30))
            .with("B", PLAIN.withLoad(20).withLoadDegradation(10));
    assertThat(circle.turns(3)).isEqualTo("BBB");
    circle.report("B", PLAIN.withLoad(31).withLoadDegradation(10));
    assertThat(circle.turns(2)).isEqualTo("AA");
  }

  @Test
  void distanceCountsAsLoad() {
    Parameters each = PLAIN.withLoad(1_000).withLoadDegradation(7).withDistanceFactor(3);
    SelectionState standing = new SelectionState(each, new Distance(200), 0, 0, 2, 0);
    assertThat(new LeastUsedDistance().rank(standing)).isEqualTo(1_600);
    assertThat(new LeastUsedDegradationDistance().rank(standing)).isEqualTo(1_614);
    assertThat(new PriorityLeastUsedDistance().rank(standing)).isEqualTo(1_607);
    assertThat(new PriorityLeastUsedDegradationDistance().rank(standing)).isEqualTo(1_621);

    Circle circle =
        new Circle(PolicyType.LEAST_USED_DISTANCE)
            .with("far", each.withLoad(0), new Distance(400))
            .with("near", each.withLoad(1_000), new Distance(50));
    assertThat(circle.turns(1)).isEqualTo("near");
  }

  @Test
  void distanceCountsAtMostAsFullLoad() {
    Parameters each = PLAIN.withLoad(1_000).withDistanceFactor(Parameters.FULL);
    SelectionState standing = new SelectionState(each, new Distance(Integer.MAX_VALUE), 0, 0, 0, 0);
    assertThat(new LeastUsedDistance().rank(standing)).isEqualTo(Parameters.FULL);
    assertThat(new PriorityLeastUsedDistance().rank(standing)).isEqualTo(Parameters.FULL);
    assertThat(new PriorityLeastUsedDegradationDistance().rank(standing)).isEqualTo(Parameters.FULL);
  }

  @Test
  void distanceIsHalfTheRoundTripToTheNearestStep() {
    assertThat(Distance.ofRoundTrip(0)).isEqualTo(Distance.NONE);
    assertThat(Distance.ofRoundTrip(49)).isEqualTo(Distance.NONE);
    assertThat(Distance.ofRoundTrip(50)).isEqualTo(new Distance(50));
    assertThat(Distance.ofRoundTrip(149)).isEqualTo(new Distance(50));
    assertThat(Distance.ofRoundTrip(150).plus(new Distance(50))).isEqualTo(new Distance(150));
    assertThat(new Distance(Integer.MAX_VALUE).plus(new Distance(1))).isEqualTo(new Distance(Integer.MAX_VALUE));
  }
}
