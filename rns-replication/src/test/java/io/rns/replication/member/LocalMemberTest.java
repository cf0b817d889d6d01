package io.rns.replication.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.replication.Allegiance;
import io.rns.replication.CurrentRole;
import io.rns.replication.DatabaseReport;
import io.rns.replication.GroupMember;
import io.rns.replication.Lag;
import io.rns.replication.MemberReport;
import io.rns.replication.Role;
import io.rns.replication.RoleState;
import io.rns.replication.Term;
import io.rns.replication.Timing;
import io.rns.replication.Topology;
import io.rns.replication.membership.Durability;
import io.rns.replication.membership.MemberPromise;
import io.rns.replication.membership.MemberState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LocalMemberTest {
  private static final String HERE = "http://a/rns";
  private static final GroupSettings SETTINGS =
      new GroupSettings(
          Topology.SOURCE_REPLICA, "a", HERE, List.of(), "secret", "a:3306", "control", "control",
          Durability.REPLICATED, true);

  private final HangingDatabase database = new HangingDatabase();
  private final LocalMember<MemberCopy> member = beside(database);

  private static LocalMember<MemberCopy> beside(HangingDatabase database) {
    return new LocalMember<>(
        SETTINGS, () -> {}, () -> database, LocalMemberTest::noCopy, new CurrentRole(RoleState.starting("")),
        new OtherMembers(HERE, List.of("http://b/rns", "http://c/rns"), LocalMemberTest::reach, Timing.system()),
        Duration.ofMillis(1_500), Timing.system());
  }

  private static MemberCopy noCopy() {
    throw new RnsException(RnsError.UNAVAILABLE, "there is none");
  }

  private static GroupMember reach(String url) {
    throw new RnsException(RnsError.UNAVAILABLE, url + " is not reached here");
  }

  @AfterEach
  void close() {
    database.release();
    member.close();
  }

  /** It saw no primary, was busy until another one led, and replaced that by what it had seen before. */
  @Test
  void aMemberThatIsBusyDecidesNothingByWhatItSawBefore() throws InterruptedException {
    member.settle(List.of(), LocalMemberTest::reach);
    assertThat(member.view()).isNotNull();
    database.hang();
    Thread change = Thread.startVirtualThread(() -> {
      var unused = member.stopReceiving(new Term(1, "http://b/rns"));
    });
    database.awaitCaller();
    member.settle(List.of(), LocalMemberTest::reach);
    assertThat(member.view()).isNull();
    database.release();
    change.join();
    member.settle(List.of(), LocalMemberTest::reach);
    assertThat(member.view()).isNotNull();
  }

  /**
   * Its database answered only some time after its server had started. It followed a primary that a change had
   * replaced, or took itself for one outside of the group.
   */
  @Test
  void aMemberThatLearnsLateWhatItHasPromisedFollowsNoEarlierPrimary() {
    database.promise(MemberPromise.NONE.following(2).cutOff(3));
    DatabaseReport its =
        new DatabaseReport(
            "b:3306", true, Optional.empty(), false, true, HangingDatabase.upTo(9), OptionalInt.of(1),
            Optional.empty());
    MemberReport former =
        new MemberReport(
            "b", "http://b/rns", Role.PRIMARY, Optional.empty(), Lag.NONE, 0, "", Optional.of(its), List.of())
            .with(new Allegiance(1, 1, 0, 1, 1, 0, true, 0, 0));
    try (LocalMember<MemberCopy> other = beside(new HangingDatabase())) {
      member.settle(List.of(new Heard(former, System.nanoTime())), url -> other);
    }
    assertThat(database.promise().cutOff()).isEqualTo(3);
    assertThat(member.report().role()).isEqualTo(Role.STARTING);
  }

  /** It followed with a write that its database had ended after its report. */
  @Test
  void aMemberFollowsOnlyInAChangeThatHasItsReport() {
    Term term = new Term(1, "http://b/rns");
    assertThatThrownBy(() -> member.follow("c:3306", "http://c/rns", 1, term))
        .hasMessage("http://a/rns follows once its database takes no writes and it is known what that has");
    assertThat(database.promise().accepted()).isZero();
    var unused = member.promise(term);
    member.follow("c:3306", "http://c/rns", 1, term);
    assertThat(database.promise().accepted()).isEqualTo(1);
  }

  /** A change that was refused had it follow its former source again, and acknowledge what a former primary wrote. */
  @Test
  void aMemberWhoseDatabaseDoesNotFollowYetIsCutOff() {
    Term term = new Term(1, "http://b/rns");
    var unused = member.promise(term);
    database.fail("it does not answer");
    assertThatThrownBy(() -> member.follow("c:3306", "http://c/rns", 1, term)).hasMessage("it does not answer");
    assertThat(database.promise().accepted()).isEqualTo(1);
    assertThat(database.promise().cutOff()).isEqualTo(1);
  }

  /** After a failover that came to nothing, it vouched for what only the primary had. */
  @Test
  void aMemberThatFollowsAgainAndFetchesAgainWhatItCouldNotApplyVouchesForThatNoMore() {
    database.restart();
    database.promise(MemberPromise.NONE.vouching(database.state().run()));
    database.getStuck("b:3306", 20);
    Term term = new Term(1, "http://b/rns");
    var unused = member.stopReceiving(term);
    member.follow("c:3306", "http://c/rns", 1, term);
    assertThat(database.promise().vouchedRun()).isEqualTo(database.state().run());
    member.follow("b:3306", "http://b/rns", 1, term);
    assertThat(database.promise().vouchedRun()).isEqualTo(MemberState.UNKNOWN_RUN);
  }
}
