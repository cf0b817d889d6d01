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
import java.util.function.BooleanSupplier;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Test;

class HandoverTest {
  private final List<String> calls = Collections.synchronizedList(new ArrayList<>());
  private final SimulatedMember a = new SimulatedMember("a", calls).primary().has("1", "2");
  private final SimulatedMember b = new SimulatedMember("b", calls).follows("a").has("1", "2");
  private final SimulatedMember c = new SimulatedMember("c", calls).follows("a").has("1", "2");
  private final Handover handover =
      handover("http://a", List.of(a, b, c));

  private static Handover handover(String proposer, List<GroupMember> members) {
    return handover(proposer, members, true);
  }

  private static Handover handover(String proposer, List<GroupMember> members, boolean replicated) {
    return new Handover(
        Topology.SOURCE_REPLICA, proposer, members, replicated, Duration.ZERO, Duration.ofMillis(100),
        Duration.ofMillis(100),
        Timing.system());
  }

  private static RnsError error(Throwable thrown) {
    return ((RnsException) thrown).error();
  }

  @Test
  void switchoverDemotesThenPromotesAndTheOthersFollow() {
    Handover.Result result = handover.switchover("http://b");
    assertThat(result.primary()).isEqualTo("http://b");
    assertThat(result.former()).contains("http://a");
    assertThat(result.position().epoch()).isEqualTo(2);
    assertThat(calls.getFirst()).isEqualTo("a stepDown");
    assertThat(calls).containsExactlyInAnyOrder("a stepDown", "b lead", "a follow http://b", "c follow http://b");
  }

  /** In a database group it would wait for the lease of the old one otherwise. */
  @Test
  void theTargetOfASwitchoverKnowsThatTheOldPrimaryHasStopped() {
    assertThat(handover.switchover("http://b").primary()).isEqualTo("http://b");
    assertThat(b.endedBefore()).isEqualTo(1);
  }

  @Test
  void switchoverToThePrimaryChangesNothing() {
    assertThat(handover.switchover("http://a").outageMillis()).isZero();
    assertThat(calls).isEmpty();
  }

  /** It waited until each member had applied all, and for as long as the slowest one took. */
  @Test
  void whoHasAppliedWhatAnyMemberHasReceivedLeadsAndNoOtherIsAwaited() {
    a.falls("gone");
    b.appliesAfter(Integer.MAX_VALUE, "3");
    c.appliesAfter(3, "3");
    assertThat(handover.failover(Optional.empty(), false).primary()).isEqualTo("http://c");
    assertThat(calls).contains("b follow http://c without 3");
  }

  @Test
  void whatOnlyOneMemberHasReceivedIsAwaitedThere() {
    a.falls("gone");
    c.appliesAfter(3, "3");
    assertThat(handover.failover(Optional.empty(), false).primary()).isEqualTo("http://c");
  }

  @Test
  void theTargetOfAFailoverIsAwaitedAlsoIfAnotherMemberIsFirst() {
    a.falls("gone");
    b.has("3");
    c.appliesAfter(5, "3");
    assertThat(handover.failover(Optional.of("http://c"), false).primary()).isEqualTo("http://c");
  }

  /** All have received the commit that added a member, and none has applied it when they stop. */
  @Test
  void aMemberThatWasAddedLastTakesPart() {
    a.falls("gone");
    SimulatedMember d = new SimulatedMember("d", calls);
    c.has(list(1, List.of(a, b, c))).appliesAfter(3, "3").appliesList(list(2, List.of(a, b, c, d)));
    assertThatThrownBy(() -> handover.failover(Optional.empty(), false))
        .hasMessageContaining("the members of the group have changed")
        .satisfies(thrown -> assertThat(error(thrown)).isEqualTo(RnsError.NOT_PRIMARY));
    assertThat(calls).doesNotContain("c lead");
  }

  private static MemberList list(int version, List<GroupMember> members) {
    return new MemberList(
        1, version, members.stream().map(member -> new MemberList.Member(member.url(), 0)).toList(),
        MemberList.acknowledgements(members.size(), 2));
  }

  /** Even if it answers a moment later: otherwise nobody would know where the others find its database. */
  @Test
  void switchoverToAMemberThatDoesNotAnswerChangesNothing() {
    b.falls("gone");
    assertThatThrownBy(() -> handover.switchover("http://b"))
        .hasMessage("http://b does not answer; nothing was changed")
        .satisfies(e -> assertThat(error(e)).isEqualTo(RnsError.UNAVAILABLE));
    assertThat(calls).isEmpty();
  }

  /** It may only be slow: the operator then need not fail over. */
  @Test
  void switchoverNamesMembersWithoutAnAnswerIfNoOtherIsThePrimary() {
    a.falls("no response in time");
    assertThatThrownBy(() -> handover.switchover("http://b"))
        .hasMessage(
            "no member that answers is the primary; retry, or use failover."
                + " Without an answer: http://a (no response in time)")
        .satisfies(e -> assertThat(error(e)).isEqualTo(RnsError.UNAVAILABLE));
    assertThat(calls).isEmpty();
  }

