package io.rns.replication.simulation;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.rns.replication.Allegiance;
import io.rns.replication.Role;
import io.rns.replication.membership.Durability;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a group of three has to do in one situation, without chance. */
class GroupScenarioTest {
  private static final Duration BEGUN = Duration.ofSeconds(3);
  private static final Duration LONGEST_CHANGE = Duration.ofSeconds(30);

  /** In which a group goes on if all its servers are connected. */
  private static final Duration PROGRESS = Duration.ofSeconds(5);

  private static final Duration AFTERWARDS = Duration.ofMillis(300);
  private static final Duration SLOW = Duration.ofSeconds(4);
  private static final Duration BETWEEN_WRITES = Duration.ofMillis(40);

  private final VirtualTime time = new VirtualTime();
  private final List<String> notes = new ArrayList<>();

  /** A group that waits for operators, and its primary. */
  private VirtualGroup begun(Engine engine, Set<Defect> defects) {
    return begun(new GroupShape(engine, 3, false), 0, defects);
  }

  private VirtualGroup begun(GroupShape shape, int primary, Set<Defect> defects) {
    VirtualGroup group = new VirtualGroup(time, shape, defects, new SplittableRandom(1), notes::add);
    group.server(primary).failover(Optional.of(VirtualServer.urlOf(primary)), false);
    pass(BEGUN);
    assertThat(group.server(primary).role()).isEqualTo(Role.PRIMARY);
    return group;
  }

  private void pass(Duration duration) {
    time.runUntil(time.now() + duration.toNanos());
  }

  private static AtomicReference<SimulatedWriter.Answer> written(VirtualServer server, int write) {
    AtomicReference<SimulatedWriter.Answer> answer = new AtomicReference<>();
    server.write(write, answer::set);
    return answer;
  }

  /** The command said only that it does not answer. */
  @ParameterizedTest
  @EnumSource
  void whoCannotBeForgottenIsNamedWithTheReason(Engine engine) {
    VirtualGroup group = begun(engine, Set.of());
    group.server(1).kill();
    group.server(0).forget(VirtualServer.urlOf(1), false);
    pass(PROGRESS);
    assertThat(notes).last(as(STRING))
        .contains("http://s1 does not answer, and its database may still acknowledge writes")
        .contains("http://s1: connection refused");
  }

  /** It answers all the time, and no write ended until an operator replaced it. */
  @ParameterizedTest
  @EnumSource
  void aPrimaryWhoseDiskHangsIsReplaced(Engine engine) {
    VirtualGroup group = begun(new GroupShape(engine, 3, true), 0, Set.of());
    group.database(0).stallDisk();
    pass(Duration.ofSeconds(12));
    assertThat(group.servers().subList(1, 3)).filteredOn(server -> server.role() == Role.PRIMARY).hasSize(1);
    group.database(0).resumeDisk();
    pass(LONGEST_CHANGE);
    assertThat(group.server(0).role()).isEqualTo(Role.REPLICA);
  }

  /** Only after a start of its process it waits longer. A former primary did, too. */
  @ParameterizedTest
  @EnumSource
  void aFormerPrimaryReplacesAPausedOneAsSoonAsOthers(Engine engine) {
    VirtualGroup group = begun(new GroupShape(engine, 3, true), 1, Set.of());
    pass(Duration.ofSeconds(12));
    group.database(1).kill();
    group.server(0).failover(Optional.of(VirtualServer.urlOf(0)), false);
    pass(AFTERWARDS);
    group.database(1).start();
    pass(Duration.ofSeconds(9));
    assertThat(group.servers()).extracting(VirtualServer::role)
        .containsExactly(Role.PRIMARY, Role.REPLICA, Role.REPLICA);
    new InjectedFault(0, InjectedFault.Kind.PAUSE_BOTH, 0, 0, 0).begin(group);
    pass(Duration.ofSeconds(3));
    assertThat(group.servers().subList(1, 3)).as("%s", notes).filteredOn(server -> server.role() == Role.PRIMARY)
        .hasSize(1);
  }

  /** It took no answer of the primary for a sign of life, and any other member could replace that with its consent. */
  @ParameterizedTest
  @EnumSource
  void aMemberWithoutItsDatabaseHearsThePrimary(Engine engine) {
    VirtualGroup group = begun(new GroupShape(engine, 3, true), 0, Set.of());
    group.database(2).kill();
    pass(PROGRESS);
    assertThat(allegiance(group.server(2)).silentMillis()).as("from 500 ms on it would agree").isLessThan(500);
  }

