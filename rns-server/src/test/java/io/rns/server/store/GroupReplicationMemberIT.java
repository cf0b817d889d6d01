package io.rns.server.store;

import io.rns.replication.member.DatabaseMember;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.error.RnsException;
import io.rns.replication.membership.MemberState;
import io.rns.server.Eventually;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three MySQL servers that are one group, of processes of their own. */
@Tag("slow")
class GroupReplicationMemberIT {
  private static final Duration BOUND = Duration.ofMinutes(2);

  @TempDir private static Path temporary;

  private static final List<One> ALL = new ArrayList<>();
  private static int rows;

  /** A database and what controls it. */
  private record One(TestMember process, DatabaseMember member) {
    static One start() {
      int serverId = ALL.size() + 1;
      TestMember process = TestMember.startGrouped(temporary.resolve("database-" + serverId), serverId);
      return new One(process, process.member());
    }

    Connection connect() throws SQLException {
      return DriverManager.getConnection(process.jdbcUrl(), "rns", "rns");
    }

    void execute(String sql) throws SQLException {
      try (Connection connection = connect()) {
        MemberConnection.execute(connection, sql);
      }
    }

    void write(int row) throws SQLException {
      execute("INSERT INTO written VALUES (" + row + ")");
    }

    boolean has(int row) throws SQLException {
      try (Connection connection = connect()) {
        return MemberConnection.value(connection, "SELECT COUNT(*) FROM written WHERE n = " + row).equals("1");
      }
    }

    String address() {
      return "127.0.0.1:" + process.port();
    }

    void follow(One other) {
      member.follow("127.0.0.1", other.process.port());
    }

    /** As servers do: again and again. */
    void join(One other) throws Exception {
      Eventually.until("it joins", BOUND, () -> joins(other));
    }

    private boolean joins(One other) {
      try {
        follow(other);
        return true;
      } catch (RnsException e) {
        return false;
      }
    }

    boolean isAt(One primary) {
      MemberState state = member.state();
      return state.receiving() && state.applying() && state.source().equals(java.util.Optional.of(primary.address()));
    }
  }

  @BeforeAll
  static void start() throws Exception {
    TestMember.assumeGroups();
    for (int i = 0; i < 3; i++) {
      ALL.add(One.start());
    }
    for (One each : ALL) {
      MemberState state = each.member.state();
      assertThat(state.writable()).isFalse();
      assertThat(state.receiving()).isFalse();
      assertThat(state.chosen()).isFalse();
      assertThat(state.source()).isEmpty();
      assertThat(state.trouble()).isEmpty();
      assertThat(state.transactions()).as("a new database must have nothing of its own").isEmpty();
      assertThatThrownBy(() -> each.member.makeWritable(1))
          .isInstanceOf(RnsException.class)
          .hasMessageContaining("is not a member of a group");
    }
    ALL.get(0).member.makeFirst(1);
    ALL.get(0).execute("CREATE TABLE written (n INT PRIMARY KEY)");
    ALL.get(1).join(ALL.get(0));
    ALL.get(2).join(ALL.get(0));
  }

  @AfterAll
  static void stop() {
    for (One each : ALL) {
      each.member.close();
      each.process.kill();
      each.process.close();
    }
  }

  /** Whatever was before: all are members, whichever is the primary. */
  @BeforeEach
  void form() throws Exception {
    for (One each : ALL) {
      Eventually.until("it takes part", BOUND, () -> each.member.state().applying());
    }
    Eventually.until("both others are there", BOUND, () -> primary().member.state().acknowledging().orElse(0) == 2);
  }

  private static One primary() throws Exception {
    List<One> found = new ArrayList<>();
    Eventually.until(
        "one is the primary",
        BOUND,
        () -> {
          found.clear();
          ALL.stream().filter(each -> isWritable(each)).forEach(found::add);
          return found.size() == 1;
        });
    return found.get(0);
  }

  private static boolean isWritable(One each) {
    try {
      return each.member.state().writable();
    } catch (RnsException e) {
      return false;
    }
  }

  private static List<One> without(One one) {
    return ALL.stream().filter(each -> !each.equals(one)).toList();
  }

  private static int row() {
    return ++rows;
  }

  /** The one that the others choose instead. */
  private static One awaitOther(One former) throws Exception {
    List<One> found = new ArrayList<>();
    Eventually.until(
        "another one is the primary",
        BOUND,
        () -> {
          without(former).stream().filter(GroupReplicationMemberIT::isWritable).forEach(found::add);
          return !found.isEmpty();
        });
    return found.get(0);
  }

