package io.rns.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.error.RnsException;
import io.rns.local.DatabaseProcess;
import io.rns.replication.member.DatabaseMember;
import io.rns.replication.membership.MemberPromise;
import io.rns.server.Eventually;
import io.rns.server.TestDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a database keeps for its server alone: on its disk, whatever its role, and never at others. */
@Tag("slow")
class MemberPromiseIT {
  private static final Duration BOUND = Duration.ofSeconds(30);
  private static final MemberPromise FIRST = new MemberPromise(3, "http://one.example.org:8080/rns", 2, 0, 2, 2, 0, 0);
  private static final MemberPromise SECOND =
      new MemberPromise(4, "http://\u00fc.example.org:8080/rns", 3, 4, 2, 3, 1, 1_700_000_000);

  private static final String EARLIER =
      "REPLACE INTO rns.member_promise (id, term, proposer, accepted, cut_off, led, forced, vouched_run) "
          + "VALUES (1, 3, 'http://one.example.org:8080/rns', 2, 0, 2, 0, 0)";

  @TempDir private Path temporary;

  private TestMember process;
  private DatabaseMember member;

  @BeforeEach
  void start() {
    process = TestMember.start(temporary.resolve("one"), 1);
    member = process.member();
  }

  @AfterEach
  void stop() {
    member.close();
    process.close();
  }

  private Connection data() throws SQLException {
    return data(process);
  }

  private static Connection data(TestMember process) throws SQLException {
    return DriverManager.getConnection(process.jdbcUrl(), "rns", "rns");
  }

  private Connection control() throws SQLException {
    return DriverManager.getConnection(process.jdbcUrl(), TestMember.CONTROL_USER, TestMember.CONTROL_PASSWORD);
  }

  private Database service() {
    return new Database(TestDatabase.settings(process.jdbcUrl() + "&user=rns&password=rns"));
  }

  /** As another server would read it. */
  private MemberPromise stored() {
    try (DatabaseMember other = process.member()) {
      return other.promise();
    }
  }

  private void assertReadOnlyAsBefore() throws SQLException {
    assertThat(member.state().writable()).isFalse();
    try (Connection data = data(); Connection control = control()) {
      assertThatThrownBy(() -> MemberConnection.execute(data, "CREATE TABLE refused (n INT)"))
          .isInstanceOfSatisfying(SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(1290));
      String variable = TestMember.onMySql() ? "super_read_only" : "read_only";
      assertThat(MemberConnection.value(control, "SELECT @@global." + variable)).isEqualTo("1");
    }
  }

  @Test
  void isKeptByAnEmptyDatabaseThatRefusesWritesThoughItIsKilledAtOnce() throws Exception {
    assertThat(member.promise()).isEqualTo(MemberPromise.NONE);
    assertThat(stored()).isEqualTo(MemberPromise.NONE);
    member.promise(FIRST);
    process.kill();
    process.restart();
    assertThat(stored()).isEqualTo(FIRST);
    assertThat(member.state().transactions()).isEmpty();
    assertThat(member.promise()).isEqualTo(FIRST);
    assertReadOnlyAsBefore();
    member.promise(SECOND);
    process.kill();
    process.restart();
    assertThat(stored()).isEqualTo(SECOND);
    assertReadOnlyAsBefore();
    assertThat(member.state().transactions()).as("it is no transaction").isEmpty();
  }

  @Test
  void isReadAgainAfterAReconnect() throws Exception {
    member.promise(FIRST);
    try (DatabaseMember other = process.member()) {
      other.promise(SECOND);
    }
    assertThat(member.promise()).as("known").isEqualTo(FIRST);
    process.kill();
    process.restart();
    assertThat(member.state().writable()).isFalse();
    assertThat(member.promise()).isEqualTo(SECOND);
  }

  private static void createAsEarlier(Connection control) throws SQLException {
    MemberConnection.execute(control, "SET SESSION sql_log_bin = 0");
    pastReadOnly(control, "CREATE TABLE rns.member_promise (id TINYINT NOT NULL PRIMARY KEY, "
        + "term INT NOT NULL, proposer VARCHAR(500) CHARACTER SET utf8mb4 NOT NULL, accepted INT NOT NULL, "
        + "cut_off INT NOT NULL, led INT NOT NULL, forced INT NOT NULL, vouched_run BIGINT NOT NULL) ENGINE = InnoDB");
    pastReadOnly(control, EARLIER);
  }