  /** Its database received nothing for long, so it took a primary for isolated at once that lost its other replica. */
  @ParameterizedTest
  @EnumSource
  void aMemberWhoseDatabaseReceivesNothingReplacesNoPrimaryAtOnceThatLosesAnAcknowledgement(Engine engine) {
    VirtualGroup group = begun(new GroupShape(engine, 3, true), 0, Set.of());
    group.cut(VirtualNetwork.Kind.DATABASES, 0, 2);
    pass(PROGRESS);
    int term = allegiance(group.server(0)).promised();
    group.database(1).kill();
    pass(Duration.ofSeconds(1));
    group.database(1).start();
    pass(PROGRESS);
    assertThat(allegiance(group.server(0)).promised()).as("%s", notes).isEqualTo(term);
    assertThat(group.server(0).role()).isEqualTo(Role.PRIMARY);
  }

  /** Its replicas look connected for longer, and a write would wait until it times out. */
  @ParameterizedTest
  @EnumSource
  void anIsolatedPrimaryRefusesWritesOnceItsLeaseIsOver(Engine engine) {
    VirtualGroup group = begun(engine, Set.of());
    new InjectedFault(0, InjectedFault.Kind.ISOLATE, 0, 0, 0).begin(group);
    pass(Duration.ofSeconds(1));
    assertThat(written(group.server(0), 1)).as("it may be answered yet").hasNullValue();
    pass(Duration.ofMillis(900));
    assertThat(group.database(0).state().acknowledging()).hasValue(2);
    assertThat(written(group.server(0), 2).get()).isInstanceOf(SimulatedWriter.Answer.Refused.class);
  }

  /**
   * The primary led again in a term that the others had promised to their own change. They followed it because the
   * numbers were equal, and acknowledged writes that the primary of that change lacked.
   */
  @ParameterizedTest
  @EnumSource
  void anIsolatedPrimaryAndTheOthersDoNotLeadInOneTerm(Engine engine) {
    for (int target = 0; target < 3; target++) {
      time.reset(1);
      VirtualGroup group = begun(engine, Set.of());
      for (int other = 1; other < 3; other++) {
        group.network().cut(VirtualNetwork.Kind.SERVERS, 0, other);
      }
      pass(PROGRESS);
      group.server(0).failover(Optional.of(VirtualServer.urlOf(target)), false);
      pass(AFTERWARDS);
      group.server(1).failover(Optional.of(VirtualServer.urlOf(1)), false);
      writeUntilCutOff(group);
      assertThat(allegiance(group.server(0)).accepted()).isLessThan(allegiance(group.server(2)).cutOff());
      group.cut(VirtualNetwork.Kind.DATABASES, 0, 1);
      for (int other = 1; other < 3; other++) {
        group.network().heal(VirtualNetwork.Kind.SERVERS, 0, other);
      }
      for (int write = 1_000; write < 1_050; write++) {
        var unused = written(group.server(0), write);
        pass(BETWEEN_WRITES);
      }
      pass(PROGRESS);
      assertThat(group.servers()).filteredOn(server -> server.role() == Role.PRIMARY).hasSize(1);
    }
  }

  /**
   * It was paused, and takes a write after it has reported. Its readers saw that write, which no other member ever had.
   */
  @ParameterizedTest
  @EnumSource
  void aFormerPrimaryWithAWriteOfItsOwnDoesNotFollowInASwitchover(Engine engine) {
    VirtualGroup group = begun(engine, Set.of());
    VirtualServer former = group.server(0);
    former.process().pause();
    group.server(1).failover(Optional.of(VirtualServer.urlOf(1)), false);
    pass(PROGRESS);
    assertThat(group.server(1).role()).isEqualTo(Role.PRIMARY);
    former.process().deliver(() -> {
      former.switchover(VirtualServer.urlOf(2));
      var unused = written(former, 1);
    });
    former.process().resume();
    pass(LONGEST_CHANGE);
    assertThat(group.server(2).role()).isEqualTo(Role.PRIMARY);
    assertThat(former.role()).isEqualTo(Role.OUTSIDE);
  }

