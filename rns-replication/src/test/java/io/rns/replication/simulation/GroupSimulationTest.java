package io.rns.replication.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Histories of groups. {@code -Drns.test.seed} replays one and prints it; {@code -Drns.test.histories} sets how many of
 * them run, from {@code -Drns.test.firstSeed} on; without that, from 1 on, and every fifth in a group of four.
 */
class GroupSimulationTest {
  private static final int HISTORIES = Integer.getInteger("rns.test.histories", 1_000);
  private static final int ONE_OF_FOUR_MEMBERS_IN = 5;

  @Test
  void noHistoryBreaksAPromise() {
    Long seed = Long.getLong("rns.test.seed");
    if (seed != null) {
      replay(HistoryPlan.of(seed));
      return;
    }
    Long first = Long.getLong("rns.test.firstSeed");
    if (first != null) {
      assertKept(first, HISTORIES);
      return;
    }
    int ofFour = HISTORIES / ONE_OF_FOUR_MEMBERS_IN;
    assertKept(1, HISTORIES - ofFour);
    assertKept(HistoryPlan.FIRST_SEED_OF_FOUR, ofFour);
  }

  private static void assertKept(long first, int histories) {
    HistorySearch search = new HistorySearch(Set.of());
    HistorySummary summary = search.run(first, histories);
    System.out.println("from seed " + first + ", " + summary);
    assertThat(described(search, summary.unsafe())).isEmpty();
    assertThat(described(search, summary.stuck())).isEmpty();
  }

  private static List<String> described(HistorySearch search, List<HistoryPlan> plans) {
    return plans.stream().map(plan -> search.broken(plan) + "; " + search.shrunk(plan)).toList();
  }

  private static void replay(HistoryPlan plan) {
    System.out.println(plan);
    HistoryPlan fewest = new HistorySearch(Set.of()).shrunk(plan);
    Optional<InvariantViolated> violation = new GroupHistory(Set.of(), System.out::println).run(fewest).violation();
    assertThat(violation).isEmpty();
  }

  /**
   * One database lost power, and that of a former primary was replaced: neither can vouch. Members had accepted the
   * term of a change that failed, so that the last primary, which answered, did not count as the last one that led.
   */
  @Test
  void theLastPrimaryVouchesForAllIfTheChangeAfterItFailed() {
    HistorySearch search = new HistorySearch(Set.of());
    GroupShape shape = new GroupShape(Engine.MARIADB, 5, true);
    List<InjectedFault> faults =
        List.of(
            new InjectedFault(3_793, InjectedFault.Kind.FORGET, 0, 3, 3_911),
            new InjectedFault(3_825, InjectedFault.Kind.CUT_DATABASES, 3, 0, 2_642),
            new InjectedFault(5_053, InjectedFault.Kind.ISOLATE, 0, 2, 4_511),
            new InjectedFault(8_051, InjectedFault.Kind.PAUSE_BOTH, 1, 4, 2_358),
            new InjectedFault(8_900, InjectedFault.Kind.KILL_SERVER, 3, 2, 2_308),
            new InjectedFault(9_478, InjectedFault.Kind.STALL_DISK, 2, 3, 1_936),
            new InjectedFault(9_806, InjectedFault.Kind.FAILOVER, 3, 2, 1),
            new InjectedFault(11_294, InjectedFault.Kind.POWER_LOSS, 4, 2, 1_766),
            new InjectedFault(11_576, InjectedFault.Kind.FAILOVER, 2, 4, 1),
            new InjectedFault(12_385, InjectedFault.Kind.ISOLATE, 3, 2, 2_967),
            new InjectedFault(13_275, InjectedFault.Kind.FAILOVER, 2, 3, 1),
            new InjectedFault(14_909, InjectedFault.Kind.PAUSE_DATABASE, 1, 2, 669));
    assertThat(search.broken(new HistoryPlan(48_452, shape, faults))).isEmpty();
  }