  /** Its code was still being compiled, and the command was refused. */
  @Test
  void switchoverAsksAPrimaryThatDoesNotAnswerAtFirstAgain() {
    a.answersAfter(3);
    Handover patient =
        new Handover(Topology.SOURCE_REPLICA, "http://a", List.of(a, b, c), true, Duration.ZERO, Timing.system());
    assertThat(patient.switchover("http://b").former()).contains("http://a");
  }

  /** It was refused, and had ended the other change, so that for seconds no member led. */
  @Test
  void switchoverAwaitsTheEndOfAnotherChange() {
    a.accepted(1);
    b.accepted(1).cutOff(2, 3);
    Handover patient =
        new Handover(Topology.SOURCE_REPLICA, "http://a", List.of(a, b, c), true, Duration.ZERO, Timing.system());
    assertThat(patient.switchover("http://b").primary()).isEqualTo("http://b");
  }

  @Test
  void switchoverDoesNotEndAnotherChangeThatHasCutOffItsTarget() {
    a.accepted(1);
    b.accepted(1).cutOff(2, Integer.MAX_VALUE);
    assertThatThrownBy(() -> handover.switchover("http://b"))
        .hasMessage("another change of the primary has begun to replace http://a; repeat this")
        .satisfies(e -> assertThat(error(e)).isEqualTo(RnsError.NOT_PRIMARY));
    assertThat(handover.proposed()).isFalse();
    assertThat(calls).isEmpty();
  }

  /** No member leads for a moment, though all answer. */
  @Test
  void switchoverAwaitsThePrimaryOfAnotherChange() {
    SimulatedMember late = new SimulatedMember("d", calls).has("1", "2").accepted(1).primaryAfter(3);
    b.follows("d").accepted(1);
    c.follows("d").accepted(1).cutOff(2, 3);
    Handover patient =
        new Handover(Topology.SOURCE_REPLICA, "http://a", List.of(late, b, c), true, Duration.ZERO, Timing.system());
    assertThat(patient.switchover("http://b").former()).contains("http://d");
  }

  /** Otherwise writes would stall while a restarted replica catches up. */
  @Test
  void switchoverDoesNotDemoteThePrimaryWhileTheTargetIsBehind() {
    b.serves(1);
    assertThatThrownBy(() -> handover.switchover("http://b"))
        .hasMessageContaining("http://b is behind the primary http://a")
        .hasMessageContaining("it serves 0-1-1, not yet 0-1-2; nothing was changed")
        .satisfies(e -> assertThat(error(e)).isEqualTo(RnsError.UNAVAILABLE));
    assertThat(calls).isEmpty();
  }

  /** Its reads are up to date, but its database lacks a write. */
  @Test
  void switchoverDoesNotDemoteThePrimaryBeforeTheTargetHasItsTransactions() {
    a.has("3").serves(2);
    assertThatThrownBy(() -> handover.switchover("http://b"))
        .hasMessageContaining("http://b has not caught up")
        .satisfies(e -> assertThat(error(e)).isEqualTo(RnsError.UNAVAILABLE));
    assertThat(calls).isEmpty();
  }

  @Test
  void switchoverToAMemberThatDoesNotFollowThePrimaryIsRejected() {
    b.follows("c");
    assertThatThrownBy(() -> handover.switchover("http://b"))
        .hasMessageContaining("http://b does not follow the primary http://a (a:3306): it replicates from c:3306");
    assertThat(calls).isEmpty();
  }

  /** Otherwise the old primary would return although another switchover has just promoted a new one. */
  @Test
  void switchoverThatLostARaceDoesNotReinstateTheOldPrimary() {
    a.rejectsChanges(RnsError.NOT_PRIMARY, "c is the primary now");
    assertThatThrownBy(() -> handover.switchover("http://b")).hasMessage("c is the primary now");
    assertThat(calls).containsExactly("a stepDown");
  }

  @Test
  void thePrimaryContinuesIfItCannotStepDown() {
    a.rejectsChanges(RnsError.UNAVAILABLE, "its database does not answer");
    assertThatThrownBy(() -> handover.switchover("http://b")).hasMessage("its database does not answer");
    assertThat(calls).containsExactly("a stepDown", "a lead");
  }

  @Test
  void thePrimaryContinuesIfTheTargetMissesTheLastWrites() {
    a.commitsWhenItStepsDown("3");
    assertThatThrownBy(() -> handover.switchover("http://b")).hasMessageContaining("http://b has not caught up");
    assertThat(calls).containsExactly("a stepDown", "a lead");
  }

  /** Otherwise a wrong or firewalled address of the target's database shows only after the old primary has stopped. */
  @Test
  void switchoverToADatabaseThatOthersCannotReachChangesNothing() {
    c.reachesNoSource(RnsError.UNAVAILABLE, "connection refused");
    assertThatThrownBy(() -> handover.switchover("http://b"))
        .hasMessage(
            "the database of http://b, b:3306, cannot be reached by http://c (connection refused); nothing was changed")
        .satisfies(e -> assertThat(error(e)).isEqualTo(RnsError.UNAVAILABLE));
    assertThat(calls).isEmpty();
  }

