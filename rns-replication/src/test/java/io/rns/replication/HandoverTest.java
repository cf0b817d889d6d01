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
  private final Handover handover =
      new Handover(Topology.SOURCE_REPLICA, List.of(a, b, c), Duration.ZERO, Duration.ofMillis(100));

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
    Handover larger =
        new Handover(Topology.SOURCE_REPLICA, List.of(a, b, c, joining), Duration.ZERO, Duration.ofMillis(100));
    assertThat(larger.failover(Optional.empty(), false).primary()).isEqualTo("http://b");
  }

  @Test
  void aMemberWithACopyThatIsNotCutOffMayAcknowledgeMore() {
    a.falls("gone");
    SimulatedMember other = new SimulatedMember("d", calls).has("3").refusesToEnd(RnsError.UNAVAILABLE, "it hangs");
    Handover larger =
        new Handover(Topology.SOURCE_REPLICA, List.of(a, b, c, other), Duration.ZERO, Duration.ofMillis(100));
    assertThatThrownBy(() -> larger.failover(Optional.empty(), false)).hasMessageContaining("http://d (it hangs)");
    assertThat(calls).doesNotContain("b lead", "c lead");
  }

  /**
   * Failover took the primary again that nobody in the group received anything from any more, and it could not commit.
   */
  @Test
  void aPrimaryThatIsCutOffFromTheOthersStaysOutsideWithWhatItAloneHas() {
    a.has("3");
    Handover.Result result = handover.failover(Optional.of("http://b"), false);
    assertThat(result.primary()).isEqualTo("http://b");
    assertThat(result.former()).contains("http://a");
    assertThat(calls).contains("a stepDown", "b lead", "c follow http://b").doesNotContain("a follow http://b");
  }

  @Test
  void anotherOneThanThePrimaryIsTakenWhenNobodyIsNamed() {
    assertThat(handover.failover(Optional.empty(), false).primary()).isEqualTo("http://b");
    assertThat(calls).contains("a follow http://b");
  }

  @Test
  void thePrimaryMayBeNamedItself() {
    a.has("3");
    assertThat(handover.failover(Optional.of("http://a"), false).primary()).isEqualTo("http://a");
    assertThat(calls).contains("a lead", "b follow http://a", "c follow http://a");
  }

  @Test
  void whatAPrimaryThatWaitsForNobodyHasMayHaveBeenAcknowledged() {
    a.has("3").waitsForNobody();
    assertThatThrownBy(() -> handover.failover(Optional.of("http://b"), false))
        .hasMessageContaining("http://b lacks transactions that http://a has");
    assertThat(a.role()).isEqualTo(Role.PRIMARY);
  }

  @Test
  void whatOnlyThePrimaryHasMayBeWhatASilentMemberAcknowledged() {
    a.has("3");
    c.falls("gone");
    assertThatThrownBy(() -> handover.failover(Optional.of("http://b"), false))
        .hasMessageContaining("http://b lacks transactions that http://a has");
  }

  @Test
  void whatOnlyThePrimaryHasMayBeWhatOneAcknowledgedThatIsMadeAnewNow() {
    a.has("3");
    SimulatedMember anew = new SimulatedMember("d", calls);
    Handover larger =
        new Handover(Topology.SOURCE_REPLICA, List.of(a, b, c, anew), Duration.ZERO, Duration.ofMillis(100));
    assertThatThrownBy(() -> larger.failover(Optional.of("http://b"), false))
        .hasMessageContaining("http://b lacks transactions that http://a has");
  }

  /** With one member outside, no other could become the primary when that was lost, too. */
  @Test
  void aMemberThatWasLeftOutsideDoesNotKeepOthersFromLeading() {
    a.falls("gone");
    b.has("3").outside();
    assertThat(handover.failover(Optional.of("http://c"), false).primary()).isEqualTo("http://c");
    assertThat(calls).containsExactly("c stopReceiving", "c lead");
  }

  /** It followed the new primary, with transactions that no other had: its copy would have differed for ever. */
  @Test
  void aMemberThatWasLeftOutsideIsNotToldToFollow() {
    c.has("3").outside();
    handover.switchover("http://b");
    assertThat(calls).containsExactlyInAnyOrder("a stepDown", "b lead", "a follow http://b");
  }

  /** A failover of a group that was well left its old primary outside, with a write of the last moment. */
  @Test
  void aPrimaryThatIsStillThereEndsBeforeOthersAreCutOff() {
    handover.failover(Optional.of("http://c"), false);
    assertThat(calls.getFirst()).isEqualTo("a stepDown");
    assertThat(calls).contains("c lead", "a follow http://c", "b follow http://c");
  }

  /** The beginning was committed by the new primary only, which then had more than any other, as had the next one. */
  @Test
  void whoWouldLeadWithoutAnybodyToAcknowledgeDoesNotAndTheGroupIsLeftAsItWas() {
    b.isUnheard();
    assertThatThrownBy(() -> handover.failover(Optional.of("http://b"), false))
        .hasMessage("nobody acknowledges what http://b writes");
    assertThat(a.role()).isEqualTo(Role.PRIMARY);
    assertThat(b.source()).contains("a:3306");
    assertThat(c.source()).contains("a:3306");
  }

  @Test
  void forceTakesOneOfThoseThatEachHaveWhatOthersLack() {
    a.falls("gone");
    b.has("3").isUnheard();
    c.has("4");
    assertThatThrownBy(() -> handover.failover(Optional.of("http://b"), false))
        .hasMessage(
            "each of these has transactions that others lack: http://b (1,2,3), http://c (1,2,4); "
                + "force takes the one that is named, and the others stay outside with what only they have");
    calls.clear();
    assertThat(handover.failover(Optional.of("http://b"), true).primary()).isEqualTo("http://b");
    assertThat(calls).containsExactlyInAnyOrder("b stopReceiving", "c stopReceiving", "b lead alone");
  }

  /** Two primaries had the same epoch, one of them by force. */
  @Test
  void noEpochIsUsedTwice() {
    a.falls("gone");
    b.has("3").knows(2);
    c.knows(5);
    assertThat(handover.failover(Optional.of("http://b"), false).position().epoch()).isEqualTo(6);
    c.falls("gone, too");
    assertThat(handover.failover(Optional.of("http://b"), true).position().epoch()).as("others may have led")
        .isGreaterThan(7);
  }

  /** Replicas were cut off from a database that was still there, and stayed so. */
  @Test
  void aRefusalLeavesReplicasAsTheyWereAlsoWhenThePrimaryDoesNotAnswer() {
    a.falls("gone");
    b.has("3");
    assertThatThrownBy(() -> handover.failover(Optional.of("http://c"), false)).hasMessageContaining("http://c lacks");
    assertThat(b.source()).contains("a:3306");
    assertThat(c.source()).contains("a:3306");
    b.falls("gone, too");
    calls.clear();
    assertThatThrownBy(() -> handover.failover(Optional.of("http://c"), false)).hasMessageContaining("cannot be asked");
    assertThat(calls).isEmpty();
  }
}
