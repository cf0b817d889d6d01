package io.rns.replication.membership;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.Position;
import io.rns.replication.DatabaseReport;
import io.rns.replication.Lag;
import io.rns.replication.MemberReport;
import io.rns.replication.Role;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** A server's steps after an election in its database group. */
class DatabaseGroupRulesTest {
  private static final String HERE = "http://b/rns";
  private static final Duration NOW = Duration.ZERO;

  private final DatabaseGroupRules rules = new DatabaseGroupRules();

  private static MemberState elected(boolean writable) {
    return new MemberState(writable, Optional.empty(), true, true, "uuid:1-9", "", OptionalInt.of(2), Optional.empty(),
        MemberState.UNKNOWN_RUN);
  }

  private static MemberState memberOf(String primary) {
    return new MemberState(false, Optional.of(primary), true, true, "uuid:1-9", "", OptionalInt.empty(),
        Optional.empty(),
        MemberState.UNKNOWN_RUN);
  }

  private static MemberState outside(String transactions) {
    return new MemberState(false, Optional.empty(), false, false, transactions, "", OptionalInt.empty(),
        Optional.empty(),
        MemberState.UNKNOWN_RUN);
  }

  /** A server named like its database: {@code http://a/rns}, {@code a:3306}. */
  private static MemberReport server(String name, Role role, int epoch, Optional<MemberState> state) {
    return new MemberReport(
        name,
        "http://" + name + "/rns",
        role,
        Optional.of(new Position(1, epoch, 7)),
        Lag.NONE,
        0,
        "",
        state.map(
            it -> new DatabaseReport(
                name + ":3306", it.writable(), it.source(), it.receiving(), it.applying(), it.transactions(),
                it.acknowledging(),
                it.trouble())),
        List.of());
  }

  private static MemberReport primary(String name, int epoch) {
    return server(name, Role.PRIMARY, epoch, Optional.of(elected(true)));
  }

  private static MemberReport replica(String name) {
    return server(name, Role.REPLICA, 3, Optional.of(memberOf("a:3306")));
  }

  /** This server in epoch 3, with reports of others. */
  private MembershipStep next(Role role, MemberState state, Duration leaderless, MemberReport... others) {
    return next(role, state, leaderless, false, true, others);
  }

  private MembershipStep next(
      Role role, MemberState state, Duration leaderless, boolean cutOff, boolean primaryHasAll,
      MemberReport... others) {
    List<MemberReport> all = List.of(others);
    Optional<MemberReport> primary = all.stream().filter(other -> other.role() == Role.PRIMARY).findFirst();
    MembershipView sight =
        new MembershipView(HERE, role, state, 3, role == Role.PRIMARY, false, 0, cutOff, primary, all, 1 + all.size(),
            1 + all.size(),
            1,
            leaderless, false);
    return rules.next(sight, () -> primaryHasAll, () -> primaryHasAll);
  }

  @Test
  void theServerOfTheElectedDatabaseIsPrimaryWhateverOthersClaim() {
    assertThat(next(Role.REPLICA, elected(true), NOW)).isInstanceOf(MembershipStep.Lead.class);
    assertThat(next(Role.REPLICA, elected(true), NOW, primary("a", 3))).isInstanceOf(MembershipStep.Lead.class);
    assertThat(next(Role.STARTING, elected(true), NOW)).isInstanceOf(MembershipStep.Lead.class);
  }

  @Test
  void aReadOnlyElectedDatabaseHasTimeForAChangeInProgress() {
    Duration almost = DatabaseGroupRules.IDLE.minusMillis(1);
    assertThat(next(Role.REPLICA, elected(false), almost)).isEqualTo(new MembershipStep.KnowNoPrimary(true));
    assertThat(next(Role.REPLICA, elected(false), DatabaseGroupRules.IDLE)).isInstanceOf(MembershipStep.Lead.class);
  }