  @Test
  void membersThatDoNotFollowNeedNotReachTheTarget() {
    c.outside().reachesNoSource(RnsError.UNAVAILABLE, "connection refused");
    assertThat(handover.switchover("http://b").primary()).isEqualTo("http://b");
  }

  /** During an upgrade, which needs switchovers. */
  @Test
  void membersOfAnOlderVersionNeedNotCheckTheTarget() {
    a.reachesNoSource(RnsError.UNKNOWN_OPERATION, "there is no GET /group/reaches");
    assertThat(handover.switchover("http://b").primary()).isEqualTo("http://b");
  }

  /** It may get a write of that one after its report, which the target lacks. */
  @Test
  void aMemberThatReceivesFromAnEarlierPrimaryFollowsTheTargetByItsOwnRules() {
    c.follows("d");
    assertThat(handover.switchover("http://b").primary()).isEqualTo("http://b");
    assertThat(calls).contains("a follow http://b").doesNotContain("c follow http://b");
  }

  /** Its database may end a write afterwards, which the target lacks. */
  @Test
  void aMemberThatDoesNotPromiseFollowsTheTargetByItsOwnRules() {
    c.isBusy();
    assertThat(handover.switchover("http://b").primary()).isEqualTo("http://b");
    assertThat(calls).contains("a follow http://b").doesNotContain("c follow http://b");
  }

  /** It may have writes of the other primary, which the former one lacks. */
  @Test
  void aMemberThatHasFollowedAnotherPrimaryMeanwhileIsNotSentBackToTheFormerOne() {
    a.falls("gone");
    b.has("3");
    c.has("4").followsMeanwhile("d");
    assertThatThrownBy(() -> handover.failover(Optional.empty(), false)).isInstanceOf(RnsException.class);
    assertThat(b.source()).contains("a:3306");
    assertThat(calls).contains("b follow ").doesNotContain("c follow ");
  }

  /** Otherwise the group would have no primary, and all its members would follow a database that takes no writes. */
  @Test
  void thePrimaryContinuesAndIsFollowedIfTheTargetFailsToLead() {
    b.isUnheard();
    assertThatThrownBy(() -> handover.switchover("http://b"))
        .hasMessage("no member acknowledges the writes of http://b; http://a is the primary again")
        .satisfies(e -> assertThat(error(e)).isEqualTo(RnsError.INVALID_REQUEST));
    assertThat(a.role()).isEqualTo(Role.PRIMARY);
    assertThat(a.report().epoch()).isEqualTo(2);
    assertThat(a.source()).isEmpty();
    assertThat(b.source()).contains("a:3306");
    assertThat(c.source()).contains("a:3306");
  }

  @Test
  void thePrimaryContinuesIfTheTargetDiesBeforeItLeads() {
    b.diesWhenItLeads("connection reset");
    assertThatThrownBy(() -> handover.switchover("http://b"))
        .hasMessage("connection reset; http://a is the primary again");
    assertThat(a.role()).isEqualTo(Role.PRIMARY);
    assertThat(c.source()).contains("a:3306");
  }

  /** It may have acknowledged writes with the help of the other one, which the old primary then lacks. */
  @Test
  void thePrimaryDoesNotContinueIfAFollowerHasAWriteOfTheTarget() {
    b.diesWhenItLeads("connection reset");
    c.receivesWhenItFollows("3");
    assertThatThrownBy(() -> handover.switchover("http://b"))
        .hasMessageStartingWith("connection reset; http://a has not become the primary again: http://a lacks");
    assertThat(a.role()).isEqualTo(Role.REPLICA);
  }

  @Test
  void aTargetThatLeadsAlthoughItsAnswerWasLostIsThePrimary() {
    b.losesTheAnswer("timed out");
    Handover.Result result = handover.switchover("http://b");
    assertThat(result.primary()).isEqualTo("http://b");
    assertThat(result.position().epoch()).isEqualTo(2);
    assertThat(a.role()).isEqualTo(Role.REPLICA);
  }

  @Test
  void failoverPromotesTheMostAdvancedMember() {
    a.falls("gone");
    c.has("3");
    Handover.Result result = handover.failover(Optional.empty(), false);
    assertThat(result.primary()).isEqualTo("http://c");
    assertThat(result.former()).isEmpty();
    assertThat(calls).containsExactlyInAnyOrder("b stopReceiving", "c stopReceiving", "c lead", "b follow http://c");
  }

  /** A member had waited for its database, and replaced a primary by what it had seen before. */
  @Test
  void aMemberReplacesNoPrimaryThatAnswersAndIsAcknowledged() {
    assertThatThrownBy(() -> handover.failoverIfLost())
        .hasMessage("http://a is the primary, and its writes are acknowledged");
    assertThat(handover.proposed()).isFalse();
    assertThat(calls).isEmpty();
    a.isUnheard();
    assertThat(handover.failoverIfLost().primary()).isEqualTo("http://b");
  }

  @Test
  void failoverToALaggingMemberIsRejectedAndTheGroupUnchanged() {
    b.has("3");
    assertThatThrownBy(() -> handover.failover(Optional.of("http://c"), false))
        .hasMessageContaining("http://c lacks transactions that http://b has");
    assertThat(a.role()).isEqualTo(Role.PRIMARY);
    assertThat(b.source()).contains("a:3306");
    assertThat(c.source()).contains("a:3306");
  }

