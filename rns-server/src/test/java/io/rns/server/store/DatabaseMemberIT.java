package io.rns.server.store;

import io.rns.replication.member.DatabaseMember;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rns.error.RnsException;
import io.rns.local.DatabaseProcess;
import io.rns.replication.Topology;
import io.rns.replication.membership.MemberState;
import io.rns.server.Eventually;
import io.rns.server.TestDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three databases that replicate, of processes of their own. */
@Tag("slow")
class DatabaseMemberIT {
  private static final Duration BOUND = Duration.ofSeconds(30);

  @TempDir private static Path temporary;

  private static final List<One> ALL = new ArrayList<>();
  private static int started;
  private static int rows;

  private final One one = ALL.get(0);
  private final One two = ALL.get(1);
  private final One three = ALL.get(2);

  /** A database and what controls it. */
  private record One(TestMember process, DatabaseMember member) {
    static One start() {
      int serverId = ++started;
      TestMember process = TestMember.start(temporary.resolve("database-" + serverId), serverId);
      return new One(process, process.member());
    }

    Connection connect() throws SQLException {
      return DriverManager.getConnection(process.jdbcUrl(), "rns", "rns");
    }

    Connection connectToControl() throws SQLException {
      return DriverManager.getConnection(process.jdbcUrl(), TestMember.CONTROL_USER, TestMember.CONTROL_PASSWORD);
    }

    void write(int row) throws SQLException {
      execute("INSERT INTO written VALUES (" + row + ")");
    }

    void execute(String sql) throws SQLException {
      try (Connection connection = connect()) {
        MemberConnection.execute(connection, sql);
      }
    }

    /** What the account that controls it sees or does. */
    String control(String sql) throws SQLException {
      try (Connection connection = connectToControl()) {
        if (sql.startsWith("SELECT")) {
          return MemberConnection.value(connection, sql);
        }
        MemberConnection.execute(connection, sql);
        return "";
      }
    }

    boolean has(int row) throws SQLException {
      try (Connection connection = connect()) {
        return MemberConnection.value(connection, "SELECT COUNT(*) FROM written WHERE n = " + row).equals("1");
      }
    }

    String checksum(String table) throws SQLException {
      try (Connection connection = connect();
          Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery("CHECKSUM TABLE " + table)) {
        return row.next() ? row.getString(2) : "";
      }
    }

    void follow(One source) {
      member.follow("127.0.0.1", source.process.port());
    }

    void awaitFollowing(One source) throws Exception {
      Eventually.until(
          "it receives from its source: " + member.state(),
          BOUND,
          () -> member.state().receiving() && member.contains(source.member.state().transactions()));
      assertThat(member.state().source()).contains("127.0.0.1:" + source.process.port());
    }

    /** MariaDB tells of a transaction that is in its log before others see it. */
    void awaitRow(int row) throws Exception {
      Eventually.until("row " + row + " is there", BOUND, () -> has(row));
    }

    void awaitWaitingCommit() throws Exception {
      String variable =
          TestMember.onMySql() ? "Rpl_semi_sync_source_wait_sessions" : "Rpl_semi_sync_master_wait_sessions";
      String table = TestMember.onMySql() ? "performance_schema.global_status" : "information_schema.global_status";
      Eventually.until(
          "a commit waits for a replica",
          BOUND,
          () -> control("SELECT variable_value FROM " + table + " WHERE variable_name = '" + variable + "'")
              .equals("1"));
    }

    void close() {
      member.close();
      process.close();
    }
  }

  /** A write by somebody else; completes when it is answered. */
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

  @BeforeAll
  static void start() throws SQLException {
    for (int i = 0; i < 3; i++) {
      ALL.add(One.start());
    }
    for (One each : ALL) {
      MemberState state = each.member().state();
      assertThat(state.writable()).isFalse();
      assertThat(state.source()).isEmpty();
      assertThat(state.transactions()).as("a new database must have nothing of its own").isEmpty();
    }
    One first = ALL.get(0);
    first.member().makeWritable(0);
    first.execute("CREATE TABLE written (n INT PRIMARY KEY)");
  }

  @AfterAll
  static void stop() {
    ALL.forEach(One::close);
  }

  /** Whatever was before: the first is the source, two replicas follow it. */
  @BeforeEach
  void form() throws Exception {
    one.member.makeWritable(1);
    for (One replica : List.of(two, three)) {
      replica.follow(one);
    }
    for (One replica : List.of(two, three)) {
      replica.awaitFollowing(one);
    }
    Eventually.until("both acknowledge", BOUND, () -> one.member.state().acknowledging().orElse(0) == 2);
  }

