package io.rns.server.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import io.rns.api.EntryId;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.replication.partition.BalancerSettings;
import io.rns.replication.partition.Decision.Rule;
import io.rns.replication.partition.DirectoryHeat;
import io.rns.replication.partition.Heat;
import io.rns.replication.partition.HeatWindow;
import io.rns.replication.partition.Partition;
import io.rns.replication.partition.PartitionMap;
import io.rns.replication.partition.Situation;
import io.rns.server.TestDatabase;
import io.rns.server.http.ServerJson;
import io.rns.server.namespace.LocalNameService;
import io.rns.server.namespace.TestServices;
import io.rns.server.partition.PartitioningSettings.Mode;
import io.rns.server.partition.RecordedMove.Cause;
import io.rns.server.partition.RecordedMove.Reason;
import io.rns.server.partition.RecordedMove.State;
import io.rns.server.store.Database;
import io.rns.server.store.PartitionRecordTable;
import io.rns.server.store.PartitionRecordTable.Kind;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is decided, recorded and moved after each window, by a clock of the test's, in a database. */
@Tag("server")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BalancingTest {
  private static final RnsPath HOT = RnsPath.parse("/hot");
  private static final RnsPath WARM = RnsPath.parse("/warm");
  private static final Duration WINDOW = BalancerSettings.DEFAULT.window();

  private final List<String> assigned = new ArrayList<>();
  private Instant now = Instant.parse("2026-03-01T10:01:00Z");
  private PartitionMap map = PartitionMap.whole(0);
  private Optional<RnsException> trouble = Optional.empty();
  private Database database;
  private LocalNameService names;
  private Records records;

  @BeforeEach
  void start() {
    database = new Database(TestDatabase.settings(TestDatabase.sharedUrl()));
    database.migrate();
    int unused = database.write(connection -> {
      try (Statement statement = connection.createStatement()) {
        int rows = statement.executeUpdate("DELETE FROM partition_record");
        connection.commit();
        return rows;
      }
    });
    names = LocalNameService.start(database, 1 << 20, TestServices.WRITER, InstantSource.system());
    records = new Records(() -> names, () -> now);
  }

  @AfterEach
  void stop() {
    names.close();
    database.close();
  }

  private HeatWindow measured(Instant end) {
    DirectoryHeat heat = new DirectoryHeat(new TreeMap<>(Map.of(HOT, new Heat(500, 20), WARM, new Heat(400, 0))));
    return new HeatWindow(
        end, new Situation(map, new TreeSet<>(Set.of(0, 1)), heat, Map.of(HOT, "it is pinned")), List.of());
  }

  private AssignedJson assign(Target directory, int to, Reason reason) {
    return records.recorded(directory.path(), map.ofContent(directory.path()).group(), to, reason, giver -> {
      assigned.add(directory.path() + " " + to);
      if (trouble.isPresent()) {
        throw trouble.get();
      }
      List<Partition> all = new ArrayList<>(PartitionMap.whole(0).partitions());
      if (to > 0) {
        all.add(new Partition(directory.path(), new EntryId(17), to, 1));
      }
      map = new PartitionMap(all);
      return new AssignedJson(directory.path(), new EntryId(17), to, 1, null);
    });
  }

  private Balancing balancing(Mode mode) {
    return new Balancing(
        new PartitioningSettings(mode, BalancerSettings.DEFAULT), this::measured, this::assign, records, () -> now);
  }

  private void decide(Balancing balancing, int windows) {
    for (int i = 0; i < windows; i++) {
      now = now.plus(WINDOW);
      assertThat(balancing.isDue()).isTrue();
      assertThat(balancing.isDue()).as("again").isFalse();
      balancing.decide();
    }
  }

  @Test
  void decisionsAreRecordedWithTheirReasonsAndWhatWasMeasured() {
    decide(balancing(Mode.SUGGEST), 3);
    List<DecisionJson> decisions = records.decisions(10);
    assertThat(decisions).extracting(DecisionJson::number, DecisionJson::outcome, DecisionJson::rule).containsExactly(
        tuple(3L, "proposed", null), tuple(2L, "refused", Rule.WINDOWS), tuple(1L, "refused", Rule.WINDOWS));
    DecisionJson last = decisions.getFirst();
    assertThat(last.at()).as("at a multiple of the window").isEqualTo(Instant.parse("2026-03-01T10:15:00Z"));
    assertThat(last.moves()).extracting(PlanJson.ProposalJson::path).containsExactly(WARM);
    assertThat(last.reason()).startsWith("In 3 windows the busiest group had a load of 1000");
    assertThat(last.window().window(last.at())).isEqualTo(measured(last.at()));
    assertThat(records.decision(3)).contains(last);
    assertThat(records.decision(4)).isEmpty();
    assertThat(assigned).isEmpty();
    assertThat(records.moves()).isEmpty();
  }

  @Test
  void onlyAnAssignmentByAnOperatorIsNoMoveByLoad() {
    assertThat(Cause.values())
        .filteredOn(cause -> RecordedMove.begun(now, HOT, 0, 1, new Reason(cause, 0)).past().byLoad())
        .containsExactly(Cause.APPLY, Cause.UNDO, Cause.AUTO);
  }

  @Test
  void inModeAutoWhatIsDecidedIsMovedOnceAndTheNextPrimaryKnowsIt() {
    decide(balancing(Mode.AUTO), 2);
    decide(balancing(Mode.AUTO), 1);
    assertThat(assigned).containsExactly("/warm 1");
    assertThat(records.moves()).extracting(
        RecordedMove::path, RecordedMove::from, RecordedMove::to, RecordedMove::by, RecordedMove::state)
        .containsExactly(tuple(WARM, 0, 1, Cause.AUTO, State.DONE));
    decide(balancing(Mode.AUTO), 2);
    assertThat(assigned).hasSize(1);
    assertThat(records.decisions(1).getFirst().reason()).contains("balanced");
  }

  @Test
  void aMoveThatIsInterruptedGoesOnAfterTheNextWindow() {
    trouble = Optional.of(new RnsException(RnsError.UNAVAILABLE, "no primary of server group 1 is known"));
    decide(balancing(Mode.AUTO), 3);
    assertThat(records.moves()).extracting(RecordedMove::state).containsExactly(State.BEGUN);
    trouble = Optional.empty();
    decide(balancing(Mode.AUTO), 1);
    assertThat(assigned).containsExactly("/warm 1", "/warm 1");
    assertThat(records.moves()).extracting(RecordedMove::state).containsExactly(State.DONE);
  }

  @Test
  void aRefusedMoveIsRecordedWithTheReasonAndNotTriedAgainSoon() {
    trouble = Optional.of(new RnsException(RnsError.INVALID_REQUEST, "/warm is no directory"));
    decide(balancing(Mode.AUTO), 3);
    assertThat(records.moves()).extracting(RecordedMove::state, RecordedMove::failure)
        .containsExactly(tuple(State.FAILED, "/warm is no directory"));
    decide(balancing(Mode.AUTO), 1);
    assertThat(records.decisions(1).getFirst().window().fixed())
        .contains(new WindowJson.FixedJson(WARM, "its move to group 1 failed: /warm is no directory"));
    assertThat(assigned).hasSize(1);
  }

  @Test
  void modeOffMeasuresNothing() {
    Balancing off = balancing(Mode.OFF);
    now = now.plus(WINDOW);
    assertThat(off.isDue()).isFalse();
  }

  @Test
  void theLastMoveThatWasNotTakenBackIsUndone() {
    assertThat(Records.undoable(records.moves())).isEmpty();
    var unused = assign(Target.of(HOT), 1, Reason.ASSIGN);
    unused = assign(Target.of(HOT), 1, Reason.ASSIGN);
    assertThat(records.moves()).as("it is there already").hasSize(1);
    unused = assign(Target.of(HOT), 2, new Reason(Cause.APPLY, 0));
    RecordedMove last = Records.undoable(records.moves()).orElseThrow();
    assertThat(last.number()).isEqualTo(2);
    unused = assign(Target.of(last.path()), last.from(), new Reason(Cause.UNDO, last.number()));
    assertThat(Records.undoable(records.moves()).orElseThrow().number()).isEqualTo(1);
    trouble = Optional.of(new RnsException(RnsError.INVALID_REQUEST, "/hot is no directory"));
    assertThatThrownBy(() -> assign(Target.of(HOT), 0, new Reason(Cause.UNDO, 1))).hasMessage("/hot is no directory");
    assertThat(Records.undoable(records.moves()).orElseThrow().number()).as("that failed").isEqualTo(1);
    trouble = Optional.empty();
    unused = assign(Target.of(HOT), 0, new Reason(Cause.UNDO, 1));
    assertThat(Records.undoable(records.moves())).isEmpty();
  }

  private DecisionsJson why(Map<String, String> parameters) {
    return DecisionsJson.of(
        TestParameters.of(parameters), records, new PartitioningSettings(Mode.AUTO, BalancerSettings.DEFAULT), map);
  }

  @Test
  void decisionsAreExplainedFromWhatIsRecorded() throws Exception {
    decide(balancing(Mode.AUTO), 4);
    DecisionsJson all = why(Map.of());
    assertThat(all.decisions()).extracting(DecisionJson::number).containsExactly(4L, 3L, 2L, 1L);
    assertThat(all.decisions()).allMatch(each -> each.window() == null);
    assertThat(all.undo()).isEqualTo(all.moves().getFirst());
    assertThat(why(Map.of("windows", "true", "most", "2")).decisions()).hasSize(2)
        .allMatch(each -> each.window() != null);

    assertThat(why(Map.of("number", "3")).decisions()).containsExactly(records.decision(3).orElseThrow());
    assertThatThrownBy(() -> why(Map.of("number", "5")))
        .hasMessage("decision 5 is not recorded; the last one is 4");

    DecisionsJson warm = why(Map.of("path", "/warm/deep"));
    assertThat(warm.directory().group()).isEqualTo(1);
    assertThat(warm.decisions()).as("those that would have moved it").extracting(DecisionJson::number)
        .containsExactly(3L, 2L, 1L);
    assertThat(warm.moves()).hasSize(1);
    DecisionsJson hot = why(Map.of("path", "/hot"));
    assertThat(hot.directory().windows().getFirst())
        .isEqualTo(new DecisionsJson.DirectoryJson.WindowHeatJson(4, now.truncatedTo(ChronoUnit.MINUTES)
            .minus(Duration.ofMinutes(1)), 500, 20, 600));
    assertThat(hot.moves()).isEmpty();
    assertThat(ServerJson.MAPPER.writeValueAsString(all)).contains(
        "\"settings\":{\"mode\":\"auto\",\"windowSeconds\":300,\"windows\":3,", "\"rule\":\"windows\"",
        "\"at\":\"2026-03-01T10:20:00Z\"", "\"by\":\"auto\",\"undoes\":0,\"state\":\"done\"}");
  }

  private static ReplayJson replay(Map<String, String> parameters, List<DecisionJson> decisions) {
    return ReplayJson.of(
        TestParameters.of(parameters), decisions, new PartitioningSettings(Mode.AUTO, BalancerSettings.DEFAULT),
        () -> 0);
  }

  @Test
  void aReplayWithTheSameSettingsDecidesWhatWasDecided() {
    decide(balancing(Mode.AUTO), 6);
    ReplayJson replay = replay(Map.of(), records.decisions(10));
    assertThat(replay.windows()).extracting(ReplayJson.ReplayedJson::at, ReplayJson.ReplayedJson::outcome)
        .containsExactlyElementsOf(
            records.decisions(10).reversed().stream().map(each -> tuple(each.at(), each.outcome())).toList());
    assertThat(replay.windows().get(2).moves()).isEqualTo(records.decision(3).orElseThrow().moves()).hasSize(1);
    assertThat(replay.groups()).containsExactly(
        new ReplayJson.GroupBalanceJson(0, 800, 800), new ReplayJson.GroupBalanceJson(1, 200, 200));
    assertThat(replay.busiest()).as("1000 of 500 in 3 windows, then 600").isEqualTo(
        new ReplayJson.BalanceJson(1.6, 1.6));
    assertThat(replay.partitions()).extracting(PartitionsJson.PartitionJson::path)
        .containsExactly(RnsPath.ROOT, WARM);
  }

  @Test
  void aReplayWithOtherSettingsShowsWhenDirectoriesWouldHaveMoved() throws Exception {
    decide(balancing(Mode.SUGGEST), 6);
    List<DecisionJson> decisions =
        ServerJson.MAPPER.readValue(
            ServerJson.MAPPER.writeValueAsBytes(why(Map.of("windows", "true"))), ReplayJson.SavedJson.class)
            .newest(TestParameters.of(Map.of("most", "5")));
    assertThat(decisions).isEqualTo(records.decisions(5));
    ReplayJson hasty = replay(Map.of("windows", "1", "gain", "20"), decisions);
    assertThat(hasty.windows()).hasSize(5).first().satisfies(first -> {
      assertThat(first.moves()).extracting(PlanJson.ProposalJson::path).containsExactly(WARM);
      assertThat(first.replayed()).isEqualTo(1_000);
    });
    assertThat(hasty.windows()).last().satisfies(last -> {
      assertThat(last.recorded()).isEqualTo(1_000);
      assertThat(last.replayed()).isEqualTo(600);
    });
    assertThat(hasty.settings().minimumGain()).isEqualTo(0.2);
    assertThat(replay(Map.of("quietHours", "10:00-11:00"), decisions).windows())
        .extracting(ReplayJson.ReplayedJson::rule).contains(Rule.QUIET_HOURS);
    ReplayJson longer = replay(Map.of("windowMillis", "600000", "windows", "2"), decisions);
    assertThat(longer.windows()).extracting(each -> each.at().toString(), ReplayJson.ReplayedJson::outcome)
        .as("pairs that are complete").containsExactly(
            tuple("2026-03-01T10:20:00Z", "refused"), tuple("2026-03-01T10:30:00Z", "proposed"));
  }

  @Test
  void whatCannotBeReplayedIsRefused() throws Exception {
    assertThatThrownBy(() -> replay(Map.of(), List.of()))
        .hasMessage("there is no decision with a window to replay");
    for (String decision : List.of(
        "{}", "{\"at\":\"2026-03-01T10:00:00Z\",\"window\":{}}",
        "{\"at\":\"2026-03-01T10:00:00Z\",\"window\":{\"partitions\":[null]}}")) {
      assertThatThrownBy(
          () -> ServerJson.MAPPER.readValue("{\"decisions\":[" + decision + "]}", ReplayJson.SavedJson.class))
          .as(decision).isInstanceOf(ValueInstantiationException.class).hasMessageContaining("lacks '");
    }
    assertThat(ServerJson.MAPPER.readValue("{}", ReplayJson.SavedJson.class).newest(TestParameters.of(Map.of())))
        .isEmpty();
    decide(balancing(Mode.SUGGEST), 3);
    List<DecisionJson> decisions = records.decisions(3);
    assertThatThrownBy(() -> replay(Map.of("windowMillis", "400000"), decisions))
        .hasMessage("a window of 400 s is no multiple of the recorded ones of 300 s");
    assertThatThrownBy(() -> replay(Map.of("windowMillis", "1200000"), decisions))
        .hasMessage("the recorded windows of 300 s make none of 1200 s");
    assertThatThrownBy(() -> replay(Map.of("quietHours", "nights"), decisions)).hasMessageContaining("'nights'");
    AtomicLong nanos = new AtomicLong();
    assertThatThrownBy(
        () -> ReplayJson.of(
            TestParameters.of(Map.of()), decisions, PartitioningSettings.OFF,
            () -> nanos.getAndAdd(Duration.ofSeconds(9).toNanos())))
        .hasMessage("in 20 s only 2 of 3 windows were replayed; ask for fewer");
  }

  @Test
  void reasonsOfMovesAreParameters() {
    Reason undo = new Reason(Cause.UNDO, 17);
    assertThat(undo.parameters()).isEqualTo("&by=undo&undoes=17");
    assertThat(Reason.of(TestParameters.of(Map.of("by", "undo", "undoes", "17")))).isEqualTo(undo);
    assertThat(Reason.of(TestParameters.of(Map.of()))).isEqualTo(Reason.ASSIGN);
    assertThatThrownBy(() -> Reason.of(TestParameters.of(Map.of("by", "UNDO"))))
        .hasMessage("parameter 'by' is 'UNDO', which means nothing");
  }

  @Test
  void theNewestRecordsAreKept() {
    int unused = database.write(connection -> {
      for (int i = 0; i < PartitionRecordTable.KEPT + 5; i++) {
        assertThat(PartitionRecordTable.write(connection, Kind.MOVE, 0, new byte[]{1})).isEqualTo(i + 1);
      }
      assertThat(PartitionRecordTable.write(connection, Kind.DECISION, 0, new byte[]{1})).isEqualTo(1);
      connection.commit();
      return 0;
    });
    List<PartitionRecordTable.Row> rows = names.partitionRecords(
        connection -> PartitionRecordTable.latest(connection, Kind.MOVE, 2 * PartitionRecordTable.KEPT));
    assertThat(rows).hasSize(PartitionRecordTable.KEPT);
    assertThat(rows.getFirst().number()).isEqualTo(PartitionRecordTable.KEPT + 5);
  }
}