  @Test
  void theServerOfTheElectedDatabaseWaitsWhileTheFormerPrimaryMayAnswerReads() {
    for (boolean writable : List.of(true, false)) {
      MembershipView waiting =
          new MembershipView(HERE, Role.REPLICA, elected(writable), 3, false, true, 0, false, Optional.empty(),
              List.of(), 3, 3, 1, DatabaseGroupRules.IDLE, true);
      assertThat(rules.next(waiting, () -> true, () -> true)).isEqualTo(new MembershipStep.KnowNoPrimary(true));
    }
  }

  @Test
  void thePrimaryStaysPrimaryWhileItsDatabaseIsWritable() {
    assertThat(next(Role.PRIMARY, elected(true), NOW, replica("a"))).isEqualTo(new MembershipStep.StayPrimary(true));
    assertThat(next(Role.PRIMARY, elected(true), NOW, primary("a", 2))).isEqualTo(new MembershipStep.StayPrimary(true));
  }

  @Test
  void thePrimaryStepsDownInALaterEpochOrIfItsDatabaseIsNotElected() {
    assertThat(next(Role.PRIMARY, elected(true), NOW, primary("a", 4))).isInstanceOf(MembershipStep.StepDown.class);
    assertThat(next(Role.PRIMARY, memberOf("a:3306"), NOW)).isInstanceOf(MembershipStep.StepDown.class);
    assertThat(next(Role.PRIMARY, outside("uuid:1-9"), NOW)).isInstanceOf(MembershipStep.StepDown.class);
    MembershipView deposed =
        new MembershipView(HERE, Role.PRIMARY, elected(true), 3, false, false, 0, false, Optional.empty(), List.of(), 1,
            1, 1, NOW, false);
    assertThat(rules.next(deposed, () -> true, () -> true)).isInstanceOf(MembershipStep.StepDown.class);
  }

  /** Two bootstraps after the loss of a majority make two groups, each with a primary of the same epoch. */
  @Test
  void ofTwoGroupsWithPrimariesOfOneEpochThatOfTheHigherAddressStaysOutside() {
    MemberReport a = primary("a", 3);
    assertThat(next(Role.PRIMARY, elected(true), NOW, a)).isEqualTo(new MembershipStep.StayOutside(a));
    assertThat(next(Role.PRIMARY, elected(true), NOW, primary("c", 3)))
        .isEqualTo(new MembershipStep.StayPrimary(true));
    assertThat(next(Role.PRIMARY, elected(true), NOW, server("a", Role.REPLICA, 3, Optional.of(elected(true)))))
        .isEqualTo(new MembershipStep.StayPrimary(true));
    assertThat(next(Role.OUTSIDE, elected(false), NOW, a)).isEqualTo(new MembershipStep.StayOutside(a));
    assertThat(next(Role.OUTSIDE, elected(true), NOW, a)).isEqualTo(new MembershipStep.StayOutside(a));
    assertThat(next(Role.OUTSIDE, elected(false), DatabaseGroupRules.IDLE))
        .as("it does not take over with its own writes while the primary is away")
        .isEqualTo(new MembershipStep.KnowNoPrimary(false));
    assertThat(next(Role.STARTING, elected(false), NOW, a))
        .as("its server restarted: its copy need not belong to the tree")
        .isEqualTo(new MembershipStep.KnowNoPrimary(false));
  }

  @Test
  void aMemberFollowsThePrimaryWithoutAConnectionByUs() {
    MemberReport a = primary("a", 3);
    assertThat(next(Role.REPLICA, memberOf("a:3306"), NOW, a))
        .isEqualTo(new MembershipStep.Follow(a, Optional.empty()));
    assertThat(next(Role.OUTSIDE, memberOf("a:3306"), NOW, a))
        .isEqualTo(new MembershipStep.Follow(a, Optional.empty()));
  }

