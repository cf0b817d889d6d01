package io.rns.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HandoverTest {
  private final List<String> calls = Collections.synchronizedList(new ArrayList<>());
  private final SimulatedMember a = new SimulatedMember("a", calls).primary().has("1", "2");
  private final SimulatedMember b = new SimulatedMember("b", calls).follows("a").has("1", "2");
  private final SimulatedMember c = new SimulatedMember("c", calls).follows("a").has("1", "2");
  private final Handover handover = new Handover(Topology.SOURCE_REPLICA, List.of(a, b, c), Duration.ZERO, Duration.ofMillis(100));

  private static RnsError error(Throwable thrown) {
    return ((RnsException) thrown).error();
  }

  @Test
  void switchoverEndsTheOldPrimaryThenBeginsTheNewOneAndTheOthersFollow() {
    Handover.Result result = handover.switchover("http://b");
    assertThat(result.primary()).isEqualTo("http://b");
    assertThat(result.former()).contains("http://a");
    assertThat(result.position().epoch()).isEqualTo(2);
    assertThat(calls.getFirst()).isEqualTo("a stepDown");
    assertThat(calls).containsExactlyInAnyOrder("a stepDown", "b lead", "a follow http://b", "c follow http://b");
  }

  @Test
  void switchoverToTheMemberThatIsThePrimaryChangesNothing() {
    assertThat(handover.switchover("http://a").outageMillis()).isZero();
    assertThat(calls).isEmpty();
  }

  /** Writes stood still for as long as a replica that had just been started took to catch up. */
  @Test
  void switchoverDoesNotEndThePrimaryWhileTheTargetIsBehind() {
    b.serves(1);
    assertThatThrownBy(() -> handover.switchover("http://b"))
        .hasMessageContaining("http://b is behind the primary http://a")
        .hasMessageContaining("it serves 0-1-1, not yet 0-1-2; nothing was changed")
        .satisfies(e -> assertThat(error(e)).isEqualTo(RnsError.UNAVAILABLE));
    assertThat(calls).isEmpty();
  }

  @Test
  void switchoverToWhoDoesNotFollowThePrimaryIsRefused() {
    b.follows("c");
    assertThatThrownBy(() -> handover.switchover("http://b"))
        .hasMessageContaining("http://b does not follow the primary http://a (a:3306): it replicates from c:3306");
    assertThat(calls).isEmpty();
  }

  /** The old primary led again, although another switchover had just made a new one. */
  @Test
  void switchoverThatLostARaceDoesNotLetTheOldPrimaryLeadAgain() {
    a.refusesToEnd(RnsError.NOT_PRIMARY, "c is the primary by now");
    assertThatThrownBy(() -> handover.switchover("http://b")).hasMessage("c is the primary by now");
    assertThat(calls).containsExactly("a stepDown");
  }

  @Test
  void thePrimaryGoesOnWhenItCouldNotStepDown() {
    a.refusesToEnd(RnsError.UNAVAILABLE, "its database does not answer");
    assertThatThrownBy(() -> handover.switchover("http://b")).hasMessage("its database does not answer");
    assertThat(calls).containsExactly("a stepDown", "a lead");
  }

  @Test
  void thePrimaryGoesOnWhenTheTargetDoesNotGetTheLastWrites() {
    // Its reads are as far, its database is not: a write of the last moment.
    a.has("3").serves(2);
    assertThatThrownBy(() -> handover.switchover("http://b")).hasMessageContaining("http://b has not caught up");
    assertThat(calls).containsExactly("a stepDown", "a lead");
  }

  @Test
  void failoverTakesWhoHasAllThatOthersHave() {
    a.falls("gone");
    c.has("3");
    Handover.Result result = handover.failover(Optional.empty(), false);
    assertThat(result.primary()).isEqualTo("http://c");
    assertThat(result.former()).isEmpty();
    assertThat(calls).containsExactlyInAnyOrder("b stopReceiving", "c stopReceiving", "c lead", "b follow http://c");
  }

  @Test
  void failoverToWhoLacksSomethingIsRefusedAndTheGroupIsLeftAsItWas() {
    b.has("3");
    assertThatThrownBy(() -> handover.failover(Optional.of("http://c"), false))
        .hasMessageContaining("http://c lacks transactions that http://b has");
    assertThat(a.role()).isEqualTo(Role.PRIMARY);
    assertThat(b.source()).contains("a:3306");
    assertThat(c.source()).contains("a:3306");
  }

  @Test
  void failoverRefusesWhenAWriteMayBeOnAMemberThatCannotBeAskedAndSaysWhyItCannot() {
    a.falls("connection refused");
    b.falls("no route");
    assertThatThrownBy(() -> handover.failover(Optional.empty(), false))
        .hasMessageContaining("http://a (connection refused), http://b (no route)")
        .satisfies(e -> assertThat(error(e)).isEqualTo(RnsError.UNAVAILABLE));
    assertThat(handover.failover(Optional.empty(), true).primary()).isEqualTo("http://c");
  }

  /** A server that had just been started was taken for one that has no copy yet: what only it had was lost. */
  @Test
  void aMemberWhoseServerHasJustStartedMayHaveAWriteThatOthersLack() {
    a.falls("gone");
    b.isStarting();
    assertThatThrownBy(() -> handover.failover(Optional.empty(), false)).hasMessageContaining("http://b");
    assertThat(calls).doesNotContain("c lead");
  }

  @Test
  void aMemberThatIsJustGettingItsCopyHasAcknowledgedNothing() {
    a.falls("gone");
    SimulatedMember joining = new SimulatedMember("d", calls).refusesToEnd(RnsError.UNAVAILABLE, "it is being copied");
    Handover larger = new Handover(Topology.SOURCE_REPLICA, List.of(a, b, c, joining), Duration.ZERO, Duration.ofMillis(100));
    assertThat(larger.failover(Optional.empty(), false).primary()).isEqualTo("http://b");
  }

  @Test
  void aMemberWithACopyThatIsNotCutOffMayAcknowledgeMore() {
    a.falls("gone");
    SimulatedMember other = new SimulatedMember("d", calls).has("3").refusesToEnd(RnsError.UNAVAILABLE, "it hangs");
    Handover larger = new Handover(Topology.SOURCE_REPLICA, List.of(a, b, c, other), Duration.ZERO, Duration.ofMillis(100));
    assertThatThrownBy(() -> larger.failover(Optional.empty(), false)).hasMessageContaining("http://d (it hangs)");
    assertThat(calls).doesNotContain("b lead", "c lead");
  }
}