  private Connection backupAccount() throws SQLException {
    return TestMember.onMySql() ? DriverManager.getConnection(process.jdbcUrl(), "root", "") : control();
  }

  /** Until the connection is closed, no table can be altered. */
  private static void lockForBackup(Connection connection) throws SQLException {
    for (String lock : TestMember.onMySql() ? List.of("LOCK INSTANCE FOR BACKUP")
        : List.of("BACKUP STAGE START", "BACKUP STAGE BLOCK_DDL")) {
      MemberConnection.execute(connection, lock);
    }
  }

  private static boolean isComplete(Connection control) throws SQLException {
    return MemberConnection.value(
        control,
        "SELECT COUNT(*) FROM information_schema.columns WHERE table_schema = 'rns' "
            + "AND table_name = 'member_promise' AND column_name = 'chosen'")
        .equals("1");
  }

  /**
   * The table got a column, which an earlier version that is installed again does not write. The first promise added
   * it, and a change of the primary had to wait for that.
   */
  @Test
  void aTableOfAnEarlierVersionIsCompletedWhenItIsFirstRead() throws Exception {
    try (Connection control = control()) {
      createAsEarlier(control);
      assertThat(member.promise()).isEqualTo(FIRST);
      assertThat(isComplete(control)).isTrue();
      assertReadOnlyAsBefore();
      assertThat(stored()).isEqualTo(FIRST);
      member.promise(SECOND);
      process.kill();
      process.restart();
      assertThat(stored()).isEqualTo(SECOND);
      assertReadOnlyAsBefore();
      assertThat(member.state().transactions()).as("it is no transaction").isEmpty();
    }
    try (Connection control = control()) {
      MemberConnection.execute(control, "SET SESSION sql_log_bin = 0");
      pastReadOnly(control, EARLIER);
    }
    assertThat(stored()).isEqualTo(FIRST);
  }

  @Test
  void aTableOfAnEarlierVersionIsReadDuringABackupAndCompletedByTheFirstPromiseAfterwards() throws Exception {
    try (Connection control = control()) {
      createAsEarlier(control);
      try (Connection backup = backupAccount()) {
        lockForBackup(backup);
        assertThat(member.promise()).isEqualTo(FIRST);
        assertThat(isComplete(control)).isFalse();
        assertReadOnlyAsBefore();
      }
      member.promise(SECOND);
      assertThat(isComplete(control)).isTrue();
      assertThat(stored()).isEqualTo(SECOND);
      assertReadOnlyAsBefore();
      assertThat(member.state().transactions()).as("it is no transaction").isEmpty();
    }
  }

  private static void pastReadOnly(Connection control, String statement) throws SQLException {
    if (TestMember.onMySql()) {
      MemberConnection.execute(control, "SET GLOBAL super_read_only = OFF");
    }
    try {
      MemberConnection.execute(control, statement);
    } finally {
      if (TestMember.onMySql()) {
        MemberConnection.execute(control, "SET GLOBAL super_read_only = ON");
      }
    }
  }

  @Test
  void doesNotKeepTheSchemaFromBeingCreated() throws Exception {
    member.promise(FIRST);
    member.makeWritable(0);
    try (Database service = service()) {
      service.migrate();
      service.migrate();
      assertThat(service.<Long>read(connection -> GroupTable.find(connection).position().sequence())).isOne();
    }
    assertThat(stored()).isEqualTo(FIRST);
  }

  @Test
  void tablesOfOthersStillDo() throws Exception {
    member.promise(FIRST);
    member.makeWritable(0);
    try (Connection data = data(); Database service = service()) {
      MemberConnection.execute(data, "CREATE TABLE of_others (n INT)");
      assertThatThrownBy(service::migrate).isInstanceOf(RnsException.class).hasMessageContaining("non-empty schema");
    }
  }