  /** Its server crashed while a commit waited for a replica. It followed with that commit, which nobody else has. */
  @ParameterizedTest
  @EnumSource
  void aRestartedPrimaryWithACommitThatWaitsDoesNotFollow(Engine engine) {
    VirtualGroup group = begun(engine, Set.of());
    for (int other = 1; other < 3; other++) {
      group.cut(VirtualNetwork.Kind.DATABASES, 0, other);
    }
    var unused = written(group.server(0), 1);
    pass(AFTERWARDS);
    assertThat(group.database(0).isWaiting()).isTrue();
    group.server(0).kill();
    group.server(1).failover(Optional.of(VirtualServer.urlOf(1)), false);
    pass(PROGRESS);
    assertThat(group.server(1).role()).isEqualTo(Role.PRIMARY);
    group.network().healAll();
    group.server(0).start();
    pass(PROGRESS);
    assertThat(group.server(0).role()).isEqualTo(Role.OUTSIDE);
  }

  /** The databases of both took writes, so neither followed the other, which needed its acknowledgement to lead. */
  @ParameterizedTest
  @EnumSource
  void restartedServersWhoseDatabasesTakeWritesFollowEachOther(Engine engine) {
    VirtualGroup group = begun(new GroupShape(engine, 2, false), 0, Set.of());
    group.server(0).kill();
    group.server(1).failover(Optional.empty(), false);
    pass(PROGRESS);
    group.server(1).kill();
    assertThat(group.database(0).isReadOnly()).isFalse();
    assertThat(group.database(1).isReadOnly()).isFalse();
    group.servers().forEach(VirtualServer::start);
    pass(PROGRESS);
    group.server(0).failover(Optional.empty(), false);
    pass(PROGRESS);
    assertThat(group.server(0).role()).isEqualTo(Role.PRIMARY);
    assertThat(group.server(1).role()).isEqualTo(Role.REPLICA);
  }

  /** The rebuild of the only other copy failed, and an empty database acknowledges nothing. */
  @ParameterizedTest
  @EnumSource
  void theLastCopyLeadsBesideOneWhoseRebuildFailed(Engine engine) {
    VirtualGroup group = begun(new GroupShape(engine, 2, false), 0, Set.of());
    group.cut(VirtualNetwork.Kind.DATABASES, 0, 1);
    group.server(1).join();
    pass(PROGRESS);
    assertThat(group.database(1).log().isEmpty()).isTrue();
    group.server(0).kill();
    group.database(0).kill();
    group.database(0).start();
    group.server(0).start();
    pass(PROGRESS);
    group.network().healAll();
    group.server(1).failover(Optional.empty(), false);
    pass(PROGRESS);
    assertThat(group.server(0).role()).isEqualTo(Role.PRIMARY);
    assertThat(group.server(1).role()).isEqualTo(Role.REPLICA);
  }

  /** It waited for two seconds, as if another member's change might be under way. */
  @ParameterizedTest
  @EnumSource
  void aFailoverThatWasRefusedBeforeAnyPromiseIsTriedAgainSoon(Engine engine) {
    Duration agreed = Duration.ofMillis(400);
    VirtualGroup group;
    do {
      // Until the other one ends after the two have agreed, and before it is asked in the failover.
      agreed = agreed.plusMillis(10);
      assertThat(agreed).isLessThan(PROGRESS);
      time.reset(1);
      group = begun(new GroupShape(engine, 3, true), 0, Set.of());
      group.server(0).kill();
      pass(agreed);
      group.server(2).kill();
      pass(Duration.ofMillis(250));
    } while (group.server(1).waiting().filter(why -> why.contains("these members cannot be asked")).isEmpty());
    group.server(2).start();
    int before = allegiance(group.server(1)).promised();
    pass(Duration.ofMillis(1_200));
    assertThat(allegiance(group.server(1)).promised()).isGreaterThan(before);
  }