  /**
   * It was paused, and its database applied a write of the former primary, which too few members had, after the next
   * primary was found to have all: it followed with that write, and its readers saw it.
   */
  @Test
  void aMemberThatStillReceivesFromTheFormerPrimaryFollowsTheNextOneOnlyIfThatHasAll() {
    GroupShape shape = new GroupShape(Engine.MYSQL, 5, true);
    List<InjectedFault> faults =
        List.of(
            new InjectedFault(4_270, InjectedFault.Kind.SLOW_APPLIER, 1, 3, 702),
            new InjectedFault(5_217, InjectedFault.Kind.PAUSE_BOTH, 3, 1, 2_449),
            new InjectedFault(5_966, InjectedFault.Kind.PAUSE_DATABASE, 1, 4, 1_131),
            new InjectedFault(6_120, InjectedFault.Kind.POWER_LOSS, 4, 1, 787),
            new InjectedFault(6_173, InjectedFault.Kind.PAUSE_DATABASE, 2, 3, 4_704),
            new InjectedFault(6_280, InjectedFault.Kind.FAILOVER, 3, 2, 1),
            new InjectedFault(6_577, InjectedFault.Kind.FAILOVER, 1, 4, 1),
            new InjectedFault(7_479, InjectedFault.Kind.CUT_SERVERS, 4, 1, 1_057),
            new InjectedFault(7_566, InjectedFault.Kind.PAUSE_SERVER, 0, 4, 3_562),
            new InjectedFault(8_485, InjectedFault.Kind.FAILOVER, 4, 0, 1),
            new InjectedFault(9_712, InjectedFault.Kind.PAUSE_SERVER, 3, 2, 1_594),
            new InjectedFault(10_100, InjectedFault.Kind.FAILOVER, 2, 3, 1));
    assertThat(new HistorySearch(Set.of()).broken(new HistoryPlan(16_264, shape, faults))).isEmpty();
  }

  /**
   * Its server was started before its database, and saw the former primary before its own promise: it took itself for
   * one outside of the group, and no failover counted it.
   */
  @Test
  void aMemberWhoseDatabaseStartsLaterThanItsServerBelongsToTheGroup() {
    GroupShape shape = new GroupShape(Engine.MYSQL, 3, true);
    List<InjectedFault> faults =
        List.of(
            new InjectedFault(9_236, InjectedFault.Kind.ISOLATE, 0, 2, 4_912),
            new InjectedFault(13_634, InjectedFault.Kind.KILL_SERVER, 1, 2, 2_720),
            new InjectedFault(14_628, InjectedFault.Kind.KILL_DATABASE, 1, 0, 3_762));
    assertThat(new HistorySearch(Set.of()).broken(new HistoryPlan(10_176_768, shape, faults))).isEmpty();
  }

  /**
   * It was asked to follow the target of a switchover while its database ended its last commit, which that lacks: it
   * could not apply what it received, and each failover waited for it.
   */
  @Test
  void aFormerPrimaryFollowsOnceItsDatabaseTakesNoWrites() {
    GroupShape shape = new GroupShape(Engine.MYSQL, 3, true);
    List<InjectedFault> faults =
        List.of(
            new InjectedFault(3_169, InjectedFault.Kind.PAUSE_DATABASE, 0, 1, 4_771),
            new InjectedFault(9_644, InjectedFault.Kind.SWITCHOVER, 1, 2, 1_396),
            new InjectedFault(10_725, InjectedFault.Kind.KILL_DATABASE, 1, 2, 3_912),
            new InjectedFault(11_194, InjectedFault.Kind.FAILOVER, 2, 1, 1));
    assertThat(new HistorySearch(Set.of()).broken(new HistoryPlan(10_062_132, shape, faults))).isEmpty();
  }

