package io.rns.replication.membership;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.Position;
import io.rns.replication.Allegiance;
import io.rns.replication.DatabaseReport;
import io.rns.replication.Lag;
import io.rns.replication.MemberReport;
import io.rns.replication.Role;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** A server's steps where only operators change the source. */
class SourceReplicaRulesTest {
  private static final Duration AGES = Duration.ofDays(1);

  private final SourceReplicaRules rules = new SourceReplicaRules(Durability.REPLICATED, false);

  private static MemberState state(boolean writable, Optional<String> source, boolean receiving, String transactions) {
    return new MemberState(writable, source, receiving, true, transactions, "", OptionalInt.empty(), Optional.empty(),
        1);
  }

  private static MemberReport server(String name, Role role, int epoch) {
    DatabaseReport database =
        new DatabaseReport(name + ":3306", true, Optional.empty(), false, false, "0-1-9", OptionalInt.of(1),
            Optional.empty());
    return new MemberReport(
        name,
        "http://" + name + "/rns",
        role,
        Optional.of(new Position(1, epoch, 7)),
        Lag.NONE,
        0,
        "",
        Optional.of(database),
        List.of());
  }

  private MembershipStep next(Role role, MemberState state, boolean following, boolean primaryHasAll,
      MemberReport... others) {
    return rules.next(view(role, state, following, others), () -> primaryHasAll, () -> primaryHasAll);
  }

  /** This server in epoch 3, in a group of three. */
  private static MembershipView view(Role role, MemberState state, boolean following, MemberReport... others) {
    List<MemberReport> all = List.of(others);
    Optional<MemberReport> primary = MemberReport.primary(all);
    return new MembershipView("http://b/rns", role, state, 3, role == Role.PRIMARY, following, 0, false, primary, all,
        3, 3, 1,
        AGES, false);
  }

  @Test
  void aPrimaryWhoseDatabaseReturnsReadOnlyStaysPrimary() {
    MemberState back = state(false, Optional.empty(), false, "0-1-9");
    assertThat(next(Role.PRIMARY, back, false, true)).isEqualTo(new MembershipStep.StayPrimary(false));
    assertThat(next(Role.PRIMARY, back, false, true, server("a", Role.PRIMARY, 4)))
        .isInstanceOf(MembershipStep.StepDown.class);
  }

  @Test
  void aReplicaNeverPromotesItself() {
    MemberState replica = state(false, Optional.of("a:3306"), false, "0-1-9");
    assertThat(next(Role.REPLICA, replica, true, true)).isEqualTo(new MembershipStep.KnowNoPrimary(true));
    assertThat(next(Role.STARTING, replica, false, true)).isEqualTo(new MembershipStep.KnowNoPrimary(false));
  }

  @Test
  void aWritableDatabaseMakesPrimaryUnlessAnotherSawALaterEpoch() {
    MemberState writable = state(true, Optional.empty(), false, "0-1-9");
    assertThat(next(Role.STARTING, writable, false, true, server("a", Role.REPLICA, 3)))
        .isInstanceOf(MembershipStep.Lead.class);
    assertThat(next(Role.STARTING, writable, false, true, server("a", Role.REPLICA, 4)))
        .isEqualTo(new MembershipStep.KnowNoPrimary(false));
  }

  /** Otherwise it would acknowledge writes while the failover chooses another primary that lacks them. */
  @Test
  void aWritableDatabaseCutOffByAFailoverDoesNotMakePrimary() {
    MemberState writable = state(true, Optional.empty(), false, "0-1-9");
    for (Durability durability : Durability.values()) {
      MembershipView view =
          new MembershipView("http://b/rns", Role.STARTING, writable, 3, false, false, 0, true, Optional.empty(),
              List.of(server("a", Role.REPLICA, 3), server("c", Role.REPLICA, 3)), 3, 3, 1, AGES, false);
      assertThat(new SourceReplicaRules(durability, false).next(view, () -> true, () -> true))
          .isEqualTo(new MembershipStep.KnowNoPrimary(false));
    }
  }