  private static int row() {
    return ++rows;
  }

  @Test
  void aDatabaseWithoutABinaryLogIsNoMember() {
    try (DatabaseProcess single = TestDatabase.own(temporary.resolve("single"))) {
      assertThatThrownBy(
          () -> DatabaseMembers.of(Topology.SOURCE_REPLICA, single.jdbcUrl(), "rns", "rns", Duration.ofSeconds(3)))
          .isInstanceOf(RnsException.class)
          .hasMessageContaining("writes no binary log, so no other can follow it: start it with log-bin");
    }
  }

  /** A switchover asks before it stops anything. */
  @Test
  void whetherAnotherDatabaseCanBeReachedIsKnownBeforeItIsFollowed() {
    one.member.checkReaches("127.0.0.1", two.process.port());
    assertThatThrownBy(() -> one.member.checkReaches("127.0.0.1", one.process.port()))
        .isInstanceOf(RnsException.class).hasMessageContaining("reaches itself");
    assertThatThrownBy(() -> one.member.checkReaches("127.0.0.1", 1)).isInstanceOf(RnsException.class)
        .hasMessageContaining("127.0.0.1:1 as " + TestMember.CONTROL_USER);
  }

  @Test
  void whatIsWrittenReachesTheReplicas() throws Exception {
    int row = row();
    one.write(row);
    String written = one.member.state().transactions();
    for (One replica : List.of(two, three)) {
      Eventually.until("the row arrives", BOUND, () -> replica.has(row));
      assertThat(replica.member.contains(written)).isTrue();
      MemberState state = replica.member.state();
      assertThat(state.writable()).isFalse();
      assertThat(state.receiving()).isTrue();
      assertThat(state.applying()).isTrue();
      assertThat(state.trouble()).isEmpty();
      assertThat(state.transactions()).isEqualTo(written);
      assertThat(state.acknowledging()).isEmpty();
      assertThatThrownBy(() -> replica.write(row()))
          .isInstanceOfSatisfying(SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(1290));
    }
    assertThat(one.member.state().source()).isEmpty();
    assertThat(one.member.state().writable()).isTrue();
  }

  @Test
  void aCommitWaitsForAReplica() throws Exception {
    two.member.stopReceiving();
    three.member.stopReceiving();
    Eventually.until("nobody acknowledges", BOUND, () -> one.member.state().acknowledging().equals(OptionalInt.of(0)));
    int row = row();
    CompletableFuture<Void> write = writeAside(one, row);
    one.awaitWaitingCommit();
    assertThat(one.has(row)).as("visible before it is safe").isFalse();
    assertThat(write).isNotDone();
    three.follow(one);
    write.get(BOUND.toSeconds(), TimeUnit.SECONDS);
    assertThat(one.has(row)).isTrue();
    assertThat(three.member.awaitApplied(BOUND)).isTrue();
    assertThat(three.has(row)).isTrue();
  }

  @Test
  void aCommitWaitsForTwoReplicasWhereTheEngineCountsThem() throws Exception {
    assumeTrue(one.member.mostAcknowledgements() == 2, "a MariaDB waits for one replica");
    one.member.makeWritable(2);
    three.member.stopReceiving();
    Eventually.until(
        "one acknowledges", BOUND, () -> one.member.state().acknowledging().equals(OptionalInt.of(1)));
    int row = row();
    CompletableFuture<Void> write = writeAside(one, row);
    one.awaitWaitingCommit();
    Eventually.until("one of the two has it", BOUND, () -> two.has(row));
    assertThat(one.has(row)).as("visible before it is safe").isFalse();
    assertThat(write).isNotDone();
    three.follow(one);
    write.get(BOUND.toSeconds(), TimeUnit.SECONDS);
    assertThat(one.has(row)).isTrue();
    one.member.makeWritable(1);
    two.member.stopReceiving();
    one.write(row());
  }

  @Test
  void aCommitWaitsForNobodyIfSoChosen() throws Exception {
    one.member.makeWritable(0);
    two.member.stopReceiving();
    three.member.stopReceiving();
    int row = row();
    writeAside(one, row).get(BOUND.toSeconds(), TimeUnit.SECONDS);
    assertThat(one.member.state().acknowledging()).isEmpty();
    assertThat(two.has(row)).isFalse();
  }

  @Test
  void nothingIsCommittedOnceItIsReadOnly() throws Exception {
    int row = row();
    try (Connection open = one.connect()) {
      open.setAutoCommit(false);
      MemberConnection.execute(open, "INSERT INTO written VALUES (" + row + ")");
      one.member.makeReadOnly();
      assertThatThrownBy(open::commit).isInstanceOf(SQLException.class);
    }
    assertThat(one.has(row)).isFalse();
    one.member.makeReadOnly();
  }