  /**
   * It was paused, learnt late that it had been replaced, and was asked to follow the target of a switchover just as
   * its database had ended its last commit, which nobody else had: its readers saw that write.
   */
  @Test
  void aFormerPrimaryFollowsNobodyBeforeItIsKnownWhatItHas() {
    GroupShape shape = new GroupShape(Engine.MYSQL, 3, true);
    List<InjectedFault> faults =
        List.of(
            new InjectedFault(5_278, InjectedFault.Kind.PAUSE_SERVER, 0, 2, 3_013),
            new InjectedFault(5_350, InjectedFault.Kind.FAILOVER, 2, 0, 1),
            new InjectedFault(7_062, InjectedFault.Kind.FAILOVER, 1, 0, 3_336),
            new InjectedFault(7_957, InjectedFault.Kind.KILL_DATABASE, 2, 0, 854),
            new InjectedFault(8_824, InjectedFault.Kind.FORGET, 0, 2, 3_791),
            new InjectedFault(9_131, InjectedFault.Kind.SWITCHOVER, 0, 2, 873),
            new InjectedFault(12_203, InjectedFault.Kind.PAUSE_SERVER, 0, 2, 612),
            new InjectedFault(13_435, InjectedFault.Kind.SLOW_RECEIVER, 0, 2, 2_429),
            new InjectedFault(13_551, InjectedFault.Kind.SWITCHOVER, 2, 1, 1_237),
            new InjectedFault(14_676, InjectedFault.Kind.CUT_DATABASES, 1, 2, 3_986));
    assertThat(new HistorySearch(Set.of()).broken(new HistoryPlan(5_007_719, shape, faults))).isEmpty();
  }

  /**
   * Its database crashed in the commit, which it made when it was started again. A change had the server step down
   * before it knew, and its readers saw the write, which the next primary did not have.
   */
  @Test
  void aWriteThatOnlyARestartHasCommittedIsNotReadAtAPrimaryThatStepsDown() {
    GroupShape shape = new GroupShape(Engine.MYSQL, 3, true);
    List<InjectedFault> faults =
        List.of(
            new InjectedFault(4_973, InjectedFault.Kind.KILL_SERVER, 2, 1, 2_623),
            new InjectedFault(5_080, InjectedFault.Kind.FAILOVER, 1, 2, 1),
            new InjectedFault(7_458, InjectedFault.Kind.SLOW_RECEIVER, 0, 1, 1_585),
            new InjectedFault(7_607, InjectedFault.Kind.FAILOVER, 1, 0, 1),
            new InjectedFault(7_627, InjectedFault.Kind.KILL_DATABASE, 1, 0, 157));
    assertThat(new HistorySearch(Set.of()).broken(new HistoryPlan(20_041_340, shape, faults))).isEmpty();
  }

  /**
   * It returned with a write that no other member had. The database of the next primary was paused when a replica had
   * received its first commit: none of the members had everything, and each failover was refused.
   */
  @Test
  void anIsolatedPrimaryWithAWriteOfItsOwnKeepsNoOtherMemberFromLeading() {
    GroupShape shape = new GroupShape(Engine.MARIADB, 3, true);
    List<InjectedFault> faults =
        List.of(
            new InjectedFault(5_271, InjectedFault.Kind.FAILOVER, 0, 1, 1),
            new InjectedFault(5_805, InjectedFault.Kind.KILL_SERVER, 0, 2, 2_332),
            new InjectedFault(6_765, InjectedFault.Kind.ISOLATE, 1, 0, 4_710),
            new InjectedFault(10_497, InjectedFault.Kind.SLOW_RECEIVER, 0, 1, 3_790),
            new InjectedFault(11_016, InjectedFault.Kind.PAUSE_DATABASE, 2, 0, 3_861));
    assertThat(new HistorySearch(Set.of()).broken(new HistoryPlan(10_177_683, shape, faults))).isEmpty();
  }