  @Test
  void oneDatabaseJoinsAfterTheOther() throws Exception {
    One joined = primary();
    One leaver = ALL.stream().filter(each -> !each.equals(joined)).findFirst().orElseThrow();
    leaver.member.stopReceiving();
    Eventually.until("it is missed", BOUND, () -> joined.member.state().acknowledging().orElse(2) == 1);
    try (Connection other = joined.connect()) {
      assertThat(MemberConnection.value(other, "SELECT GET_LOCK('rns-join', 0)")).isEqualTo("1");
      assertThatThrownBy(() -> leaver.follow(joined)).isInstanceOf(RnsException.class)
          .hasMessageContaining("another one is joining");
    }
    leaver.join(joined);
  }

  @Test
  void whatIsWrittenReachesTheOthersWhichTakeNoWrites() throws Exception {
    One primary = primary();
    int row = row();
    primary.write(row);
    String written = primary.member.state().transactions();
    for (One other : without(primary)) {
      assertThat(other.isAt(primary)).isTrue();
      Eventually.until("the row arrives", BOUND, () -> other.has(row));
      assertThat(other.member.contains(written)).isTrue();
      MemberState state = other.member.state();
      assertThat(state.writable()).isFalse();
      assertThat(state.chosen()).isFalse();
      assertThat(state.acknowledging()).isEmpty();
      assertThat(state.trouble()).isEmpty();
      assertThatThrownBy(() -> other.write(row()))
          .isInstanceOfSatisfying(SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(1290));
      other.join(primary);
    }
    MemberState state = primary.member.state();
    assertThat(state.chosen()).isTrue();
    assertThat(state.source()).isEmpty();
    assertThatThrownBy(() -> primary.member.makeFirst(1))
        .isInstanceOf(RnsException.class)
        .hasMessageContaining("still a member");
  }

  @Test
  void thePrimaryIsChangedAsPlannedAndLosesNothing() throws Exception {
    One former = primary();
    One next = without(former).get(0);
    int before = row();
    former.write(before);
    try (Connection open = former.connect()) {
      open.setAutoCommit(false);
      MemberConnection.execute(open, "INSERT INTO written VALUES (" + row() + ")");
      former.member.makeReadOnly();
      assertThatThrownBy(open::commit).isInstanceOf(SQLException.class);
    }
    assertThat(former.member.state().writable()).isFalse();
    assertThat(former.member.state().chosen()).as("still the one of the group").isTrue();
    String last = former.member.state().transactions();
    next.member.makeWritable(1);
    assertThat(next.member.state().writable()).isTrue();
    assertThat(next.member.contains(last)).isTrue();
    int after = row();
    next.write(after);
    for (One other : without(next)) {
      Eventually.until("it follows", BOUND, () -> other.isAt(next) && other.has(after) && other.has(before));
    }
    assertThat(former.member.state().writable()).isFalse();
  }

  @Test
  void aTransactionThatIsLeftOpenDoesNotKeepThePrimaryFromBeingChanged() throws Exception {
    One former = primary();
    One next = without(former).get(0);
    int never = row();
    try (Connection open = former.connect()) {
      open.setAutoCommit(false);
      MemberConnection.execute(open, "INSERT INTO written VALUES (" + never + ")");
      next.member.makeWritable(1);
      next.write(row());
      assertThatThrownBy(open::commit).isInstanceOf(SQLException.class);
    }
    assertThat(next.has(never)).isFalse();
  }

  @Test
  void aPrimaryThatWasMadeReadOnlyTakesWritesAgain() throws Exception {
    One primary = primary();
    primary.member.makeReadOnly();
    primary.member.makeReadOnly();
    assertThatThrownBy(() -> primary.write(row())).isInstanceOf(SQLException.class);
    primary.member.makeWritable(1);
    primary.write(row());
  }

  @Test
  void anotherOneTakesOverByItselfWhenThePrimaryDiesAndItComesBack() throws Exception {
    One dead = primary();
    int before = row();
    dead.write(before);
    dead.process.kill();
    One next = awaitOther(dead);
    assertThat(next.has(before)).isTrue();
    int after = row();
    next.write(after);
    assertThat(next.member.state().acknowledging()).hasValue(1);
    dead.process.restart();
    MemberState back = dead.member.state();
    assertThat(back.writable()).isFalse();
    assertThat(back.receiving()).isFalse();
    assertThat(next.member.contains(back.transactions())).isTrue();
    dead.join(next);
    Eventually.until("it has what it missed", BOUND, () -> dead.isAt(next) && dead.has(after));
  }