  @Test
  void aPlannedSwitchLosesNothing() throws Exception {
    int before = row();
    one.write(before);
    long start = System.nanoTime();
    one.member.makeReadOnly();
    long readOnly = System.nanoTime();
    String last = one.member.state().transactions();
    Eventually.until("the new source has all", BOUND, () -> two.member.contains(last));
    two.member.stopReceiving();
    assertThat(two.member.awaitApplied(BOUND)).isTrue();
    two.member.makeWritable(1);
    long writable = System.nanoTime();
    one.follow(two);
    three.follow(two);
    int after = row();
    two.write(after);
    report("switch: read-only %d ms, promotion %d ms, first commit after %d ms", start, readOnly, writable);
    one.awaitFollowing(two);
    three.awaitFollowing(two);
    for (One each : ALL) {
      each.awaitRow(before);
      each.awaitRow(after);
    }
    assertThat(two.member.contains(last)).isTrue();
    switchTo(two, one);
  }

  private void switchTo(One from, One to) throws Exception {
    from.member.makeReadOnly();
    to.awaitFollowing(from);
    assertThat(to.member.awaitApplied(BOUND)).isTrue();
    to.member.makeWritable(1);
    from.follow(to);
  }

  /**
   * MySQL gives the lowest number that is free, so another member that has what the rebuilt one has lost passed for
   * having the namesakes of that.
   */
  @Test
  void aRebuiltDatabaseGivesNoNumberAgain() throws Exception {
    assumeTrue(TestMember.onMySql(), "a MariaDB counts on from what others have committed");
    try (Database service = new Database(TestDatabase.settings(two.process.jdbcUrl()))) {
      two.member.makeWritable(0);
      commit(service, row());
      String lost = two.member.state().transactions();
      for (int rebuilds = 1; rebuilds <= 2; rebuilds++) {
        two.member.copyFrom("127.0.0.1", one.process.port());
        two.follow(one);
        two.awaitFollowing(one);
        switchTo(one, two);
        String before = two.member.state().transactions();
        assertThat(two.member.contains(lost)).isFalse();
        commit(service, row());
        assertThat(two.member.contains(lost)).as("%s after %s", two.member.state().transactions(), before).isFalse();
        one.awaitFollowing(two);
        switchTo(two, one);
        two.member.makeWritable(0);
        commit(service, row());
        lost = two.member.state().transactions();
      }
    }
    two.member.copyFrom("127.0.0.1", one.process.port());
  }

  private static void commit(Database service, int row) {
    service.takeOver(connection -> {
      MemberConnection.execute(connection, "INSERT INTO written VALUES (" + row + ")");
      connection.commit();
      return true;
    });
  }

  @Test
  void theMostAdvancedReplicaTakesOver() throws Exception {
    three.member.stopReceiving();
    int acknowledged = row();
    one.write(acknowledged);
    one.process.kill();
    long start = System.nanoTime();
    assertThatThrownBy(() -> one.member.state()).isInstanceOf(RnsException.class).hasMessageContaining("127.0.0.1");
    two.member.stopReceiving();
    assertThat(two.member.awaitApplied(BOUND)).isTrue();
    assertThat(three.member.awaitApplied(BOUND)).isTrue();
    assertThat(two.member.contains(three.member.state().transactions())).isTrue();
    assertThat(three.member.contains(two.member.state().transactions())).isFalse();
    two.member.makeWritable(1);
    long writable = System.nanoTime();
    three.follow(two);
    int after = row();
    two.write(after);
    report("failover: promotion %d ms, first commit after %d ms", start, writable);
    three.awaitFollowing(two);
    three.awaitRow(acknowledged);
    three.awaitRow(after);

    one.process.restart();
    assertThat(one.member.state().writable()).isFalse();
    assertThat(one.member.state().source()).isEmpty();
    assertThat(two.member.contains(one.member.state().transactions())).isTrue();
    one.follow(two);
    one.awaitFollowing(two);
    one.awaitRow(after);
    switchTo(two, one);
  }

