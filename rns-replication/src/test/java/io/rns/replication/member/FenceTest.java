package io.rns.replication.member;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.replication.Allegiance;
import io.rns.replication.DatabaseReport;
import io.rns.replication.Lag;
import io.rns.replication.MemberList;
import io.rns.replication.MemberReport;
import io.rns.replication.Offer;
import io.rns.replication.PromotionTerms;
import io.rns.replication.Role;
import io.rns.replication.Term;
import io.rns.replication.Timing;
import io.rns.replication.Topology;
import io.rns.replication.membership.Durability;
import io.rns.replication.membership.MemberPromise;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class FenceTest {
  private static final Duration LOOK = Timing.onOtherClocks(ControlledDatabase.LOOK);

  private final HangingDatabase database = new HangingDatabase();
  private final ControlledDatabase beside = new ControlledDatabase(() -> database, "a:3306", Timing.system());
  private final Fence fence = new Fence(settings(Durability.REPLICATED), beside, Timing.system());

  private static GroupSettings settings(Durability durability) {
    return new GroupSettings(
        Topology.SOURCE_REPLICA, "a", "http://a/rns", List.of(), "secret", "a:3306", "control", "control", durability,
        true);
  }

  /** With writes all the time it was always a moment behind, so the next loss stopped writes for half a minute. */
  @Test
  void aRestartedReplicaVouchesOnceItHasWhatThePrimaryHadAtItsReturn() {
    database.restart();
    hear(1, 20);
    assertThat(vouches()).isFalse();
    database.apply(20);
    hear(1, 30);
    assertThat(vouches()).isTrue();
    database.restart();
    hear(1, 40);
    assertThat(vouches()).as("once for each restart").isFalse();
  }

  @Test
  void ofAFormerPrimaryItNeedsNothingThatTheNextOneLacks() {
    database.restart();
    hear(1, 20);
    database.apply(15);
    hear(2, 15);
    assertThat(vouches()).isTrue();
  }

  @Test
  void whatWasAskedBeforeTheRestartProvesNothing() {
    long before = System.nanoTime();
    database.restart();
    hear(1, 5, before);
    assertThat(vouches()).isFalse();
  }

  /** A report may be of a look at the database that others asked for before. */
  @Test
  void whatThePrimaryMayHaveLookedAtBeforeTheRestartProvesNothing() {
    database.restart();
    hear(1, 5, System.nanoTime() + LOOK.toNanos());
    assertThat(vouches()).isFalse();
  }

  /** What it had acknowledged was nowhere but at the primary for a moment, and it vouched for that. */
  @Test
  void aReplicaThatDropsWhatItHasReceivedVouchesOnceItHasCaughtUp() {
    database.restart();
    database.apply(20);
    hear(1, 20);
    assertThat(vouches()).isTrue();
    AtomicLong during = new AtomicLong();
    fence.dropReceived(() -> {
      during.set(System.nanoTime());
      assertThat(vouches()).isFalse();
      while (System.nanoTime() == during.get()) {
        Thread.onSpinWait();
      }
    });
    assertThat(vouches()).isFalse();
    hear(1, 20, during.get() + LOOK.toNanos() + 1);
    assertThat(vouches()).as("it still acknowledged what it was to drop").isFalse();
    hear(1, 30);
    assertThat(vouches()).isFalse();
    database.apply(30);
    hear(1, 40);
    assertThat(vouches()).isTrue();
  }

  /** Whatever comes of it: it may crash as it begins to lead. */
  @Test
  void whomAFailoverChoosesNotesThatBeforeItLeads() {
    MemberPromise before = fence.known();
    fence.leading(new Term(3, "b"), new PromotionTerms(1, true, false, false, 0, List.of(), ""));
    assertThat(database.promise().chosen()).isEqualTo(3);
    fence.failedToLead(new Term(3, "b"), before);
    assertThat(database.promise().accepted()).isZero();
    assertThat(database.promise().chosen()).isEqualTo(3);
  }

  @Test
  void whoIsMadeToLeadByForceMayLackWhatWasAcknowledged() {
    fence.leading(new Term(3, "b"), new PromotionTerms(1, true, true, false, 0, List.of(), ""));
    assertThat(database.promise().chosen()).isZero();
  }

  /** Also after a forced change that was given up. */
  @Test
  void whoLeadsAgainIsNotChosenBefore() {
    fence.leading(new Term(3, "b"), PromotionTerms.after(1, 1));
    assertThat(database.promise().chosen()).isZero();
  }

  /** The former primary may have answered writes that no other member has. */
  @Test
  void withLocalDurabilityNobodyIsKnownToHaveAll() {
    Fence local = new Fence(settings(Durability.LOCAL), beside, Timing.system());
    local.leading(new Term(3, "b"), new PromotionTerms(1, true, false, false, 0, List.of(), ""));
    assertThat(database.promise().chosen()).isZero();
  }

  private void hear(int term, int transactions) {
    fence.sawRun(beside.look());
    hear(term, transactions, System.nanoTime() + LOOK.toNanos() + 1);
  }

  private void hear(int term, int transactions, long askedNanos) {
    fence.sawRun(beside.look());
    DatabaseReport primarys =
        new DatabaseReport(
            "b:3306", true, Optional.empty(), false, false, HangingDatabase.upTo(transactions), OptionalInt.of(2),
            Optional.empty());
    MemberReport report =
        new MemberReport(
            "b", "http://b/rns", Role.PRIMARY, Optional.empty(), Lag.NONE, 0, "", Optional.of(primarys), List.of(),
            MemberList.NONE, new Allegiance(term, term, 0, term, term, 0, true, 0, 0), Offer.NONE, "");
    fence.vouchIfCaughtUp(beside.look(), new Heard(report, askedNanos));
  }

  private boolean vouches() {
    return fence.allegiance(Duration.ZERO, beside.lastSeen()).vouches();
  }
}
