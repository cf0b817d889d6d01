package io.rns.pool;

import static io.rns.pool.Parameters.PLAIN;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The two policies that count selections and arrivals. */
class OccupancyPolicyTest {
  private static Parameters reported(long epoch, long accepted, long occupied, long limit) {
    return PLAIN.withOccupancy(new Occupancy(epoch, accepted, occupied, limit));
  }

  /** A: 1/4, 2/4, 3/4, 4/4; B: 1/2, 2/2. */
  @Test
  void creditsFillByShareAndStopAtTheLastPlace() {
    Circle circle = new Circle(PolicyType.CREDITS).with("A", reported(1, 0, 0, 4)).with("B", reported(1, 0, 0, 2));
    assertThat(circle.turns(7)).isEqualTo("ABAABA.");
    circle.report("B", reported(1, 2, 1, 2));
    assertThat(circle.turns(2)).isEqualTo("B.");
  }

  @Test
  void withoutALimitThereIsNoCredit() {
    Circle circle = new Circle(PolicyType.CREDITS).with("A", PLAIN).with("B", reported(1, 9, 3, 3));
    assertThat(circle.turns(1)).isEqualTo(".");
  }

  @Test
  void selectionsInTransitAreNotCountedTwice() {
    Circle circle = new Circle(PolicyType.CREDITS).with("A", reported(1, 100, 0, 4));
    assertThat(circle.turns(3)).isEqualTo("AAA");
    circle.report("A", reported(1, 102, 2, 4));
    assertThat(circle.standing("A").charged()).isEqualTo(1);
    assertThat(circle.turns(2)).isEqualTo("A.");
  }

  @Test
  void arrivalsFromOtherUsersNeverMakeADebt() {
    Circle circle = new Circle(PolicyType.CREDITS).with("A", reported(1, 0, 0, 4));
    assertThat(circle.turns(1)).isEqualTo("A");
    circle.report("A", reported(1, 50, 1, 4));
    assertThat(circle.standing("A").charged()).isZero();
  }

  @Test
  void lostSelectionsAreDroppedAfterAReportWithoutArrivals() {
    Circle circle = new Circle(PolicyType.CREDITS).with("A", reported(1, 0, 0, 2));
    assertThat(circle.turns(3)).isEqualTo("AA.");
    circle.report("A", reported(1, 0, 0, 2));
    assertThat(circle.turns(1)).as("may still be in transit").isEqualTo(".");
    circle.report("A", reported(1, 0, 0, 2));
    assertThat(circle.turns(3)).isEqualTo("AA.");
  }

  @Test
  void aNewEpochRestartsCounting() {
    Circle circle = new Circle(PolicyType.CREDITS).with("A", reported(1, 100, 0, 2));
    assertThat(circle.turns(3)).isEqualTo("AA.");
    circle.report("A", reported(2, 0, 0, 2));
    assertThat(circle.turns(3)).isEqualTo("AA.");
  }

  @Test
  void anOvertakenReportChangesNothing() {
    Circle circle = new Circle(PolicyType.CREDITS).with("A", reported(1, 100, 1, 2));
    assertThat(circle.turns(2)).isEqualTo("A.");
    SelectionState before = circle.standing("A");
    circle.report("A", reported(1, 99, 0, 2));
    assertThat(circle.standing("A")).isEqualTo(before);
  }

  /** A: 0.25/4, 1.25/4, 2.25/4, ...; B: 0.25/1, 1.25/1, ... */
  @Test
  void adaptiveTakesTheLeastOccupiedAndCountsTheNextAsAQuarter() {
    Circle circle = new Circle(PolicyType.ADAPTIVE).with("A", reported(1, 0, 0, 4)).with("B", reported(1, 0, 0, 1));
    assertThat(circle.turns(10)).isEqualTo("ABAAAABAAA");
    circle.report("B", reported(1, 2, 0, 1));
    assertThat(circle.turns(1)).isEqualTo("B");
  }

  @Test
  void adaptiveUsesTheWeightWithoutAReportedLimit() {
    Circle circle =
        new Circle(PolicyType.ADAPTIVE).with("A", PLAIN.withWeight(3)).with("B", PLAIN).with("C", PLAIN.withWeight(0));
    assertThat(circle.turns(4)).isEqualTo("ABAA");
  }

  @Test
  void ranksStayWithinTheirRangeAtTheEdges() {
    Parameters most = reported(Parameters.FULL, Long.MAX_VALUE, Parameters.FULL, Parameters.FULL);
    SelectionState full = new SelectionState(most, Distance.NONE, 0, 0, Long.MAX_VALUE, 0);
    assertThat(new Adaptive().rank(full)).isPositive();
    assertThat(new Credits().admits(full)).isFalse();
    assertThat(new Credits().rank(full)).isEqualTo(1L << 30);
  }

  @Test
  void reportsAreRareWhileMuchIsFree() {
    assertThat(isDue(0, 9, 240)).isFalse();
    assertThat(isDue(0, 10, 240)).as("a 24th of all places").isTrue();
    assertThat(isDue(100, 91, 240)).isFalse();
    assertThat(isDue(100, 90, 240)).isTrue();
    assertThat(isDue(220, 223, 240)).isFalse();
    assertThat(isDue(220, 224, 240)).as("a quarter of the free ones").isTrue();
    assertThat(isDue(239, 240, 240)).isTrue();
    assertThat(isDue(0, 1, 47)).as("few places").isTrue();
    assertThat(isDue(240, 240, 240)).isFalse();
  }

  /** Until then they count as on their way at registrars, which thus took large elements for fuller than they were. */
  @Test
  void requestsThatAreDoneSoonAreReportedAsSoonAsOthers() {
    Occupancy before = new Occupancy(1, 100, 4, 48);
    assertThat(CreditReports.isDue(before, new Occupancy(1, 101, 4, 48))).isFalse();
    assertThat(CreditReports.isDue(before, new Occupancy(1, 102, 4, 48))).as("a 24th of all places").isTrue();
  }

  private static boolean isDue(long reported, long occupied, long limit) {
    return CreditReports.isDue(new Occupancy(1, 0, reported, limit), new Occupancy(1, 0, occupied, limit));
  }
}