  /**
   * Its database went on sending to a replica that was behind, and each arrival counted as a sign of life; then the
   * lease of the killed primary was counted from the last one.
   */
  @ParameterizedTest
  @EnumSource
  void aBacklogThatStillArrivesDelaysNoFailover(Engine engine) {
    VirtualGroup group = begun(new GroupShape(engine, 3, true), 0, Set.of());
    group.database(2).slowReceiving(Duration.ofMillis(100).toNanos());
    for (int write = 1; write <= 200; write++) {
      AtomicReference<SimulatedWriter.Answer> answer = written(group.server(0), write);
      pass(BETWEEN_WRITES);
      assertThat(answer.get()).isInstanceOf(SimulatedWriter.Answer.Done.class);
    }
    assertThat(group.database(2).log().size()).isLessThan(group.database(1).log().size() - 50);
    group.server(0).kill();
    pass(Duration.ofSeconds(1));
    assertThat(allegiance(group.server(1)).cutOff()).as("%s", notes).isPositive();
    // The next primary needs its acknowledgement.
    group.database(2).slowReceiving(0);
    pass(Duration.ofMillis(900));
    assertThat(group.server(1).role()).as("%s", notes).isEqualTo(Role.PRIMARY);
    AtomicReference<SimulatedWriter.Answer> answer = written(group.server(1), 1_000);
    pass(AFTERWARDS);
    assertThat(answer.get()).isInstanceOf(SimulatedWriter.Answer.Done.class);
  }

  /** Nobody listens at the address of the former primary, which is the last one that this replica has reached. */
  @ParameterizedTest
  @EnumSource
  void theBeatsOfANewPrimaryCountAlsoIfItsServerIsNotReached(Engine engine) {
    VirtualGroup group = begun(engine, Set.of());
    group.server(0).kill();
    pass(Duration.ofSeconds(1));
    assertThat(allegiance(group.server(2)).silentMillis()).isGreaterThan(500);
    group.server(1).failover(Optional.of(VirtualServer.urlOf(1)), false);
    long until = time.now() + PROGRESS.toNanos();
    while (!Objects.equals(group.database(2).source(), 1) && time.now() < until) {
      pass(Duration.ofMillis(1));
    }
    group.network().cut(VirtualNetwork.Kind.SERVERS, 1, 2);
    pass(PROGRESS);
    assertThat(group.server(1).role()).isEqualTo(Role.PRIMARY);
    assertThat(allegiance(group.server(2)).silentMillis()).isLessThan(500);
  }

  private static Allegiance allegiance(VirtualServer server) {
    return server.local().report().allegiance();
  }

  /** Its last write renews the lease of the primary, so its successor waits for that. */
  private void writeUntilCutOff(VirtualGroup group) {
    int write = 0;
    long until = time.now() + LONGEST_CHANGE.toNanos();
    while (allegiance(group.server(2)).cutOff() == 0 && time.now() < until) {
      var unused = written(group.server(0), ++write);
      pass(BETWEEN_WRITES);
    }
  }

  @ParameterizedTest
  @EnumSource
  void afterASwitchoverThatFailsTheOldPrimaryLeads(Engine engine) {
    assertThat(switchedOver(engine, Set.of())).isEqualTo(Role.PRIMARY);
    assertThat(switchedOver(engine, EnumSet.of(Defect.SWITCHOVER_WITHOUT_WAY_BACK))).isNotEqualTo(Role.PRIMARY);
  }

  /** The role of a primary after a switchover whose target was cut off when it stepped down. */
  private Role switchedOver(Engine engine, Set<Defect> defects) {
    time.reset(1);
    VirtualGroup group = begun(engine, defects);
    group.server(0).switchover(VirtualServer.urlOf(1));
    onStepDown(group.server(0), () -> {
      group.cut(VirtualNetwork.Kind.DATABASES, 1, 0);
      group.cut(VirtualNetwork.Kind.DATABASES, 1, 2);
    });
    long until = time.now() + LONGEST_CHANGE.toNanos();
    do {
      pass(Duration.ofSeconds(1));
    } while (group.server(0).isChanging() && time.now() < until);
    pass(PROGRESS);
    return group.server(0).role();
  }

  @ParameterizedTest
  @EnumSource
  void membersThatARestartedServerHasNotHeardOfCountInItsFailover(Engine engine) {
    assertThat(leadsWithoutAnAcknowledgedWrite(engine, Set.of())).isFalse();
    assertThat(leadsWithoutAnAcknowledgedWrite(engine, EnumSet.of(Defect.HEARD_SERVERS_COUNT))).isTrue();
  }