  @Test
  void withLocalDurabilityAPrimaryNeedsAMajorityAndTheLatestEpoch() {
    SourceReplicaRules local = new SourceReplicaRules(Durability.LOCAL, false);
    MemberState writable = state(true, Optional.empty(), false, "0-1-9");
    MembershipView nobody = view(Role.STARTING, writable, false);
    assertThat(local.next(nobody, () -> true, () -> true)).isEqualTo(new MembershipStep.KnowNoPrimary(false));
    assertThat(rules.next(nobody, () -> true, () -> true)).as("fenced by the acknowledging replicas")
        .isInstanceOf(MembershipStep.Lead.class);
    MembershipView most = view(Role.STARTING, writable, false, server("c", Role.REPLICA, 3));
    assertThat(local.next(most, () -> true, () -> true)).isInstanceOf(MembershipStep.Lead.class);
    MembershipView ahead =
        view(Role.STARTING, writable, false, server("a", Role.REPLICA, 3), server("c", Role.REPLICA, 4));
    assertThat(local.next(ahead, () -> true, () -> true)).isEqualTo(new MembershipStep.KnowNoPrimary(false));
  }

  @Test
  void aMajorityIsMoreThanHalfOfTheKnownMembers() {
    for (int known = 1; known <= 6; known++) {
      for (int heard = 0; heard < known; heard++) {
        List<MemberReport> others = Collections.nCopies(heard, server("a", Role.REPLICA, 3));
        MemberState writable = state(true, Optional.empty(), false, "0-1-9");
        MembershipView view =
            new MembershipView("http://b/rns", Role.STARTING, writable, 3, false, false, 0, false, Optional.empty(),
                others, known, heard + 1, 1,
                AGES, false);
        assertThat(view.hearsMajority()).as("%d of %d", heard + 1, known).isEqualTo(heard + 1 > known / 2);
      }
    }
  }

  @Test
  void ofTwoPrimariesOfOneEpochTheHigherAddressStepsDown() {
    MemberState writable = state(true, Optional.empty(), false, "0-1-9");
    assertThat(next(Role.PRIMARY, writable, false, true, server("a", Role.PRIMARY, 3)))
        .isInstanceOf(MembershipStep.StepDown.class);
    assertThat(next(Role.PRIMARY, writable, false, true, server("c", Role.PRIMARY, 3)))
        .isEqualTo(new MembershipStep.StayPrimary(true));
    assertThat(next(Role.PRIMARY, writable, false, true, server("a", Role.PRIMARY, 2)))
        .isEqualTo(new MembershipStep.StayPrimary(true));
    assertThat(next(Role.PRIMARY, writable, false, true, server("a", Role.REPLICA, 3)))
        .isEqualTo(new MembershipStep.StayPrimary(true));
    MemberReport a = server("a", Role.PRIMARY, 3);
    MemberState replica = state(false, Optional.of("a:3306"), true, "0-1-9");
    assertThat(next(Role.REPLICA, replica, true, true, server("c", Role.PRIMARY, 3), a, server("d", Role.PRIMARY, 2)))
        .as("the others follow the remaining primary")
        .isEqualTo(new MembershipStep.Follow(a, Optional.empty()));
  }

  @Test
  void aReplicaIsConnectedToThePrimarysDatabaseUnlessItAlreadyIs() {
    MemberReport a = server("a", Role.PRIMARY, 3);
    MemberState right = state(false, Optional.of("a:3306"), true, "0-1-9");
    assertThat(next(Role.REPLICA, right, true, true, a)).isEqualTo(new MembershipStep.Follow(a, Optional.empty()));
    MemberState silent = state(false, Optional.of("a:3306"), false, "0-1-9");
    assertThat(next(Role.REPLICA, silent, true, true, a))
        .isEqualTo(new MembershipStep.Follow(a, Optional.of("a:3306")));
    MemberState wrong = state(false, Optional.of("c:3306"), true, "0-1-9");
    assertThat(next(Role.REPLICA, wrong, true, true, a)).isEqualTo(new MembershipStep.Follow(a, Optional.of("a:3306")));
    assertThat(next(Role.REPLICA, wrong, true, false, a)).isEqualTo(new MembershipStep.StayOutside(a));
    assertThat(next(Role.STARTING, state(false, Optional.empty(), false, ""), false, true, a))
        .isEqualTo(new MembershipStep.Copy(a));
  }