  /** The server of the next primary crashed before it learnt that its first commit was acknowledged. */
  @Test
  void aPausedPrimaryWithAWriteOfItsOwnKeepsNoOtherMemberFromLeading() {
    GroupShape shape = new GroupShape(Engine.MYSQL, 3, true);
    List<InjectedFault> faults =
        List.of(
            new InjectedFault(4_657, InjectedFault.Kind.PAUSE_SERVER, 0, 1, 2_868),
            new InjectedFault(5_588, InjectedFault.Kind.SLOW_RECEIVER, 2, 1, 4_426),
            new InjectedFault(6_192, InjectedFault.Kind.FAILOVER, 1, 2, 1),
            new InjectedFault(7_301, InjectedFault.Kind.KILL_SERVER, 1, 0, 2_150),
            new InjectedFault(8_891, InjectedFault.Kind.FAILOVER, 2, 0, 773),
            new InjectedFault(10_103, InjectedFault.Kind.PAUSE_BOTH, 2, 0, 4_050));
    assertThat(new HistorySearch(Set.of()).broken(new HistoryPlan(10_020_879, shape, faults))).isEmpty();
  }

  /** It was restarted, and so was the server of the next primary. */
  @Test
  void aCrashedPrimaryWithAWriteOfItsOwnKeepsNoOtherMemberFromLeading() {
    GroupShape shape = new GroupShape(Engine.MYSQL, 3, true);
    List<InjectedFault> faults =
        List.of(
            new InjectedFault(6_367, InjectedFault.Kind.FAILOVER, 1, 2, 4_836),
            new InjectedFault(7_886, InjectedFault.Kind.SWITCHOVER, 2, 0, 4_875),
            new InjectedFault(9_039, InjectedFault.Kind.SLOW_RECEIVER, 1, 0, 4_816),
            new InjectedFault(11_325, InjectedFault.Kind.SLOW_RECEIVER, 2, 1, 3_548),
            new InjectedFault(11_451, InjectedFault.Kind.PAUSE_DATABASE, 0, 2, 4_233),
            new InjectedFault(11_534, InjectedFault.Kind.FAILOVER, 2, 0, 1),
            new InjectedFault(12_320, InjectedFault.Kind.KILL_BOTH, 0, 2, 3_639),
            new InjectedFault(13_915, InjectedFault.Kind.KILL_SERVER, 2, 0, 2_693));
    assertThat(new HistorySearch(Set.of()).broken(new HistoryPlan(10_110_498, shape, faults))).isEmpty();
  }

  /** One replica had received it, and two have to. The next primary lost its power. */
  @Test
  void aWriteAtTooFewReplicasKeepsNoOtherMemberFromLeading() {
    GroupShape shape = new GroupShape(Engine.MYSQL, 5, true);
    List<InjectedFault> faults =
        List.of(
            new InjectedFault(4_327, InjectedFault.Kind.SLOW_RECEIVER, 1, 4, 4_550),
            new InjectedFault(4_668, InjectedFault.Kind.CUT_SERVERS, 1, 2, 2_000),
            new InjectedFault(5_651, InjectedFault.Kind.PAUSE_SERVER, 0, 1, 4_514),
            new InjectedFault(6_436, InjectedFault.Kind.FAILOVER, 1, 0, 1),
            new InjectedFault(7_614, InjectedFault.Kind.POWER_LOSS, 3, 1, 507));
    assertThat(new HistorySearch(Set.of()).broken(new HistoryPlan(10_175_745, shape, faults))).isEmpty();
  }

  /** No other member had the first commit of the next primary either, and the third one did not vouch. */
  @Test
  void twoPrimariesWithCommitsOfTheirOwnAndAReplicaThatDoesNotVouchFindWhoLeads() {
    GroupShape shape = new GroupShape(Engine.MARIADB, 3, true);
    List<InjectedFault> faults =
        List.of(
            new InjectedFault(10_236, InjectedFault.Kind.LOSE_ANSWERS, 1, 0, 3_833),
            new InjectedFault(11_881, InjectedFault.Kind.SLOW_RECEIVER, 2, 0, 4_216),
            new InjectedFault(12_407, InjectedFault.Kind.FAILOVER_TO, 2, 1, 4_153),
            new InjectedFault(12_771, InjectedFault.Kind.PAUSE_BOTH, 1, 2, 1_293),
            new InjectedFault(14_386, InjectedFault.Kind.KILL_BOTH, 2, 0, 1_405));
    assertThat(new HistorySearch(Set.of()).broken(new HistoryPlan(10_175_833, shape, faults))).isEmpty();
  }