  /** A commit that nobody acknowledged is cut off, and makes its database one that the others do not contain. */
  @Test
  void whatOnlyTheOldSourceHasIsSeen() throws Exception {
    two.member.stopReceiving();
    three.member.stopReceiving();
    Eventually.until("nobody acknowledges", BOUND, () -> one.member.state().acknowledging().equals(OptionalInt.of(0)));
    CompletableFuture<Void> write = writeAside(one, row());
    one.awaitWaitingCommit();
    assertThat(two.member.contains(one.member.state().transactions()))
        .as("MySQL counts a commit only when it is over").isEqualTo(TestMember.onMySql());
    long start = System.nanoTime();
    one.member.makeReadOnly();
    report("read-only past a waiting commit: %d ms", start);
    assertThatThrownBy(() -> write.get(BOUND.toSeconds(), TimeUnit.SECONDS))
        .as("never acknowledged")
        .isInstanceOf(ExecutionException.class);
    String more = one.member.state().transactions();
    assertThat(two.member.contains(more)).isFalse();
    two.member.makeWritable(1);
    three.follow(two);
    for (int i = 0; i < 3; i++) {
      two.write(row());
    }
    assertThat(two.member.contains(more)).as("its sequence number was given to another transaction").isFalse();
    assertThat(three.member.contains(more)).isFalse();

    one.process.kill();
    one.process.restart();
    assertThat(two.member.contains(one.member.state().transactions())).isFalse();
    one.close();
    ALL.set(0, One.start());
    ALL.get(0).follow(two);
    ALL.get(0).awaitFollowing(two);
    switchTo(two, ALL.get(0));
  }

  @Test
  void eachRunOfADatabaseIsAnother() throws Exception {
    long run = three.member.state().run();
    assertThat(run).isNotEqualTo(MemberState.UNKNOWN_RUN).isNotEqualTo(one.member.state().run());
    try (DatabaseMember other = three.process.member()) {
      assertThat(other.state().run()).as("for another server").isEqualTo(run);
    }
    switchTo(one, three);
    assertThat(three.member.state().run()).as("in another role").isEqualTo(run);
    switchTo(three, one);
    three.awaitFollowing(one);
    assertThat(three.member.state().run()).isEqualTo(run);
    three.process.kill();
    three.process.restart();
    long next = three.member.state().run();
    assertThat(next).isNotEqualTo(run).isNotEqualTo(MemberState.UNKNOWN_RUN);
    // Also if the first look is that of a source.
    three.process.kill();
    three.process.restart();
    three.member.makeWritable(1);
    assertThat(three.member.state().run()).isNotIn(run, next, MemberState.UNKNOWN_RUN);
  }

  @Test
  void aRestartedReplicaWaitsToBeTold() throws Exception {
    three.process.kill();
    int row = row();
    one.write(row);
    three.process.restart();
    MemberState state = three.member.state();
    assertThat(state.writable()).isFalse();
    assertThat(state.source()).contains("127.0.0.1:" + one.process.port());
    assertThat(state.receiving()).isFalse();
    three.follow(one);
    three.awaitFollowing(one);
    three.awaitRow(row);
  }

  @Test
  void whatWasReceivedIsAppliedBeforeItTakesWrites() throws Exception {
    three.member.stopReceiving();
    int row = row();
    try (Connection held = two.connectToControl()) {
      MemberConnection.execute(held, "FLUSH TABLES WITH READ LOCK");
      one.write(row);
      assertThat(two.member.awaitApplied(Duration.ofMillis(300))).isFalse();
      assertThatThrownBy(() -> two.member.makeWritable(1))
          .isInstanceOf(RnsException.class)
          .hasMessageContaining("not applied");
    }
    assertThat(two.member.state().writable()).isFalse();
    assertThat(two.member.awaitApplied(BOUND)).isTrue();
    assertThat(two.has(row)).isTrue();
  }

  @Test
  void whatWasReceivedIsAppliedAlsoIfTheApplierWasStopped() throws Exception {
    two.control("STOP " + (TestMember.onMySql() ? "REPLICA" : "SLAVE") + " SQL_THREAD");
    three.member.stopReceiving();
    int row = row();
    one.write(row);
    assertThat(two.member.state().applying()).isFalse();
    assertThat(two.member.awaitApplied(Duration.ofMillis(300))).isFalse();
    two.member.stopReceiving();
    assertThat(two.member.awaitApplied(BOUND)).isTrue();
    assertThat(two.has(row)).isTrue();
  }

  /** What it has received and not applied is nowhere else if its source is lost. */
  @Test
  void whoFollowsTheSameSourceAgainKeepsWhatItHasReceived() throws Exception {
    three.member.stopReceiving();
    int row = row();
    try (Connection held = two.connectToControl()) {
      MemberConnection.execute(held, "FLUSH TABLES WITH READ LOCK");
      one.write(row);
      two.member.stopReceiving();
      MemberState stopped = two.member.state();
      String received = two.member.withReceived(stopped);
      assertThat(two.member.contains(stopped.transactions())).isTrue();
      assertThat(two.member.contains(received)).isFalse();
      assertThat(one.member.contains(received)).isTrue();
      one.process.kill();
      two.follow(one);
      assertThat(two.member.withReceived(two.member.state())).isEqualTo(received);
    }
    Eventually.until("it applies that", BOUND, () -> two.has(row));
    one.process.restart();
    one.member.makeWritable(1);
  }