  /** What it alone has was answered to nobody, since all changes since were made by members that have what was. */
  @Test
  void aFormerPrimaryIsRebuiltUnlessAChangeWasForced() {
    SourceReplicaRules healing = new SourceReplicaRules(Durability.REPLICATED, true);
    MemberState former = state(true, Optional.empty(), false, "0-1-12");
    MemberReport a = server("a", Role.PRIMARY, 4);
    for (int accepted = 0; accepted <= 3; accepted++) {
      for (int forced = 0; forced <= 3; forced++) {
        MemberReport primary = a.with(new Allegiance(3, 3, 0, 3, 3, forced, true, 0, 0));
        MembershipView view =
            new MembershipView("http://b/rns", Role.STARTING, former, 3, false, false, accepted, false,
                Optional.of(primary), List.of(primary), 3, 3, 1, AGES, false);
        boolean rebuilds = accepted > 0 && accepted < 3 && forced <= accepted;
        MembershipStep step = healing.next(view, () -> false, () -> false);
        assertThat(step).as("accepted %d, forced %d", accepted, forced)
            .isEqualTo(rebuilds ? new MembershipStep.Copy(primary) : new MembershipStep.StayOutside(primary));
        assertThat(rules.next(view, () -> false, () -> false)).isEqualTo(new MembershipStep.StayOutside(primary));
      }
    }
  }

  /** One that does not answer may have led since, and its database may have acknowledged that one's writes. */
  @Test
  void aMemberIsRebuiltOnlyIfNoOtherCanHaveLedSince() {
    MemberState former = state(false, Optional.of("d:3306"), false, "0-1-12");
    MemberReport primary = server("a", Role.PRIMARY, 4).with(new Allegiance(3, 3, 0, 3, 3, 0, true, 0, 0));
    MemberReport follower = server("c", Role.REPLICA, 4).with(new Allegiance(3, 3, 0, 0, 0, 0, true, 0, 0));
    MemberReport later = server("c", Role.REPLICA, 4).with(new Allegiance(4, 3, 4, 0, 0, 0, true, 0, 0));
    for (boolean automatic : new boolean[]{false, true}) {
      MembershipStep decided =
          automatic ? new MembershipStep.Copy(primary) : new MembershipStep.StayOutside(primary);
      assertThat(ofFive(automatic, former, primary)).isEqualTo(new MembershipStep.AwaitMembers(primary));
      assertThat(ofFive(automatic, former, primary, follower)).isEqualTo(decided);
      assertThat(ofFive(automatic, former, primary, later)).isEqualTo(new MembershipStep.AwaitMembers(primary));
    }
  }

  /** The next step where two replicas acknowledge a write. */
  private static MembershipStep ofFive(boolean automatic, MemberState state, MemberReport... others) {
    MembershipView view = new MembershipView("http://b/rns", Role.STARTING, state, 3, false, false, 1, false,
        Optional.of(others[0]), List.of(others), 5, 1 + others.length, 2, AGES, false);
    return new SourceReplicaRules(Durability.REPLICATED, automatic).next(view, () -> false, () -> false);
  }

  /** Both began an epoch of the same number, in different terms. */
  @Test
  void theLaterTermPrevailsOverTheLaterEpoch() {
    MemberState writable = state(true, Optional.empty(), false, "0-1-9");
    MemberReport later = server("c", Role.PRIMARY, 3).with(new Allegiance(2, 2, 0, 2, 2, 0, true, 0, 0));
    MembershipView view = new MembershipView("http://b/rns", Role.PRIMARY, writable, 5, true, false, 1, false,
        Optional.of(later), List.of(later), 3, 3, 1, AGES, false);
    assertThat(rules.next(view, () -> true, () -> true)).isInstanceOf(MembershipStep.StepDown.class);
    MemberReport former = server("a", Role.PRIMARY, 9).with(new Allegiance(1, 1, 0, 1, 1, 0, true, 0, 0));
    assertThat(MemberReport.primary(List.of(former, later))).contains(later);
  }
}
