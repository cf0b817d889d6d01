package io.rns.replication.membership;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.Position;
import io.rns.replication.Allegiance;
import io.rns.replication.DatabaseReport;
import io.rns.replication.Lag;
import io.rns.replication.MemberReport;
import io.rns.replication.Role;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** When a member of a, b and c, here b, begins a failover. */
class CandidacyTest {
  private static final Duration ZERO = Duration.ZERO;
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final String HERE = "http://b/rns";

  private final Candidacy candidacy = new Candidacy(true);

  private static MemberState state(boolean receiving) {
    return new MemberState(
        false, Optional.of("a:3306"), receiving, true, "0-1-9", "0-1-9", OptionalInt.empty(), Optional.empty(), 1);
  }

  private static MemberReport other(String name, Role role, boolean receiving, int acknowledging, long silentMillis) {
    DatabaseReport database = new DatabaseReport(
        name + ":3306", role == Role.PRIMARY, Optional.empty(), receiving, true, "0-1-9", OptionalInt.of(acknowledging),
        Optional.empty());
    return new MemberReport(
        name, "http://" + name + "/rns", role, Optional.of(new Position(1, 3, 7)), Lag.NONE, 0, "",
        Optional.of(database), List.of()).with(new Allegiance(1, 1, 0, 0, 0, 0, true, silentMillis, 0));
  }

  private static MembershipView view(Role role, int known, Duration leaderless, MemberReport... others) {
    List<MemberReport> all = List.of(others);
    return new MembershipView(
        HERE, role, state(false), 3, false, true, 1, false, MemberReport.primary(all), all, known, known, 1, leaderless,
        false);
  }

  private boolean begins(MembershipView view) {
    return begins(view, false, ZERO, ZERO, ZERO);
  }

  private boolean begins(
      MembershipView view, boolean refuses, Duration isolatedFor, Duration cutOffFor, Duration changingFor) {
    return candidacy.reason(situation(view, refuses, isolatedFor, cutOffFor, changingFor)).isPresent();
  }

  private static Candidacy.Situation situation(
      MembershipView view, boolean refuses, Duration isolatedFor, Duration cutOffFor, Duration changingFor) {
    return new Candidacy.Situation(view, Candidacy.BEGINNING, refuses, isolatedFor, cutOffFor, changingFor);
  }

  private static final MemberReport C = other("c", Role.REPLICA, false, 0, 600);

  @Test
  void whereTwoReplicasAcknowledgeTwoMembersMayBeAway() {
    MemberReport d = other("d", Role.REPLICA, false, 0, 600);
    MembershipView seen = view(Role.REPLICA, 5, Duration.ofSeconds(10), C, d);
    MembershipView two = new MembershipView(
        HERE, seen.role(), seen.state(), seen.epoch(), false, true, seen.accepted(), false, Optional.empty(),
        seen.others(), 5, 5, 2, seen.leaderless(), false);
    assertThat(begins(seen)).as("one acknowledges").isFalse();
    assertThat(candidacy.waits(seen)).contains("of 5 members 3 answer and miss the primary, and 4 have to");
    assertThat(begins(two)).isTrue();
    assertThat(candidacy.first(List.of(C, d), 4, 1)).isEmpty();
    assertThat(candidacy.first(List.of(C, d), 4, 2)).contains(C);
  }

  @Test
  void theReplicaWithTheLowestAddressWouldBeginFirst() {
    MemberReport primary = other("a", Role.PRIMARY, false, 2, 0);
    List<MemberReport> all = List.of(other("d", Role.REPLICA, true, 0, 0), C, primary);
    assertThat(candidacy.first(all, 3, 1)).contains(C);
    assertThat(candidacy.first(all, 2, 1)).as("too few to agree").isEmpty();
    assertThat(candidacy.first(all, 4, 1)).as("without the primary two of four would be left").isEmpty();
    assertThat(candidacy.first(List.of(C, primary), 3, 1)).as("a replica is gone").isEmpty();
    assertThat(candidacy.first(List.of(C, other("d", Role.REPLICA, true, 0, 0)), 3, 1)).as("the primary is gone")
        .contains(C);
    assertThat(new Candidacy(false).first(all, 3, 1)).as("an operator decides").isEmpty();
    assertThat(candidacy.first(List.of(primary), 3, 1)).isEmpty();
    MemberReport doubtful =
        other("d", Role.REPLICA, true, 0, 0).with(new Allegiance(1, 1, 0, 0, 0, 0, false, 0, 0));
    assertThat(candidacy.first(List.of(C, doubtful, primary), 3, 1)).as("its failover would be refused").isEmpty();
  }

  @Test
  void aReplicaBeginsWhenNoPrimaryIsHeardAndAnotherOneAgrees() {
    assertThat(begins(view(Role.REPLICA, 3, Candidacy.SILENCE, C))).isTrue();
    assertThat(begins(view(Role.REPLICA, 3, Candidacy.SILENCE.minusMillis(1), C))).isFalse();
    assertThat(begins(view(Role.REPLICA, 3, LONG))).as("alone").isFalse();
    assertThat(begins(view(Role.REPLICA, 3, LONG, other("c", Role.REPLICA, true, 0, 100))))
        .as("the other one hears a primary").isFalse();
    assertThat(begins(view(Role.REPLICA, 4, LONG, C))).as("one of two others").isFalse();
  }