  @Test
  void aMemberThatIsKilledAndStartedAtOnceJoinsAsSoonAsItsFormerLifeIsForgotten() throws Exception {
    One primary = primary();
    One dead = without(primary).get(1);
    dead.process.kill();
    dead.process.restart();
    dead.join(primary);
    int row = row();
    primary.write(row);
    Eventually.until("it has what is written", BOUND, () -> dead.isAt(primary) && dead.has(row));
  }

  @Test
  void aPrimaryThatWasPausedCannotCommit() throws Exception {
    One paused = primary();
    int never = row();
    int after = row();
    One next;
    try (Connection open = paused.connect()) {
      open.setAutoCommit(false);
      MemberConnection.execute(open, "INSERT INTO written VALUES (" + never + ")");
      paused.process.pause();
      try {
        next = awaitOther(paused);
        next.write(after);
      } finally {
        paused.process.resume();
      }
      assertThatThrownBy(open::commit).isInstanceOf(SQLException.class);
    }
    Eventually.until("it knows", BOUND, () -> !paused.member.state().writable() && !paused.member.state().receiving());
    assertThat(paused.member.state().trouble()).hasValueSatisfying(text -> assertThat(text).contains("thrown out"));
    assertThatThrownBy(() -> paused.write(row())).isInstanceOf(SQLException.class);
    One back = next;
    assertThat(back.member.contains(paused.member.state().transactions())).isTrue();
    paused.join(back);
    Eventually.until("it has what it missed", BOUND, () -> paused.isAt(back) && paused.has(after));
    for (One each : ALL) {
      assertThat(each.has(never)).isFalse();
    }
  }

  @Test
  void aPrimaryWithoutAMajorityDoesNotCommitAndLeavesAndTheGroupIsBegunAnew() throws Exception {
    One alone = primary();
    int never = row();
    for (One other : without(alone)) {
      other.process.pause();
    }
    CompletableFuture<Void> write = writeAside(alone, never);
    assertThatThrownBy(() -> write.get(BOUND.toSeconds(), TimeUnit.SECONDS))
        .as("never acknowledged")
        .isInstanceOf(ExecutionException.class);
    Eventually.until("it is read-only", BOUND, () -> !alone.member.state().writable());
    assertThat(alone.member.state().receiving()).isFalse();
    for (One other : without(alone)) {
      other.process.kill();
      other.process.restart();
      assertThat(alone.member.contains(other.member.state().transactions())).isTrue();
      assertThatThrownBy(() -> other.follow(alone))
          .as("not a minute's wait for a majority")
          .isInstanceOf(RnsException.class)
          .hasMessageContaining("cannot join the group");
    }
    alone.member.makeFirst(1);
    int after = row();
    alone.write(after);
    for (One other : without(alone)) {
      other.join(alone);
      Eventually.until("it has what is written", BOUND, () -> other.isAt(alone) && other.has(after));
      assertThat(other.has(never)).isFalse();
    }
  }

  private static CompletableFuture<Void> writeAside(One where, int row) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            where.write(row);
          } catch (SQLException e) {
            throw new IllegalStateException(e);
          }
        },
        Thread::startVirtualThread);
  }

  @Test
  void aMemberGetsItsCopyFromThePrimaryWhenItHasTransactionsOfItsOwn() throws Exception {
    One primary = primary();
    One strange = without(primary).get(0);
    int row = row();
    primary.write(row);
    strange.member.stopReceiving();
    assertThat(strange.member.state().receiving()).isFalse();
    assertThat(strange.member.awaitApplied(BOUND)).isTrue();
    strange.member.makeFirst(0);
    strange.write(row());
    assertThat(primary.member.contains(strange.member.state().transactions())).isFalse();
    strange.member.stopReceiving();
    assertThatThrownBy(() -> strange.follow(primary)).isInstanceOf(RnsException.class)
        .hasMessageContaining("join the group");
    strange.member.copyFrom("127.0.0.1", primary.process.port());
    assertThat(primary.member.contains(strange.member.state().transactions())).isTrue();
    strange.join(primary);
    Eventually.until("it follows", BOUND, () -> strange.isAt(primary) && strange.has(row));
  }
}