  @Test
  void failoverIsRejectedIfAnUnreachableMemberMayHaveAWrite() {
    a.falls("connection refused");
    b.falls("no route");
    assertThatThrownBy(() -> handover.failover(Optional.empty(), false))
        .hasMessageContaining("http://a (connection refused), http://b (no route)")
        .satisfies(e -> assertThat(error(e)).isEqualTo(RnsError.UNAVAILABLE));
    assertThat(handover.proposed()).isFalse();
    assertThat(handover.failover(Optional.empty(), true).primary()).isEqualTo("http://c");
    assertThat(handover.proposed()).isTrue();
  }

  /** A server that has just started must not be mistaken for one without a copy: its own writes would be lost. */
  @Test
  void aMemberThatJustStartedMayHaveAWriteThatOthersLack() {
    a.falls("gone");
    b.isStarting();
    assertThatThrownBy(() -> handover.failover(Optional.empty(), false)).hasMessageContaining("http://b");
    assertThat(calls).doesNotContain("c lead");
  }

  /** It would be disconnected, and try again only after a second. */
  @Test
  void aReplicaConnectsOnceTheTargetCountsAcknowledgements() {
    a.falls("gone");
    assertThat(handover.failover(Optional.of("http://b"), false).primary()).isEqualTo("http://b");
    assertThat(calls).containsSubsequence("b lead", "c follow http://b");
  }

  /** Time that passes only while somebody pauses. */
  private static final class PausedTime implements Timing {
    private final AtomicLong now = new AtomicLong();
    private final BooleanSupplier waits;

    PausedTime(BooleanSupplier waits) {
      this.waits = waits;
    }

    @Override
    public long nanoTime() {
      return now.get();
    }

    @Override
    public void pause(Duration time) {
      now.addAndGet(time.toNanos());
    }

    /** The first one gets to its end, or to where it waits for the others, before their pauses let time pass. */
    @Override
    public void runAll(List<Runnable> tasks) {
      if (tasks.isEmpty()) {
        return;
      }
      CompletableFuture<Void> first =
          CompletableFuture.runAsync(tasks.getFirst(), task -> Thread.ofVirtual().start(task));
      while (!first.isDone() && !waits.getAsBoolean()) {
        Thread.onSpinWait();
      }
      Timing.system().runAll(tasks.subList(1, tasks.size()));
      first.join();
    }

    @Override
    public void start(String name, Runnable task) {
      Timing.system().start(name, task);
    }

    @Override
    public Lock newLock() {
      return Timing.system().newLock();
    }
  }

  private Handover inPausedTime() {
    return new Handover(
        Topology.SOURCE_REPLICA, "http://a", List.of(a, b, c), true, Duration.ZERO, Duration.ofMillis(100),
        Duration.ofMillis(100), new PausedTime(b::waitsForReports));
  }

  /** Servers that had just been started took more than a second to lead, and writes waited for another one. */
  @Test
  void aReplicaConnectsOnlyThenAlsoIfTheTargetTakesLong() {
    a.falls("gone");
    b.countsAfter(200);
    assertThat(inPausedTime().failover(Optional.of("http://b"), false).outageMillis()).isGreaterThan(2_000);
    assertThat(calls).containsSubsequence("b lead", "b counts", "c follow http://b");
  }

  @Test
  void aTargetThatLeadsWithoutCountingIsNotAwaited() {
    a.falls("gone");
    b.waitsForNoReplica();
    assertThat(inPausedTime().failover(Optional.of("http://b"), false).outageMillis()).isLessThan(1_000);
    assertThat(calls).contains("c follow http://b");
  }

  @Test
  void aMemberWithoutADatabasePromisesNothing() {
    a.isStarting();
    int before = a.report().allegiance().promised();
    assertThat(handover.failover(Optional.of("http://b"), false).primary()).isEqualTo("http://b");
    assertThat(a.report().allegiance().promised()).isEqualTo(before);
  }

  @Test
  void aMemberReceivingItsFirstCopyHasAcknowledgedNothing() {
    a.falls("gone");
    SimulatedMember joining =
        new SimulatedMember("d", calls).rejectsChanges(RnsError.UNAVAILABLE, "it is being copied");
    Handover larger =
        handover("http://a", List.of(a, b, c, joining));
    assertThat(larger.failover(Optional.empty(), false).primary()).isEqualTo("http://b");
  }

  /** It could receive a copy of a former primary then, and nothing would tell that another one has led. */
  @Test
  void ofTwoThatAcknowledgeAMemberReceivingItsFirstCopyIsMissingUnlessItIsCutOff() {
    a.falls("gone");
    SimulatedMember joining =
        new SimulatedMember("d", calls).rejectsChanges(RnsError.UNAVAILABLE, "it is being copied");
    SimulatedMember cutOff = new SimulatedMember("d", calls);
    SimulatedMember away = new SimulatedMember("e", calls).falls("away");
    Handover five = handover("http://a", List.of(a, b, c, joining, away));
    MemberList list = list(1, List.of(a, b, c, joining, away));
    assertThat(list.acknowledgements()).isEqualTo(2);
    b.has(list);
    c.has(list);
    assertThatThrownBy(() -> five.failover(Optional.empty(), false))
        .hasMessageContaining("http://a (gone), ")
        .hasMessageContaining("http://d (it is being copied)")
        .hasMessageContaining("http://e (away)");
    assertThat(calls).doesNotContain("b lead", "c lead");
    Handover complete = handover("http://a", List.of(a, b, c, cutOff, away));
    assertThat(complete.failover(Optional.empty(), false).primary()).isEqualTo("http://b");
  }