  /**
   * Of five members, the primary 1 and those that have acknowledged its last write, 3 and where two have to 4, are gone
   * when two others are restarted, which know each other and the primary only.
   */
  private boolean leadsWithoutAnAcknowledgedWrite(Engine engine, Set<Defect> defects) {
    time.reset(1);
    VirtualGroup group = begun(new GroupShape(engine, 5, false), 1, defects);
    for (int lagging : engine == Engine.MYSQL ? List.of(0, 2) : List.of(0, 2, 4)) {
      group.cut(VirtualNetwork.Kind.DATABASES, 1, lagging);
    }
    AtomicReference<SimulatedWriter.Answer> answer = written(group.server(1), 1);
    pass(AFTERWARDS);
    assertThat(answer.get()).isInstanceOf(SimulatedWriter.Answer.Done.class);
    group.database(1).kill();
    group.servers().forEach(VirtualServer::kill);
    group.server(0).start();
    group.server(2).start();
    pass(PROGRESS);
    group.server(0).failover(Optional.empty(), false);
    try {
      pass(LONGEST_CHANGE);
      return false;
    } catch (InvariantViolated e) {
      assertThat(e).hasMessageContaining("lacks acknowledged or seen writes {1}");
      return true;
    }
  }

  /** On MySQL two replicas acknowledge each write, so one of those left has all of them. */
  @ParameterizedTest
  @EnumSource
  void aGroupOfFiveGoesOnWithoutTwoWhereTwoAcknowledge(Engine engine) {
    VirtualGroup group = begun(new GroupShape(engine, 5, true), 0, Set.of());
    List<AtomicReference<SimulatedWriter.Answer>> answers = new ArrayList<>();
    for (int write = 1; write <= 20; write++) {
      answers.add(written(group.server(0), write));
      pass(BETWEEN_WRITES);
    }
    assertThat(answers).allMatch(answer -> answer.get() instanceof SimulatedWriter.Answer.Done);
    for (int number : List.of(0, 1)) {
      group.server(number).kill();
      group.database(number).kill();
    }
    pass(LONGEST_CHANGE);
    List<VirtualServer> primaries =
        group.servers().stream().filter(server -> server.role() == Role.PRIMARY).toList();
    assertThat(primaries).hasSize(engine == Engine.MYSQL ? 1 : 0);
    for (VirtualServer primary : primaries) {
      AtomicReference<SimulatedWriter.Answer> answer = written(primary, 21);
      pass(AFTERWARDS);
      assertThat(answer.get()).isInstanceOf(SimulatedWriter.Answer.Done.class);
    }
  }

  /** Its relay log had the only copy of a write beside that of the primary, and it followed that again. */
  @ParameterizedTest
  @EnumSource
  void aRefusedFailoverDropsNothingThatWasReceived(Engine engine) {
    assertThat(losesAWriteByARefusedFailover(engine, Set.of())).isFalse();
    assertThat(losesAWriteByARefusedFailover(engine, EnumSet.of(Defect.SAME_SOURCE_FETCHED_AGAIN))).isTrue();
  }

  /** The primary is lost; its last write is in the relay log of member 1 only. */
  private VirtualGroup withoutPrimaryAfterAWriteThatOneReceived(Engine engine, Set<Defect> defects) {
    time.reset(1);
    VirtualGroup group = begun(engine, defects);
    group.cut(VirtualNetwork.Kind.DATABASES, 0, 2);
    group.database(1).slowDown(SLOW.toNanos());
    AtomicReference<SimulatedWriter.Answer> answer = written(group.server(0), 1);
    pass(AFTERWARDS);
    assertThat(answer.get()).isInstanceOf(SimulatedWriter.Answer.Done.class);
    kill(group, 0);
    return group;
  }

  private boolean losesAWriteByARefusedFailover(Engine engine, Set<Defect> defects) {
    VirtualGroup group = withoutPrimaryAfterAWriteThatOneReceived(engine, defects);
    group.server(1).failover(Optional.of(VirtualServer.urlOf(2)), false);
    pass(AFTERWARDS);
    assertThat(notes).last(as(STRING)).contains("each of these has transactions that others lack");
    return failsOverWithout(1, group, 1);
  }

  /** It was in the relay log of one member, and another one led without it. */
  @ParameterizedTest
  @EnumSource
  void whatOnlyOneMemberHasReceivedIsNotLost(Engine engine) {
    assertThat(losesWhatWasReceived(engine, Set.of())).isFalse();
    assertThat(losesWhatWasReceived(engine, EnumSet.of(Defect.RECEIVED_NOT_REPORTED))).isTrue();
  }