  /**
   * It was cut off, and had not heard yet that it had been replaced, since the next one was becoming the primary again
   * after a refused failover. The history ended there, as if it was settled.
   */
  @Test
  void aHistoryDoesNotEndWithAFormerPrimaryThatHasNoLease() {
    GroupShape shape = new GroupShape(Engine.MYSQL, 4, true);
    List<InjectedFault> faults =
        List.of(
            new InjectedFault(10_902, InjectedFault.Kind.ISOLATE, 0, 1, 4_311),
            new InjectedFault(11_372, InjectedFault.Kind.FAILOVER, 1, 0, 1),
            new InjectedFault(14_137, InjectedFault.Kind.FAILOVER, 2, 3, 2_944),
            new InjectedFault(14_370, InjectedFault.Kind.KILL_DATABASE, 2, 1, 3_129));
    assertThat(new HistorySearch(Set.of()).broken(new HistoryPlan(100_098_381, shape, faults))).isEmpty();
  }

  /** Two operators command a failover at one server at once: both changes had the same term, and both could lead. */
  @Test
  void twoChangesThatOneServerRunsAreNotTakenForOne() {
    HistorySearch search = new HistorySearch(Set.of());
    GroupShape shape = new GroupShape(Engine.MYSQL, 5, false);
    List<InjectedFault> faults =
        List.of(
            new InjectedFault(4_000, InjectedFault.Kind.KILL_SERVER, 0, 0, 10_000),
            new InjectedFault(5_000, InjectedFault.Kind.FAILOVER_TO, 3, 1, 1),
            new InjectedFault(5_000, InjectedFault.Kind.FAILOVER_TO, 3, 2, 1));
    assertThat(LongStream.range(0, 100).mapToObj(seed -> search.broken(new HistoryPlan(seed, shape, faults))))
        .allMatch(Optional::isEmpty);
  }

  /** Each became primary, waited for the other to follow, and had no time for the change of that one; for minutes. */
  @Test
  void competingFailoversInAGroupOfTwoDoNotBlockEachOther() {
    GroupHistory history = new GroupHistory(Set.of(), note -> {});
    GroupShape shape = new GroupShape(Engine.MYSQL, 2, true);
    List<InjectedFault> faults =
        List.of(
            new InjectedFault(10_000, InjectedFault.Kind.SWITCHOVER, 0, 1, 1),
            new InjectedFault(10_750, InjectedFault.Kind.CUT_SERVERS, 0, 1, 2_700),
            new InjectedFault(11_370, InjectedFault.Kind.FAILOVER, 0, 1, 1),
            new InjectedFault(13_250, InjectedFault.Kind.FAILOVER, 1, 0, 1));
    assertThat(LongStream.range(0, 100).mapToObj(seed -> history.run(new HistoryPlan(seed, shape, faults)).violation()))
        .allMatch(Optional::isEmpty);
  }

  /** Also after other histories, whose threads it takes over. */
  @Test
  void theSameSeedIsTheSameHistory() {
    HistoryPlan plan = HistoryPlan.of(254);
    List<String> notes = new ArrayList<>();
    GroupHistory history = new GroupHistory(Set.of(Defect.READS_WITHOUT_LEASE), notes::add);
    var unused = history.run(plan);
    List<String> first = List.copyOf(notes);
    assertThat(first).isNotEmpty();
    for (int other = 0; other < 20; other++) {
      unused = history.run(HistoryPlan.of(other));
      notes.clear();
      unused = history.run(plan);
      assertThat(notes).isEqualTo(first);
    }
  }
}