  /** Its log need not have its first tables, so it must know that nobody may be able to follow. */
  @Test
  void theOnlyMemberWithDataIsToldSo() {
    SimulatedMember only = new SimulatedMember("d", calls).has("1");
    List<GroupMember> members = List.of(new SimulatedMember("e", calls), only, new SimulatedMember("f", calls));
    Handover grown =
        handover("http://a", members);
    assertThat(grown.failover(Optional.empty(), false).primary()).isEqualTo("http://d");
    assertThat(calls).contains("d lead beside empty ones", "e follow http://d", "f follow http://d");
  }

  /** The unreachable one may have acknowledged a write. */
  @Test
  void besideAnUnreachableMemberItIsNotTheOnlyOneWithData() {
    SimulatedMember only = new SimulatedMember("d", calls).has("1");
    SimulatedMember gone = new SimulatedMember("f", calls).falls("gone");
    List<GroupMember> members = List.of(only, new SimulatedMember("e", calls), gone);
    Handover group =
        handover("http://a", members);
    var unused = group.failover(Optional.empty(), false);
    assertThat(calls).contains("d lead", "e follow http://d");
  }

  @Test
  void ofANewGroupAllAreEmpty() {
    List<GroupMember> members = List.of(new SimulatedMember("d", calls), new SimulatedMember("e", calls));
    Handover fresh =
        handover("http://a", members);
    assertThat(fresh.failover(Optional.empty(), false).primary()).isEqualTo("http://d");
    assertThat(calls).contains("d lead", "e follow http://d");
  }

  @Test
  void aMemberWithACopyThatIsNotCutOffMayAcknowledgeMoreWrites() {
    a.falls("gone");
    SimulatedMember other = new SimulatedMember("d", calls).has("3").rejectsChanges(RnsError.UNAVAILABLE, "it hangs");
    Handover larger =
        handover("http://a", List.of(a, b, c, other));
    assertThatThrownBy(() -> larger.failover(Optional.empty(), false)).hasMessageContaining("http://d (it hangs)");
    assertThat(calls).doesNotContain("b lead", "c lead");
  }

  /** Failover must not promote the isolated primary again: it could not commit, since no member receives from it. */
  @Test
  void anIsolatedPrimaryStaysOutsideWithItsOwnTransactions() {
    a.has("3");
    Handover.Result result = handover.failover(Optional.of("http://b"), false);
    assertThat(result.primary()).isEqualTo("http://b");
    assertThat(result.former()).contains("http://a");
    assertThat(calls).contains("a stepDown", "b lead", "c follow http://b").doesNotContain("a follow http://b");
  }

  @Test
  void failoverWithoutATargetPrefersAnotherMemberThanThePrimary() {
    assertThat(handover.failover(Optional.empty(), false).primary()).isEqualTo("http://b");
    assertThat(calls).contains("a follow http://b");
  }

  @Test
  void thePrimaryMayBeTheTarget() {
    a.has("3");
    assertThat(handover.failover(Optional.of("http://a"), false).primary()).isEqualTo("http://a");
    assertThat(calls).contains("a lead", "b follow http://a", "c follow http://a");
  }

  @Test
  void transactionsOfAPrimaryWithoutReplicaWaitMayHaveBeenAcknowledged() {
    a.has("3").waitsForNoReplica();
    assertThatThrownBy(() -> handover.failover(Optional.of("http://b"), false))
        .hasMessageContaining("http://b lacks transactions that http://a has");
    assertThat(a.role()).isEqualTo(Role.PRIMARY);
  }

  /** It was left behind with the writes that it alone had answered, without a warning. */
  @Test
  void aPrimaryWithoutReplicaWaitMayHaveAnsweredWhatNoOtherHas() {
    Handover local = handover("http://b", List.of(a.waitsForNoReplica(), b, c), false);
    a.falls("gone");
    assertThatThrownBy(() -> local.failover(Optional.of("http://b"), false))
        .hasMessageContaining("http://a (gone); only they may have an acknowledged write")
        .satisfies(e -> assertThat(error(e)).isEqualTo(RnsError.UNAVAILABLE));
    assertThat(calls).isEmpty();
    assertThat(local.failover(Optional.of("http://b"), true).primary()).isEqualTo("http://b");
  }

  @Test
  void aPrimaryWithoutReplicaWaitThatStepsDownIsReplacedThoughAnotherMemberIsGone() {
    Handover local = handover("http://b", List.of(a.waitsForNoReplica(), b, c), false);
    c.falls("gone");
    assertThat(local.failover(Optional.of("http://b"), false).primary()).isEqualTo("http://b");
    assertThat(calls).contains("a follow http://b");
  }