  private boolean losesWhatWasReceived(Engine engine, Set<Defect> defects) {
    VirtualGroup group = withoutPrimaryAfterAWriteThatOneReceived(engine, defects);
    return failsOverWithout(1, group, 2);
  }

  /** The primary and the next one are lost, and with them all copies of a write but those in two relay logs. */
  @Test
  void whereTwoAcknowledgeNoneOfTheirCopiesIsDropped() {
    assertThat(losesAWriteOfTwo(Set.of())).isFalse();
    assertThat(losesAWriteOfTwo(EnumSet.of(Defect.OTHER_SOURCE_FETCHED_AGAIN))).isTrue();
  }

  private boolean losesAWriteOfTwo(Set<Defect> defects) {
    time.reset(1);
    VirtualGroup group = begun(new GroupShape(Engine.MYSQL, 5, false), 0, defects);
    group.cut(VirtualNetwork.Kind.DATABASES, 0, 4);
    for (int slow = 1; slow < 3; slow++) {
      group.database(slow).slowDown(SLOW.toNanos());
    }
    AtomicReference<SimulatedWriter.Answer> answer = written(group.server(0), 1);
    pass(AFTERWARDS);
    assertThat(answer.get()).isInstanceOf(SimulatedWriter.Answer.Done.class);
    kill(group, 0);
    for (int other : List.of(1, 2, 4)) {
      group.cut(VirtualNetwork.Kind.DATABASES, 3, other);
    }
    group.server(3).failover(Optional.of(VirtualServer.urlOf(3)), false);
    pass(Duration.ofSeconds(2));
    kill(group, 3);
    return failsOverWithout(1, group, 1);
  }

  /**
   * Its source had lost the only write that it alone has beside that, and could not send the rest, which it had purged.
   */
  @Test
  void aMemberThatWasAwayIsRebuiltIfItsSourceWas() {
    VirtualGroup group = withARebuiltPrimary(Set.of());
    start(group, 1);
    pass(PROGRESS);
    assertThat(group.server(1).role()).as("%s", notes).isEqualTo(Role.REPLICA);
    assertThat(group.database(1).log().purged()).isPositive();
    assertThat(Objects.requireNonNull(group.server(1).copy()).writes().get(1)).isFalse();
  }

  /** The primary of a group of five has lost a write when it was rebuilt; member 1, which is away, has that. */
  private VirtualGroup withARebuiltPrimary(Set<Defect> defects) {
    time.reset(1);
    VirtualGroup group = begun(new GroupShape(Engine.MYSQL, 5, true), 0, defects);
    for (int other = 2; other < 5; other++) {
      group.cut(VirtualNetwork.Kind.DATABASES, 0, other);
    }
    AtomicReference<SimulatedWriter.Answer> answer = written(group.server(0), 1);
    pass(AFTERWARDS);
    assertThat(answer).as("one of two replicas has it").hasNullValue();
    kill(group, 0);
    kill(group, 1);
    group.network().healAll();
    pass(LONGEST_CHANGE);
    start(group, 0);
    pass(LONGEST_CHANGE);
    assertThat(group.database(0).log().purged()).as("%s", notes).isPositive();
    group.server(0).switchover(VirtualServer.urlOf(0));
    pass(PROGRESS);
    assertThat(group.server(0).role()).as("%s", notes).isEqualTo(Role.PRIMARY);
    return group;
  }

  /**
   * It gave the number of a write that it had lost to the begin of its next epoch. The only other one with the write
   * then passed for having that, and showed the write.
   */
  @Test
  void aRebuiltPrimaryDoesNotGiveTheNumbersAgainOfWhatItHasLost() {
    assertThat(followsWithALostWrite(Set.of())).isFalse();
    assertThat(followsWithALostWrite(EnumSet.of(Defect.NUMBERS_GIVEN_AGAIN))).isTrue();
  }

  private boolean followsWithALostWrite(Set<Defect> defects) {
    VirtualGroup group = withARebuiltPrimary(defects);
    // This one has purged nothing, and would send all that the member seems to lack.
    group.server(0).switchover(VirtualServer.urlOf(2));
    pass(PROGRESS);
    assertThat(group.server(2).role()).as("%s", notes).isEqualTo(Role.PRIMARY);
    start(group, 1);
    try {
      pass(LONGEST_CHANGE);
    } catch (InvariantViolated e) {
      return true;
    }
    return group.server(1).role() == Role.REPLICA
        && Objects.requireNonNull(group.server(1).copy()).writes().get(1);
  }