  /** Neither the log nor a copy brings one member's promise to another. */
  @Test
  void staysWithItsDatabase() throws Exception {
    MemberPromise own = new MemberPromise(7, "http://two.example.org:8080/rns", 6, 7, 0, 6, 0, 5);
    try (TestMember second = TestMember.start(temporary.resolve("two"), 2); DatabaseMember two = second.member()) {
      two.follow("127.0.0.1", process.port());
      member.makeWritable(1);
      try (Connection data = data()) {
        MemberConnection.execute(data, "CREATE TABLE written (n INT PRIMARY KEY)");
        String before = member.state().transactions();
        member.promise(FIRST);
        assertThat(member.state().transactions()).isEqualTo(before);
        MemberConnection.execute(data, "INSERT INTO written VALUES (1)");
      }
      Eventually.until("it follows", BOUND, () -> two.contains(member.state().transactions()));
      assertThat(two.promise()).isEqualTo(MemberPromise.NONE);
      two.promise(own);
      try (Connection data = data()) {
        MemberConnection.execute(data, "INSERT INTO written VALUES (2)");
      }
      Eventually.until("it follows", BOUND, () -> two.contains(member.state().transactions()));
      assertThat(two.state().trouble()).isEmpty();
      two.stopReceiving();
      two.copyFrom("127.0.0.1", process.port());
      assertThat(two.promise()).isEqualTo(own);
      second.kill();
      second.restart();
      try (DatabaseMember again = second.member(); Connection data = data(second)) {
        assertThat(again.promise()).isEqualTo(own);
        assertThat(MemberConnection.value(data, "SELECT COUNT(*) FROM written")).isEqualTo("2");
        again.follow("127.0.0.1", process.port());
        Eventually.until("it receives", BOUND, () -> again.state().receiving());
      }
    }
    assertThat(stored()).isEqualTo(FIRST);
  }

  /** A source that is cut off from its replicas has to promise as well. */
  @Test
  void isKeptWhileACommitWaitsForAReplica() throws Exception {
    member.makeWritable(0);
    try (Connection data = data()) {
      MemberConnection.execute(data, "CREATE TABLE written (n INT PRIMARY KEY)");
      member.makeWritable(1);
      CompletableFuture<Void> commit =
          CompletableFuture.runAsync(
              () -> {
                try {
                  MemberConnection.execute(data, "INSERT INTO written VALUES (1)");
                } catch (SQLException e) {
                  throw new IllegalStateException(e);
                }
              },
              Thread::startVirtualThread);
      String waiting =
          TestMember.onMySql()
              ? "SELECT variable_value FROM performance_schema.global_status WHERE variable_name = "
                  + "'Rpl_semi_sync_source_wait_sessions'"
              : "SELECT variable_value FROM information_schema.global_status WHERE variable_name = "
                  + "'Rpl_semi_sync_master_wait_sessions'";
      try (Connection control = control()) {
        Eventually.until("it waits", BOUND, () -> MemberConnection.value(control, waiting).equals("1"));
      }
      member.promise(FIRST);
      member.promise(SECOND);
      assertThat(commit).isNotDone();
      assertThat(stored()).isEqualTo(SECOND);
      process.kill();
      assertThat(commit).failsWithin(BOUND);
    }
    process.restart();
    assertThat(stored()).isEqualTo(SECOND);
  }

  /** The rights that docs/databases grant suffice. */
  @Test
  void isKeptByTheDocumentedAccount() throws Exception {
    if (TestMember.onMySql()) {
      String script = documented("accounts-mysql.sql").replace("'rns_control'", "'documented'");
      try (Connection root = DriverManager.getConnection(process.jdbcUrl(), "root", "")) {
        for (String statement : script.split(";\n", -1)) {
          if (!statement.isBlank() && !statement.matches("(?s).*(CREATE DATABASE|'rns'@).*")) {
            MemberConnection.execute(root, statement);
          }
        }
      }
      assertPromises(process.jdbcUrl(), "documented");
    } else {
      Path script = Files.writeString(temporary.resolve("accounts.sql"), documented("accounts-mariadb.sql"));
      DatabaseProcess.Settings settings =
          DatabaseProcess.Settings.in(temporary.resolve("documented"))
              .withBufferPool("64M")
              .withReplication(3, TestMember.CONTROL_PASSWORD)
              .withArguments("--init-file=" + script);
      try (DatabaseProcess database = DatabaseProcess.start(settings)) {
        assertPromises(database.jdbcUrl(), TestMember.CONTROL_USER);
      }
    }
  }

  private static String documented(String name) throws Exception {
    return Files.readString(Path.of("../docs/databases", name));
  }

  private void assertPromises(String url, String user) {
    try (DatabaseMember documented =
        DatabaseMembers.of(process.topology(), url, user, "choose-another", Duration.ofSeconds(3))) {
      assertThat(documented.state().writable()).isFalse();
      documented.promise(FIRST);
    }
    try (DatabaseMember documented =
        DatabaseMembers.of(process.topology(), url, user, "choose-another", Duration.ofSeconds(3))) {
      assertThat(documented.promise()).isEqualTo(FIRST);
    }
  }
}