  /** Its server answers, and its database does not. */
  @Test
  void aPrimaryWithoutReplicaWaitThatDoesNotStepDownIsNotReplaced() {
    Handover local = handover("http://b", List.of(a.waitsForNoReplica(), b, c), false);
    a.rejectsChanges(RnsError.UNAVAILABLE, "it hangs");
    assertThatThrownBy(() -> local.failover(Optional.of("http://b"), false))
        .hasMessageContaining("http://a (it hangs); only they may have an acknowledged write");
    assertThat(calls).doesNotContain("b lead");
  }

  @Test
  void aSilentMemberMayHaveAcknowledgedThePrimarysTransactions() {
    a.has("3");
    c.falls("gone");
    assertThatThrownBy(() -> handover.failover(Optional.of("http://b"), false))
        .hasMessageContaining("http://b lacks transactions that http://a has");
  }

  @Test
  void aMemberBeingRebuiltMayHaveAcknowledgedThePrimarysTransactions() {
    a.has("3");
    SimulatedMember rebuilt = new SimulatedMember("d", calls);
    Handover larger =
        handover("http://a", List.of(a, b, c, rebuilt));
    assertThatThrownBy(() -> larger.failover(Optional.of("http://b"), false))
        .hasMessageContaining("http://b lacks transactions that http://a has");
  }

  /** Otherwise, with one member outside, no member could be promoted once the primary is lost as well. */
  @Test
  void aMemberLeftOutsideDoesNotPreventAPromotion() {
    a.falls("gone");
    b.has("3").outside();
    assertThat(handover.failover(Optional.of("http://c"), false).primary()).isEqualTo("http://c");
    assertThat(calls).containsExactly("c stopReceiving", "c lead");
  }

  /** Otherwise it would follow with transactions that no other member has, and its copy would differ for good. */
  @Test
  void aMemberLeftOutsideIsNotMadeToFollow() {
    c.has("3").outside();
    handover.switchover("http://b");
    assertThat(calls).containsExactlyInAnyOrder("a stepDown", "b lead", "a follow http://b");
  }

  /** Otherwise failover of a healthy group would leave its old primary outside, with a last-moment write. */
  @Test
  void aReachablePrimaryStepsDownBeforeOthersAreCutOff() {
    handover.failover(Optional.of("http://c"), false);
    assertThat(calls.getFirst()).isEqualTo("a stepDown");
    assertThat(calls).contains("c lead", "a follow http://c", "b follow http://c");
  }

  /** Otherwise the first commit would exist only on the new primary, which would be ahead of all others. */
  @Test
  void aPromotionWithoutAcknowledgementIsRejectedAndTheGroupUnchanged() {
    b.isUnheard();
    assertThatThrownBy(() -> handover.failover(Optional.of("http://b"), false))
        .hasMessage("no member acknowledges the writes of http://b; http://a is the primary again");
    assertThat(a.role()).isEqualTo(Role.PRIMARY);
    assertThat(b.source()).contains("a:3306");
    assertThat(c.source()).contains("a:3306");
  }

  @Test
  void forcePromotesTheTargetAmongDivergedMembers() {
    a.falls("gone");
    b.has("3").isUnheard();
    c.has("4");
    assertThatThrownBy(() -> handover.failover(Optional.of("http://b"), false))
        .hasMessage(
            "each of these has transactions that others lack: http://b (1,2,3), http://c (1,2,4); "
                + "force promotes the named target, and the others stay outside with their own transactions");
    calls.clear();
    assertThat(handover.failover(Optional.of("http://b"), true).primary()).isEqualTo("http://b");
    assertThat(calls).containsExactlyInAnyOrder("b stopReceiving", "c stopReceiving", "b lead alone");
  }

  /** Otherwise two primaries could have the same epoch, one of them by force. */
  @Test
  void noEpochIsUsedTwice() {
    a.falls("gone");
    b.has("3").knows(2);
    c.knows(5);
    assertThat(handover.failover(Optional.of("http://b"), false).position().epoch()).isEqualTo(6);
    c.falls("gone as well");
    assertThat(handover.failover(Optional.of("http://b"), true).position().epoch())
        .as("other members may have used epochs")
        .isGreaterThan(7);
  }

  /** Otherwise the replicas would stay disconnected from a database that is still running. */
  @Test
  void aRejectionLeavesReplicasUnchangedEvenIfThePrimaryDoesNotAnswer() {
    a.falls("gone");
    b.has("3");
    assertThatThrownBy(() -> handover.failover(Optional.of("http://c"), false)).hasMessageContaining("http://c lacks");
    assertThat(b.source()).contains("a:3306");
    assertThat(c.source()).contains("a:3306");
    b.falls("gone, too");
    calls.clear();
    assertThatThrownBy(() -> handover.failover(Optional.of("http://c"), false))
        .hasMessageContaining("cannot be asked");
    assertThat(calls).isEmpty();
  }

  // ---- terms