  @Test
  void aReplicaSaysThatTooFewOthersMissThePrimary() {
    assertThat(candidacy.waits(view(Role.REPLICA, 3, LONG)))
        .contains("of 3 members 1 answer and miss the primary, and 2 have to");
    assertThat(candidacy.waits(view(Role.REPLICA, 3, Candidacy.SILENCE.minusMillis(1)))).isEmpty();
    assertThat(candidacy.waits(view(Role.REPLICA, 3, LONG, C))).as("begins one").isEmpty();
    assertThat(candidacy.waits(view(Role.OUTSIDE, 3, LONG))).isEmpty();
    assertThat(new Candidacy(false).waits(view(Role.REPLICA, 3, LONG))).as("an operator decides").isEmpty();
  }

  @Test
  void soonerIfNobodyListensAtThePrimarysAddress() {
    assertThat(begins(view(Role.REPLICA, 3, Candidacy.SILENCE_OF_DEAD, C), true, ZERO, ZERO, ZERO)).isTrue();
  }

  /** 4 s after the start of a group, its members replaced a primary whose code was still being compiled. */
  @Test
  void aMemberThatHasJustBegunToFollowWaitsLonger() {
    Duration young = Candidacy.BEGINNING.minusMillis(1);
    assertThat(begins(young, view(Role.REPLICA, 3, Candidacy.SILENCE, C), false)).isFalse();
    assertThat(begins(young, view(Role.REPLICA, 3, Candidacy.SILENCE_AT_FIRST.minusMillis(1), C), false)).isFalse();
    assertThat(begins(young, view(Role.REPLICA, 3, Candidacy.SILENCE_AT_FIRST, C), false)).isTrue();
    assertThat(begins(young, view(Role.REPLICA, 3, Candidacy.SILENCE_OF_DEAD, C), true)).as("a process has ended")
        .isTrue();
    MemberReport crashed = withoutDatabase(other("a", Role.PRIMARY, false, 0, 0));
    assertThat(begins(young, view(Role.REPLICA, 3, Candidacy.SILENCE, C, crashed), false))
        .as("the primary says that its database does not answer").isTrue();
  }

  private boolean begins(Duration servedFor, MembershipView view, boolean refuses) {
    return candidacy.reason(new Candidacy.Situation(view, servedFor, refuses, ZERO, ZERO, ZERO)).isPresent();
  }

  private static MemberReport withoutDatabase(MemberReport report) {
    return new MemberReport(
        report.name(), report.url(), report.role(), report.position(), report.lag(), 0, "no database",
        Optional.empty(), List.of()).with(report.allegiance());
  }

  @Test
  void thoseWithLowerAddressesGoFirst() {
    MemberReport a = other("a", Role.REPLICA, false, 0, 600);
    assertThat(begins(view(Role.REPLICA, 3, Candidacy.SILENCE, a))).isFalse();
    assertThat(begins(view(Role.REPLICA, 3, Candidacy.SILENCE.plus(Candidacy.BETWEEN_CANDIDATES), a))).isTrue();
  }

  @Test
  void whoIsNoReplicaOrHasTheOrderOfAnOperatorDoesNot() {
    for (Role role : List.of(Role.PRIMARY, Role.OUTSIDE)) {
      assertThat(begins(view(role, 3, LONG, C))).as("%s", role).isFalse();
    }
    assertThat(begins(view(Role.REPLICA, 2, LONG, C))).as("in a group of two").isFalse();
    assertThat(
        new Candidacy(false).reason(
            situation(view(Role.REPLICA, 3, LONG, C), true, LONG, ZERO, ZERO)))
        .isEmpty();
  }

  @Test
  void aChangeUnderWayIsLeftAloneForAWhile() {
    MembershipView silent = view(Role.REPLICA, 3, LONG, C);
    assertThat(begins(silent, false, ZERO, ZERO, Candidacy.OTHERS_CHANGE.minusMillis(1))).isFalse();
    assertThat(begins(silent, false, ZERO, ZERO, Candidacy.OTHERS_CHANGE)).isTrue();
  }

  /** Its operator's program was killed: without this, the members that it cut off would wait for ever. */
  @Test
  void anUnfinishedChangeIsEndedEvenIfFailoverIsManual() {
    MembershipView silent = view(Role.REPLICA, 2, ZERO, C);
    for (Candidacy each : List.of(candidacy, new Candidacy(false))) {
      assertThat(each.reason(situation(silent, false, ZERO, Candidacy.UNFINISHED, ZERO))).isPresent();
      assertThat(
          each.reason(situation(silent, false, ZERO, Candidacy.UNFINISHED.minusMillis(1), ZERO)))
          .isEmpty();
    }
  }

  @Test
  void aPrimaryThatNobodyHearsIsReplacedThoughItAnswers() {
    MemberReport isolated = other("a", Role.PRIMARY, false, 0, 0);
    MemberReport heard = other("a", Role.PRIMARY, false, 1, 0);
    MemberReport following = other("c", Role.REPLICA, true, 0, 0);
    Duration bound = Candidacy.ISOLATION;
    assertThat(begins(view(Role.REPLICA, 3, ZERO, isolated, C), false, bound, ZERO, ZERO)).isTrue();
    assertThat(begins(view(Role.REPLICA, 3, ZERO, isolated, C), false, bound.minusMillis(1), ZERO, ZERO)).isFalse();
    assertThat(begins(view(Role.REPLICA, 3, ZERO, heard, C), false, bound, ZERO, ZERO)).isFalse();
    assertThat(begins(view(Role.REPLICA, 3, ZERO, isolated, following), false, bound, ZERO, ZERO)).isFalse();
    assertThat(begins(view(Role.REPLICA, 3, ZERO, isolated), false, bound, ZERO, ZERO)).as("c is gone").isFalse();
  }
}
