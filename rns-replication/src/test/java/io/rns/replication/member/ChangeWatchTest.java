package io.rns.replication.member;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.replication.Allegiance;
import io.rns.replication.Lag;
import io.rns.replication.MemberReport;
import io.rns.replication.Role;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** When a change of the primary is under way. */
class ChangeWatchTest {
  private final ChangeWatch watch = new ChangeWatch();

  private static MemberReport member(String name, Role role, int promised, int accepted) {
    return new MemberReport(
        name, "http://" + name, role, Optional.empty(), Lag.NONE, 0, "", Optional.empty(), List.of())
        .with(new Allegiance(promised, accepted, 0, 0, 0, 0, true, 0, 0));
  }

  private Duration at(long seconds, int ended, MemberReport... reports) {
    return watch.listen(List.of(reports), ended, Duration.ofSeconds(seconds).toNanos()).minusNanos(1);
  }

  private boolean isQuiet(long seconds, int ended, MemberReport... reports) {
    return watch.listen(List.of(reports), ended, Duration.ofSeconds(seconds).toNanos()).isZero();
  }

  /** A member that follows the target of a switchover ahead of time took the change for done, and undid it. */
  @Test
  void aChangeGoesOnUntilItsTargetLeads() {
    MemberReport follower = member("b", Role.REPLICA, 2, 2);
    assertThat(isQuiet(0, 0, member("a", Role.PRIMARY, 1, 1), member("b", Role.REPLICA, 1, 1))).isTrue();
    assertThat(at(10, 0, member("a", Role.REPLICA, 2, 1), follower)).isZero();
    assertThat(at(13, 0, member("a", Role.REPLICA, 2, 2), follower)).isEqualTo(Duration.ofSeconds(3));
    assertThat(isQuiet(14, 0, member("c", Role.PRIMARY, 2, 2), follower)).isTrue();
  }

  /** Otherwise each failover would begin late. */
  @Test
  void aPrimaryThatIsGoneIsNoChange() {
    assertThat(isQuiet(0, 0, member("a", Role.PRIMARY, 5, 5), member("b", Role.REPLICA, 5, 5))).isTrue();
    assertThat(isQuiet(10, 0, member("b", Role.REPLICA, 5, 5))).isTrue();
  }

  @Test
  void ownAttemptsThatHaveEndedAreNoChange() {
    assertThat(isQuiet(0, 7, member("b", Role.REPLICA, 7, 5))).isTrue();
    assertThat(at(1, 7, member("b", Role.REPLICA, 8, 5))).isZero();
  }
}