  /** Otherwise two operators at once could make two primaries. */
  @Test
  void aChangeThatAnotherOneHasOvertakenChangesNothing() {
    b.promised(7);
    a.promised(8);
    c.promised(9);
    assertThat(handover.switchover("http://b").position().epoch()).as("later than all of these").isEqualTo(2);
    calls.clear();
    Handover other = handover("http://other", List.of(a, b, c));
    c.knows(2);
    GroupMember meanwhile = new OvertakenMember(b);
    Handover first = handover("http://a", List.of(a, meanwhile, c));
    for (Runnable change : List.<Runnable>of(
        () -> first.failover(Optional.of("http://c"), false), () -> first.switchover("http://c"))) {
      assertThatThrownBy(change::run)
          .hasMessageContaining("http://b has promised a later term")
          .satisfies(e -> assertThat(error(e)).isEqualTo(RnsError.NOT_PRIMARY));
    }
    assertThat(calls).isEmpty();
    assertThat(b.role()).isEqualTo(Role.PRIMARY);
    assertThat(other.failover(Optional.of("http://c"), false).primary()).isEqualTo("http://c");
  }

  /** Between its report and its promise, another server has it promise a later term. */
  private record OvertakenMember(SimulatedMember member) implements GroupMember {
    @Override
    public String url() {
      return member.url();
    }

    @Override
    public MemberReport report() {
      return member.report();
    }

    @Override
    public MemberReport promise(Term term) {
      MemberReport unused = member.promise(new Term(term.number() + 5, "http://other"));
      return member.promise(term);
    }

    @Override
    public MemberReport stepDown(Term term) {
      return member.stepDown(term);
    }

    @Override
    public MemberReport stopReceiving(Term term) {
      return member.stopReceiving(term);
    }

    @Override
    public boolean contains(String transactions) {
      return member.contains(transactions);
    }

    @Override
    public void checkReaches(String source) {
      member.checkReaches(source);
    }

    @Override
    public void follow(String source, String primary, int leading, Term term) {
      member.follow(source, primary, leading, term);
    }

    @Override
    public MemberReport lead(Term term, PromotionTerms terms) {
      return member.lead(term, terms);
    }
  }

  /** Its relay log was lost, and it may have been the only one to acknowledge a write of the primary that is gone. */
  @Test
  void aReplicaThatWasRestartedDoesNotVouchAlone() {
    a.falls("gone");
    b.accepted(1);
    c.accepted(1).doesNotVouch();
    assertThatThrownBy(() -> handover.failover(Optional.of("http://b"), false))
        .hasMessageContaining("http://a (gone)")
        .hasMessageContaining("http://c (its database was restarted and has not caught up with the primary since)")
        .satisfies(e -> assertThat(error(e)).isEqualTo(RnsError.UNAVAILABLE));
    assertThat(calls).isEmpty();
    assertThat(handover.failover(Optional.of("http://b"), true).primary()).isEqualTo("http://b");
  }

  /** The others may lack what the restarted one acknowledged and lost; the old primary has it. */
  @Test
  void beforeAReplicaVouchesTheOldPrimaryIsNotPassedOver() {
    a.accepted(1).has("3");
    b.accepted(1);
    c.accepted(1).doesNotVouch();
    assertThat(handover.failover(Optional.empty(), false).primary()).isEqualTo("http://a");
  }

  /** The former primary returned with a write of its own, and the next one had crashed as it began to lead. */
  @Test
  void whatMembersOfEarlierTermsHaveBesideTheOneChosenLastKeepsItFromNothing() {
    SimulatedMember former = new SimulatedMember("d", calls).has("1", "2", "3").accepted(1).chosen(1);
    b.has("4").accepted(2).chosen(2);
    c.accepted(2);
    assertThat(handover("http://d", List.of(former, b, c)).failover(Optional.empty(), false).primary())
        .isEqualTo("http://b");
    assertThat(calls).contains("c follow http://b").doesNotContain("d follow http://b");
  }

  /** Others have accepted the term as well, and may have it from one that fetches again what it acknowledged. */
  @Test
  void withoutTheOneChosenLastNobodyIsLeftOut() {
    SimulatedMember former = new SimulatedMember("d", calls).has("1", "2", "3").accepted(1).chosen(1);
    b.accepted(2).chosen(2).falls("gone");
    c.accepted(2);
    Handover three = handover("http://d", List.of(former, b, c));
    assertThat(three.failover(Optional.empty(), false).primary()).isEqualTo("http://d");
    SimulatedMember other = new SimulatedMember("e", calls).has("1", "2", "4").accepted(2);
    SimulatedMember before = new SimulatedMember("f", calls).has("1", "2", "3").accepted(1).chosen(1);
    assertThatThrownBy(() -> handover("http://f", List.of(before, b, other)).failover(Optional.empty(), false))
        .hasMessageContaining("each of these has transactions that others lack");
  }

  /** It had applied all that was acknowledged before, and nobody can have acknowledged more without its term. */
  @Test
  void theOneChosenLastVouchesForAll() {
    a.falls("gone");
    b.accepted(2).chosen(2);
    c.accepted(2).doesNotVouch();
    assertThat(handover.failover(Optional.empty(), false).primary()).isEqualTo("http://b");
  }

  /** A competing change made it fail to lead before any other member had accepted its term. */
  @Test
  void theOneChosenLastVouchesForAllThoughNobodyHasAcceptedItsTerm() {
    a.falls("gone");
    b.accepted(1).chosen(2);
    c.accepted(1).doesNotVouch();
    assertThat(handover.failover(Optional.empty(), false).primary()).isEqualTo("http://b");
  }

