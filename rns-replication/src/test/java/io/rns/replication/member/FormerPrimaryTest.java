package io.rns.replication.member;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.Position;
import io.rns.replication.Lag;
import io.rns.replication.MemberReport;
import io.rns.replication.Role;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class FormerPrimaryTest {
  private static final String HERE = "http://b/rns";
  private static final Duration LEASE = Duration.ofMillis(1_500);

  /** A tenth longer: the clock of the former primary may be slower. */
  private static final Duration LONG_ENOUGH = Duration.ofMillis(1_650);

  private final AtomicLong now = new AtomicLong(7);
  private final FormerPrimary former = new FormerPrimary(LEASE, now::get);

  private static LastCommit commit(int epoch, int millis) {
    return new LastCommit(epoch, Instant.ofEpochMilli(millis));
  }

  private static MemberReport other(String name, Role role, int epoch) {
    return new MemberReport(
        name, "http://" + name + "/rns", role, Optional.of(new Position(1, epoch, 9)), Lag.NONE, 0, "",
        Optional.empty(), List.of());
  }

  private void hear(Role own, MemberReport... others) {
    former.hear(HERE, own, 3, List.of(others));
  }

  private void pass(Duration time) {
    now.addAndGet(time.toNanos());
  }

  @Test
  void mayServeForItsLeaseBehindEachCommitByTheSlowerClock() {
    assertThat(former.mayServe(commit(3, 100), 0)).isTrue();
    pass(LONG_ENOUGH.minusNanos(1));
    assertThat(former.mayServe(commit(3, 100), 0)).isTrue();
    assertThat(former.mayServe(commit(3, 200), 0)).isTrue();
    pass(LONG_ENOUGH.minusNanos(1));
    assertThat(former.mayServe(commit(3, 200), 0)).isTrue();
    pass(Duration.ofNanos(1));
    assertThat(former.mayServe(commit(3, 200), 0)).isFalse();
    assertThat(former.mayServe(commit(4, 200), 0)).as("another one, at the same time by its clock").isTrue();
  }

  @Test
  void aCopyThatStaysBehindTheDatabaseDoesNotProlongTheWait() {
    former.sawInCopy(commit(3, 100));
    assertThat(former.mayServe()).isTrue();
    assertThat(former.mayServe(commit(3, 200), 0)).isTrue();
    pass(LONG_ENOUGH);
    former.sawInCopy(commit(3, 100));
    assertThat(former.mayServe()).isFalse();
    assertThat(former.mayServe(commit(3, 200), 0)).isFalse();
  }

  @Test
  void whatNobodyHasLedOrIsKnownToHaveEndedServesNothing() {
    assertThat(former.mayServe()).isFalse();
    assertThat(former.mayServe(commit(0, 0), 0)).isFalse();
    assertThat(former.mayServe(commit(3, 100), 3)).isFalse();
    assertThat(former.mayServe(commit(3, 100), 2)).isTrue();
  }

  @Test
  void whoLedInTheLastEpochAndSaysThatItDoesNotLeadHasStopped() {
    hear(Role.REPLICA, other("a", Role.PRIMARY, 3), other("c", Role.REPLICA, 3));
    assertThat(former.mayServe(commit(3, 100), 0)).isTrue();
    hear(Role.REPLICA, other("c", Role.REPLICA, 3));
    assertThat(former.mayServe(commit(3, 100), 0)).as("it does not answer").isTrue();
    hear(Role.REPLICA, other("a", Role.REPLICA, 3), other("c", Role.REPLICA, 3));
    assertThat(former.mayServe(commit(3, 100), 0)).isFalse();
    assertThat(former.mayServe(commit(4, 100), 0)).as("one that was never heard of").isTrue();
  }

  @Test
  void thisServerItselfHasStoppedOnceItLeadsNoMore() {
    hear(Role.PRIMARY);
    assertThat(former.mayServe(commit(3, 100), 0)).isTrue();
    hear(Role.REPLICA);
    assertThat(former.mayServe(commit(3, 100), 0)).isFalse();
  }

  @Test
  void ofTwoThatLedInOneEpochNeitherIsKnownToHaveStopped() {
    hear(Role.REPLICA, other("a", Role.PRIMARY, 3), other("c", Role.PRIMARY, 3));
    hear(Role.REPLICA, other("a", Role.PRIMARY, 3), other("c", Role.REPLICA, 3));
    hear(Role.REPLICA, other("a", Role.REPLICA, 3), other("c", Role.REPLICA, 3));
    assertThat(former.mayServe(commit(3, 100), 0)).isTrue();
  }

  @Test
  void aPrimaryThatHasNotNoticedAnEarlierEndIsNotTheLastOne() {
    hear(Role.REPLICA, other("a", Role.PRIMARY, 3), other("c", Role.PRIMARY, 4));
    hear(Role.REPLICA, other("a", Role.REPLICA, 3), other("c", Role.PRIMARY, 4));
    assertThat(former.mayServe(commit(4, 100), 0)).isTrue();
    hear(Role.REPLICA, other("a", Role.REPLICA, 4), other("c", Role.REPLICA, 4));
    assertThat(former.mayServe(commit(4, 100), 0)).isFalse();
  }
}