  @Test
  void aCopyIsTakenWhileWritesGoOn() throws Exception {
    one.execute(
        "CREATE TABLE kept (n INT PRIMARY KEY, name VARBINARY(100), text VARCHAR(100) CHARACTER SET utf8mb4, epr MEDIUMBLOB)");
    one.execute("INSERT INTO kept VALUES (0, UNHEX('00FF27'), 'caf\u00e9 \\\\ it''s', NULL)");
    for (int i = 1; i < 1 << 15; i *= 2) {
      one.execute("INSERT INTO kept SELECT n + " + i
          + ", UNHEX(SHA2(n, 256)), text, REPEAT(UNHEX('000A5C27FF'), 40) FROM kept");
    }
    AtomicBoolean enough = new AtomicBoolean();
    One source = one;
    CompletableFuture<Integer> writer =
        CompletableFuture.supplyAsync(() -> writeUntil(source, enough), Thread::startVirtualThread);
    One joining = One.start();
    try {
      // Transactions of its own do not keep it out.
      joining.member.makeWritable(0);
      joining.execute("CREATE TABLE written (other INT)");
      assertThat(one.member.contains(joining.member.state().transactions())).isFalse();
      for (int i = 0; i < 3; i++) {
        copy(one, joining);
      }
      enough.set(true);
      assertThat(writer.get(BOUND.toSeconds(), TimeUnit.SECONDS)).isPositive();
      joining.awaitFollowing(one);
      assertThat(joining.member.awaitApplied(BOUND)).isTrue();
      for (String table : List.of("written", "kept")) {
        assertThat(joining.checksum(table)).isEqualTo(one.checksum(table)).isNotEqualTo("0");
      }
      one.execute("DROP TABLE kept");
      switchTo(one, joining);
      joining.write(row());
      for (One each : ALL) {
        each.follow(joining);
        each.awaitFollowing(joining);
      }
      switchTo(joining, one);
    } finally {
      enough.set(true);
      joining.close();
    }
  }

  /** Once it is connected, a source does not check any more what a replica lacks. */
  @Test
  void aReplicaThatLacksWhatItsRebuiltSourceHasGetsNothingMore() throws Exception {
    three.follow(two);
    three.awaitFollowing(two);
    two.member.stopReceiving();
    one.member.makeWritable(0);
    int missed = row();
    one.write(missed);
    two.member.copyFrom("127.0.0.1", one.process.port());
    two.follow(one);
    two.awaitFollowing(one);
    int later = row();
    one.write(later);
    two.awaitRow(later);
    Eventually.until("it is refused: " + three.member.state(), BOUND, () -> !three.member.state().receiving());
    assertThat(three.has(later)).isFalse();
    three.follow(one);
    three.awaitFollowing(one);
    three.awaitRow(missed);
  }

  private static void copy(One from, One to) throws Exception {
    long start = System.nanoTime();
    to.member.copyFrom("127.0.0.1", from.process.port());
    report("copy of 32768 rows of 250 bytes: %d ms", start);
    MemberState copied = to.member.state();
    assertThat(copied.writable()).isFalse();
    assertThat(copied.source()).isEmpty();
    assertThat(from.member.contains(copied.transactions())).isTrue();
    assertThat(to.member.contains(copied.transactions())).isTrue();
    assertThat(from.member.reachesBack()).isTrue();
    assertThat(to.member.reachesBack()).isEqualTo(TestMember.onMySql());
    to.follow(from);
    to.awaitFollowing(from);
    assertThat(to.member.state().trouble()).isEmpty();
  }

  private static int writeUntil(One where, AtomicBoolean enough) {
    int written = 0;
    try (Connection connection = where.connect()) {
      while (!enough.get()) {
        MemberConnection.execute(connection, "INSERT INTO written VALUES (" + (1_000_000 + ++written) + ")");
        MemberConnection.execute(connection, "UPDATE kept SET n = -n WHERE n = " + written);
      }
      return written;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Prints milliseconds from each of these instants to the next, and from the last to now. */
  private static void report(String format, long... instants) {
    Object[] spans = new Object[instants.length];
    for (int i = 0; i < instants.length; i++) {
      long end = i + 1 < instants.length ? instants[i + 1] : System.nanoTime();
      spans[i] = (end - instants[i]) / 1_000_000;
    }
    System.out.println(String.format(format, spans));
  }
}