  /** Why a server does not know of the last primary. */
  enum Away {
    STOPPED,
    /** It still has reports of before, of members that it does not hear any more. */
    PAUSED,
    /** Its database has received the last write, not applied it, and was restarted. */
    BEHIND
  }

  /**
   * It had acknowledged a write of a primary of which its server did not know, since that was away. When it heard only
   * the primary before, it took the write for one that nobody was told of.
   */
  @ParameterizedTest
  @EnumSource
  void aMemberThatHearsOnlyAFormerPrimaryKeepsWhatItHas(Away away) {
    time.reset(1);
    VirtualGroup group = begun(new GroupShape(Engine.MYSQL, 5, true), 0, Set.of());
    if (away == Away.PAUSED) {
      group.server(4).process().pause();
    } else {
      group.server(4).kill();
    }
    group.server(0).switchover(VirtualServer.urlOf(1));
    pass(PROGRESS);
    assertThat(group.server(1).role()).as("%s", notes).isEqualTo(Role.PRIMARY);
    cutOff(group, 1, List.of(0, 2, 3));
    if (away == Away.BEHIND) {
      group.database(4).slowDown(LONGEST_CHANGE.toNanos());
    }
    group.server(0).failover(Optional.of(VirtualServer.urlOf(0)), false);
    pass(PROGRESS);
    assertThat(group.server(0).role()).as("%s", notes).isEqualTo(Role.PRIMARY);
    group.cut(VirtualNetwork.Kind.DATABASES, 0, 3);
    AtomicReference<SimulatedWriter.Answer> answer = written(group.server(0), 1);
    pass(AFTERWARDS);
    assertThat(answer.get()).isInstanceOf(SimulatedWriter.Answer.Done.class);
    SimulatedTransaction write =
        IntStream.range(0, group.database(0).log().size()).mapToObj(group.database(0).log()::get)
            .filter(SimulatedTransaction::isWrite).findFirst().orElseThrow();
    cutOff(group, 4, List.of(0, 2, 3));
    if (away == Away.BEHIND) {
      group.database(4).kill();
      group.database(4).start();
      group.database(4).slowDown(0);
    }
    group.server(4).start();
    group.server(4).process().resume();
    pass(PROGRESS);
    kill(group, 0);
    kill(group, 2);
    group.network().healAll();
    group.server(4).failover(Optional.empty(), false);
    pass(LONGEST_CHANGE);
    assertThat(group.database(4).hasReceived(write)).as("%s", notes).isTrue();
  }

  private static void cutOff(VirtualGroup group, int one, List<Integer> others) {
    for (VirtualNetwork.Kind kind : VirtualNetwork.Kind.values()) {
      others.forEach(other -> group.cut(kind, one, other));
    }
  }

  /** Its server was away while two others led in turn, and it was left out for that. */
  @ParameterizedTest
  @EnumSource
  void aWriteThatADatabaseAcknowledgedWithoutItsServerIsNotLost(Engine engine) {
    VirtualGroup group = begun(new GroupShape(engine, 4, false), 0, Set.of());
    group.server(3).kill();
    for (int next : List.of(1, 0)) {
      group.server(2).switchover(VirtualServer.urlOf(next));
      pass(PROGRESS);
      assertThat(group.server(next).role()).as("%s", notes).isEqualTo(Role.PRIMARY);
    }
    group.cut(VirtualNetwork.Kind.DATABASES, 0, 1);
    group.cut(VirtualNetwork.Kind.DATABASES, 0, 2);
    AtomicReference<SimulatedWriter.Answer> answer = written(group.server(0), 1);
    pass(AFTERWARDS);
    assertThat(answer.get()).isInstanceOf(SimulatedWriter.Answer.Done.class);
    kill(group, 0);
    group.server(3).start();
    assertThat(failsOverWithout(1, group, 1)).as("%s", notes).isFalse();
  }

