package io.rns.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.local.LocalGroupCalls.View;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** When the supervisor promotes a server of a group without a primary. */
class LeaderlessTest {
  private static final String PRIMARY = "PRIMARY";
  private static final String REPLICA = "REPLICA";
  private static final String OUTSIDE = "OUTSIDE";
  private static final String SILENT = "";

  private final Leaderless leaderless = new Leaderless(0);

  private boolean after(Duration time, String... roles) {
    List<Optional<View>> looks =
        Stream.of(roles).map(role -> Optional.of(new View(role, "")).filter(view -> !view.role().isEmpty())).toList();
    return leaderless.isOverdue(looks, time.toNanos());
  }

  @Test
  void aLostPrimaryIsReplacedAfterTheTimeout() {
    Duration lost = Duration.ofHours(1);
    assertThat(after(lost, PRIMARY, REPLICA, REPLICA)).isFalse();
    assertThat(after(lost.plus(Leaderless.PATIENCE).minusNanos(1), REPLICA, REPLICA, OUTSIDE)).isFalse();
    assertThat(after(lost.plus(Leaderless.PATIENCE), REPLICA, REPLICA, OUTSIDE)).isTrue();
  }

  @Test
  void aRejectedAttemptIsRepeated() {
    assertThat(after(Leaderless.PATIENCE, REPLICA, REPLICA)).isTrue();
    Duration again = Leaderless.PATIENCE.plus(Leaderless.AGAIN);
    assertThat(after(again.minusNanos(1), REPLICA, REPLICA)).isFalse();
    assertThat(after(again, REPLICA, REPLICA)).isTrue();
  }

  @Test
  void aRestartedServerHasTimeToBecomePrimaryAgain() {
    assertThat(after(Duration.ofMinutes(1), SILENT, REPLICA, REPLICA)).isFalse();
    assertThat(after(Duration.ofMinutes(1).plusSeconds(14), REPLICA, REPLICA, REPLICA)).isFalse();
    assertThat(after(Duration.ofMinutes(1).plusSeconds(16), PRIMARY, REPLICA, REPLICA)).isFalse();
    assertThat(after(Duration.ofMinutes(1).plusSeconds(30), REPLICA, REPLICA, REPLICA)).isFalse();
  }
}
