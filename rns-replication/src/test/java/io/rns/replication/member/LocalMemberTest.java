package io.rns.replication.member;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.replication.CurrentRole;
import io.rns.replication.GroupMember;
import io.rns.replication.RoleState;
import io.rns.replication.Term;
import io.rns.replication.Timing;
import io.rns.replication.Topology;
import io.rns.replication.membership.Durability;
import io.rns.replication.membership.MemberPromise;
import io.rns.replication.membership.MemberState;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LocalMemberTest {
  private static final String HERE = "http://a/rns";
  private static final GroupSettings SETTINGS =
      new GroupSettings(
          Topology.SOURCE_REPLICA, "a", HERE, List.of(), "secret", "a:3306", "control", "control",
          Durability.REPLICATED, true);

  private final HangingDatabase database = new HangingDatabase();
  private final LocalMember<MemberCopy> member =
      new LocalMember<>(
          SETTINGS, () -> {}, () -> database, LocalMemberTest::noCopy, new CurrentRole(RoleState.starting("")),
          new OtherMembers(HERE, List.of("http://b/rns", "http://c/rns"), LocalMemberTest::reach, Timing.system()),
          Duration.ofMillis(1_500), Timing.system());

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

  /** After a failover that came to nothing, it vouched for what only the primary had. */
  @Test
  void aMemberThatFollowsAgainAndFetchesAgainWhatItCouldNotApplyVouchesForThatNoMore() {
    database.restart();
    database.promise(MemberPromise.NONE.vouching(database.state().run()));
    database.getStuck("b:3306", 20);
    Term term = new Term(1, "http://b/rns");
    member.follow("c:3306", "http://c/rns", 1, term);
    assertThat(database.promise().vouchedRun()).isEqualTo(database.state().run());
    member.follow("b:3306", "http://b/rns", 1, term);
    assertThat(database.promise().vouchedRun()).isEqualTo(MemberState.UNKNOWN_RUN);
  }
}