  /** It may have acknowledged a write of that term before it was cut off, and have lost it. */
  @Test
  void aTermThatAMemberAcceptedBeforeItWasCutOffCounts() {
    a.falls("gone");
    b.accepted(2).chosen(2);
    c.accepted(2).doesNotVouch().acceptsMeanwhile(3);
    assertThatThrownBy(() -> handover.failover(Optional.empty(), false)).hasMessageContaining("http://a (gone)")
        .hasMessageContaining("http://c (its database was restarted");
  }

  /** It was left out by what it reported before, with a write that it had acknowledged. */
  @Test
  void aMemberThatAcceptedALaterTermBeforeItWasCutOffIsNotLeftOut() {
    SimulatedMember former = new SimulatedMember("d", calls).has("1", "2", "3").accepted(1).chosen(1);
    SimulatedMember late = new SimulatedMember("e", calls).has("1", "2", "4").accepted(1).acceptsMeanwhile(3);
    b.accepted(3).chosen(2);
    c.accepted(3);
    assertThat(handover("http://b", List.of(former, b, c, late)).failover(Optional.empty(), false).primary())
        .isEqualTo("http://e");
  }

  /** Its database may have acknowledged writes of later terms while its server was away. */
  @Test
  void aReplicaOfAnEarlierTermIsNotLeftOut() {
    SimulatedMember replica = new SimulatedMember("d", calls).has("1", "2", "3").accepted(1).follows("a");
    b.has("4").accepted(2).chosen(2);
    c.accepted(2);
    assertThatThrownBy(() -> handover("http://d", List.of(replica, b, c)).failover(Optional.empty(), false))
        .hasMessageContaining("each of these has transactions that others lack");
  }

  /** What it has is from a primary of an earlier term, which would say so had it led again. */
  @Test
  void aReplicaOfAFormerPrimaryIsLeftOutBesideIt() {
    SimulatedMember replica = new SimulatedMember("d", calls).has("1", "2", "3").accepted(1).follows("e");
    SimulatedMember former = new SimulatedMember("e", calls).has("1", "2", "3", "5").accepted(1).chosen(1);
    b.has("4").accepted(2).chosen(2);
    c.accepted(2);
    assertThat(handover("http://b", List.of(replica, former, b, c)).failover(Optional.empty(), false).primary())
        .isEqualTo("http://b");
  }

  /** By force the operator decides, also among members with transactions that others lack. */
  @Test
  void byForceAlsoAMemberThatWouldBeLeftOutLeads() {
    SimulatedMember former = new SimulatedMember("d", calls).has("1", "2", "3").accepted(1).chosen(1);
    b.has("4").accepted(2).chosen(2);
    c.accepted(2);
    assertThat(handover("http://d", List.of(former, b, c)).failover(Optional.of("http://d"), true).primary())
        .isEqualTo("http://d");
  }

  /** A primary that is reachable has all acknowledged writes only if no later one can have acknowledged others. */
  @Test
  void aPrimaryOfAnEarlierTermDoesNotStandInForMissingMembers() {
    SimulatedMember d = new SimulatedMember("d", calls).falls("gone");
    SimulatedMember e = new SimulatedMember("e", calls).falls("gone");
    a.accepted(1);
    b.accepted(2);
    c.accepted(1);
    Handover five = handover("http://a", List.of(a, b, c, d, e));
    assertThatThrownBy(() -> five.failover(Optional.empty(), false))
        .hasMessageContaining("http://d (gone)")
        .hasMessageContaining("http://e (gone)");
    assertThat(calls).isEmpty();
  }

  /** The others may have promised the same term to another change. One without a copy does not prevent that. */
  @Test
  void aPrimaryThatNoMemberWithACopyJoinsInAFailoverIsNotStopped() {
    SimulatedMember joining = new SimulatedMember("d", calls);
    SimulatedMember outside = new SimulatedMember("e", calls).has("0").outside();
    b.falls("gone");
    c.falls("away");
    Handover five = handover("http://a", List.of(a, b, c, joining, outside));
    assertThatThrownBy(() -> five.failover(Optional.of("http://a"), false))
        .hasMessage("no other member with a copy takes part in this change: http://b (gone), http://c (away); "
            + "http://a is still the primary");
    assertThat(calls).isEmpty();
    assertThat(a.role()).isEqualTo(Role.PRIMARY);
    assertThat(five.failover(Optional.of("http://a"), true).primary()).isEqualTo("http://a");
  }

  /** It may have begun to lead, and its answer was lost, so the former primary leads in a later term. */
  @Test
  void noTwoMembersAreToldToLeadInOneTerm() {
    b.isUnheard();
    assertThatThrownBy(() -> handover.failover(Optional.of("http://b"), false))
        .hasMessage("no member acknowledges the writes of http://b; http://a is the primary again");
    assertThat(a.role()).isEqualTo(Role.PRIMARY);
    assertThat(a.report().allegiance().accepted()).as("the first change had term 1").isEqualTo(2);
  }
}