  /** It was left behind with the write that it alone had answered, as if a replica had to have that. */
  @ParameterizedTest
  @EnumSource
  void withLocalDurabilityAFailoverNeedsAllMembersOrThatThePrimaryStepsDown(Engine engine) {
    VirtualGroup group = begun(new GroupShape(engine, 3, false, Durability.LOCAL), 0, Set.of());
    for (int other = 1; other < 3; other++) {
      group.cut(VirtualNetwork.Kind.DATABASES, 0, other);
    }
    AtomicReference<SimulatedWriter.Answer> answer = written(group.server(0), 1);
    pass(AFTERWARDS);
    assertThat(answer.get()).isInstanceOf(SimulatedWriter.Answer.Done.class);
    kill(group, 0);
    group.server(1).failover(Optional.empty(), false);
    pass(PROGRESS);
    assertThat(notes).last(as(STRING)).contains("http://s0", "only they may have an acknowledged write");
    group.network().healAll();
    start(group, 0);
    pass(PROGRESS);
    group.server(0).failover(Optional.empty(), false);
    pass(PROGRESS);
    assertThat(group.server(0).role()).as("%s", notes).isEqualTo(Role.PRIMARY);
    kill(group, 2);
    group.server(1).failover(Optional.of(VirtualServer.urlOf(1)), false);
    pass(PROGRESS);
    assertThat(group.server(1).role()).as("%s", notes).isEqualTo(Role.PRIMARY);
    assertThat(Objects.requireNonNull(group.server(1).copy()).writes().get(1)).isTrue();
  }

  /** With two of four members away it needed one for its writes, and waited for two before it led again. */
  @ParameterizedTest
  @EnumSource
  void afterARefusedFailoverThePrimaryNeedsNoMoreAcknowledgementsThanBefore(Engine engine) {
    VirtualGroup group = begun(new GroupShape(engine, 4, false), 0, Set.of());
    kill(group, 3);
    group.cut(VirtualNetwork.Kind.DATABASES, 0, 1);
    pass(PROGRESS);
    AtomicReference<SimulatedWriter.Answer> before = written(group.server(0), 1);
    pass(AFTERWARDS);
    assertThat(before.get()).isInstanceOf(SimulatedWriter.Answer.Done.class);
    group.server(1).failover(Optional.of(VirtualServer.urlOf(1)), false);
    pass(PROGRESS);
    assertThat(notes).last(as(STRING)).contains("http://s1 lacks transactions");
    assertThat(group.server(0).role()).isEqualTo(Role.PRIMARY);
    AtomicReference<SimulatedWriter.Answer> after = written(group.server(0), 2);
    pass(AFTERWARDS);
    assertThat(after.get()).isInstanceOf(SimulatedWriter.Answer.Done.class);
  }

  /** The target waited for two acknowledgements to begin its epoch, and the former primary could not lead again. */
  @ParameterizedTest
  @EnumSource
  void aSwitchoverNeedsNoMoreAcknowledgementsThanWritesDo(Engine engine) {
    VirtualGroup group = begun(new GroupShape(engine, 4, false), 0, Set.of());
    kill(group, 2);
    kill(group, 3);
    pass(PROGRESS);
    group.server(0).switchover(VirtualServer.urlOf(1));
    pass(PROGRESS);
    assertThat(group.server(1).role()).isEqualTo(Role.PRIMARY);
    AtomicReference<SimulatedWriter.Answer> after = written(group.server(1), 1);
    pass(AFTERWARDS);
    assertThat(after.get()).isInstanceOf(SimulatedWriter.Answer.Done.class);
  }

  private static void start(VirtualGroup group, int number) {
    group.database(number).start();
    group.server(number).start();
  }

  private static void kill(VirtualGroup group, int number) {
    group.server(number).kill();
    group.database(number).kill();
  }

  /** Whether a failover of the members that are left makes one of them the primary that lacks a write. */
  private boolean failsOverWithout(int write, VirtualGroup group, int server) {
    group.server(server).failover(Optional.empty(), false);
    try {
      pass(LONGEST_CHANGE);
    } catch (InvariantViolated e) {
      assertThat(e).hasMessageContaining("lacks acknowledged or seen writes {" + write + "}");
      return true;
    }
    assertThat(group.servers()).as("%s", notes).filteredOn(each -> each.role() == Role.PRIMARY).hasSize(1);
    return false;
  }

  private void onStepDown(VirtualServer server, Runnable action) {
    time.after(1_000_000, () -> {
      if (server.role() == Role.PRIMARY) {
        onStepDown(server, action);
      } else {
        action.run();
      }
    });
  }
}