  @Test
  void onlyTheFirstEligibleServerTakesOverAfterATimeout() {
    MemberState member = memberOf("a:3306");
    Duration almost = DatabaseGroupRules.SILENT.minusMillis(1);
    assertThat(next(Role.REPLICA, member, almost, replica("c"))).isEqualTo(new MembershipStep.KnowNoPrimary(true));
    assertThat(next(Role.REPLICA, member, DatabaseGroupRules.SILENT, replica("c")))
        .isInstanceOf(MembershipStep.Lead.class);
    // A member whose address comes first counts only if its database is in the group.
    MemberReport first = server("a2", Role.REPLICA, 3, Optional.of(memberOf("a:3306")));
    assertThat(next(Role.REPLICA, member, DatabaseGroupRules.IDLE, first))
        .isEqualTo(new MembershipStep.KnowNoPrimary(true));
    MemberReport lost = server("a2", Role.REPLICA, 3, Optional.of(outside("uuid:1-2")));
    assertThat(next(Role.REPLICA, member, DatabaseGroupRules.SILENT, lost)).isInstanceOf(MembershipStep.Lead.class);
  }

  @Test
  void aServerThatAnswersHasMoreTimeToBecomePrimary() {
    MemberReport beside = server("a", Role.REPLICA, 3, Optional.of(elected(true)));
    assertThat(next(Role.REPLICA, memberOf("a:3306"), DatabaseGroupRules.SILENT, beside))
        .isEqualTo(new MembershipStep.KnowNoPrimary(true));
    assertThat(next(Role.REPLICA, memberOf("a:3306"), DatabaseGroupRules.IDLE, beside))
        .isInstanceOf(MembershipStep.Lead.class);
  }

  @Test
  void aPrimaryWithoutADatabaseIsIgnored() {
    MemberReport dead = server("c", Role.PRIMARY, 3, Optional.empty());
    assertThat(next(Role.REPLICA, memberOf("a:3306"), NOW, dead)).isEqualTo(new MembershipStep.KnowNoPrimary(true));
    assertThat(next(Role.REPLICA, memberOf("a:3306"), DatabaseGroupRules.SILENT, dead))
        .isInstanceOf(MembershipStep.Lead.class);
  }

  @Test
  void aNonMemberJoinsIfThePrimaryHasAllItsTransactions() {
    MemberReport a = primary("a", 3);
    assertThat(next(Role.REPLICA, outside("uuid:1-9"), NOW, a))
        .isEqualTo(new MembershipStep.Follow(a, Optional.of("a:3306")));
    assertThat(next(Role.STARTING, outside(""), NOW, a)).isEqualTo(new MembershipStep.Copy(a));
    assertThat(next(Role.REPLICA, outside("other:1"), NOW, false, false, a))
        .isEqualTo(new MembershipStep.StayOutside(a));
  }

  @Test
  void aNonMemberNeverBecomesPrimary() {
    Duration ages = Duration.ofDays(1);
    assertThat(next(Role.REPLICA, outside("uuid:1-9"), ages)).isEqualTo(new MembershipStep.KnowNoPrimary(false));
    assertThat(next(Role.STARTING, outside(""), ages, replica("a"))).isEqualTo(new MembershipStep.KnowNoPrimary(false));
    MemberState minority =
        new MemberState(true, Optional.empty(), false, true, "uuid:1-9", "", OptionalInt.of(0),
            Optional.of("no majority"),
            MemberState.UNKNOWN_RUN);
    assertThat(next(Role.REPLICA, minority, ages)).isEqualTo(new MembershipStep.KnowNoPrimary(false));
  }

  @Test
  void aMemberRemovedByAFailoverWaitsForItsEpoch() {
    MemberState state = outside("uuid:1-9");
    assertThat(next(Role.REPLICA, state, NOW, true, true, primary("a", 3))).isEqualTo(new MembershipStep.Wait());
    MemberReport next = primary("a", 4);
    assertThat(next(Role.REPLICA, state, NOW, true, true, next))
        .isEqualTo(new MembershipStep.Follow(next, Optional.of("a:3306")));
  }
}
