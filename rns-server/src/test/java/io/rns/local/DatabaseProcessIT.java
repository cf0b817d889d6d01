package io.rns.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DatabaseProcessIT {
  @TempDir Path temporary;

  @Test
  void isDurableWithoutABinaryLog() throws SQLException {
    try (DatabaseProcess database = DatabaseProcess.start(settings());
        Connection connection = connect(database)) {
      assertThat(value(connection, "SELECT @@innodb_flush_log_at_trx_commit")).isEqualTo("1");
      assertThat(value(connection, "SELECT @@log_bin")).isEqualTo("0");
      assertThat(value(connection, "SELECT @@transaction_isolation")).isEqualTo("READ-COMMITTED");
      assertThat(value(connection, "SELECT @@character_set_database")).isEqualTo("utf8mb4");
      assertThat(value(connection, "SELECT @@max_allowed_packet")).isEqualTo("67108864");
      assertThat(value(connection, "SELECT @@innodb_buffer_pool_size")).isEqualTo("134217728");
      assertThat(value(connection, "SELECT @@bind_address")).isEqualTo("127.0.0.1");
    }
  }

  @Test
  void writesADurableBinaryLogIfAsked() throws SQLException {
    try (DatabaseProcess database = DatabaseProcess.start(settings().withBinaryLog(true));
        Connection connection = connect(database)) {
      assertThat(value(connection, "SELECT @@innodb_flush_log_at_trx_commit")).isEqualTo("1");
      assertThat(value(connection, "SELECT @@sync_binlog")).isEqualTo("1");
      assertThat(value(connection, "SELECT @@log_bin")).isEqualTo("1");
      assertThat(value(connection, "SELECT @@binlog_format")).isEqualTo("ROW");
    }
  }

  /** After a crash, a prepared transaction of which only the binary log shows that it was committed. */
  @Test
  void finishesTheBinaryLogOfACrashedServerBeforeItGoesOnWithout() throws Exception {
    try (DatabaseProcess database = DatabaseProcess.start(settings().withReplication(1, "control"));
        Connection control = DriverManager.getConnection(database.jdbcUrl(), "rns_control", "control");
        Connection connection = connect(database);
        Connection waits = connect(database);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      execute(control, "SET GLOBAL read_only = OFF");
      execute(connection, "CREATE TABLE t (n INT PRIMARY KEY)");
      execute(control, "SET GLOBAL rpl_semi_sync_master_timeout = 315360000000");
      execute(control, "SET GLOBAL rpl_semi_sync_master_enabled = ON");
      Future<?> commit =
          threads.submit(
              () -> {
                execute(waits, "INSERT INTO t VALUES (1)");
                return null;
              });
      Eventually.holds(
          "the commit waits for a replica",
          () -> {
            try {
              return value(
                  connection,
                  "SELECT COUNT(*) FROM information_schema.processlist WHERE state LIKE '%semi-sync ACK%'").equals("1");
            } catch (SQLException e) {
              throw new IllegalStateException(e);
            }
          });
      database.kill();
      assertThatThrownBy(commit::get).hasCauseInstanceOf(SQLException.class);
    }
    try (DatabaseProcess database = DatabaseProcess.start(settings());
        Connection connection = connect(database)) {
      assertThat(value(connection, "SELECT n FROM t")).isEqualTo("1");
      assertThat(value(connection, "SELECT @@log_bin")).isEqualTo("0");
      assertThat(logFiles()).isEmpty();
    }
  }

  @Test
  void itsTablesCountAsATransactionWhenItBecomesAMember() throws Exception {
    try (DatabaseProcess database = DatabaseProcess.start(settings());
        Connection connection = connect(database)) {
      execute(connection, "CREATE TABLE t (n INT PRIMARY KEY)");
      execute(connection, "INSERT INTO t VALUES (1)");
      database.kill();
    }
    DatabaseProcess.Settings member = settings().withReplication(2, "control");
    try (DatabaseProcess database = DatabaseProcess.start(member)) {
      String own = only(database, "SELECT @@global.gtid_binlog_state");
      assertThat(own).matches("0-[0-9]{5,10}-1");
      database.kill();
      database.restart();
      assertThat(only(database, "SELECT @@global.gtid_binlog_state")).isEqualTo(own);
      assertThat(only(database, "SELECT n FROM t")).isEqualTo("1");
      try (Connection control = DriverManager.getConnection(database.jdbcUrl(), "rns_control", "control")) {
        execute(control, "SET GLOBAL gtid_slave_pos = '0-3-900'");
        execute(control, "SET GLOBAL read_only = OFF");
        execute(control, "UPDATE t SET n = 2");
      }
      assertThat(only(database, "SELECT @@global.gtid_binlog_pos")).isEqualTo("0-2-901");
    }
    // A single server on the data of a former member.
    try (DatabaseProcess database = DatabaseProcess.start(settings())) {
      assertThat(only(database, "SELECT @@global.gtid_slave_pos")).isEmpty();
      assertThat(only(database, "SELECT n FROM t")).isEqualTo("2");
      assertThat(logFiles()).isEmpty();
    }
  }

  @Test
  void anEmptyMemberHasNoTransactions() throws SQLException {
    try (DatabaseProcess database = DatabaseProcess.start(settings().withReplication(2, "control"))) {
      assertThat(only(database, "SELECT @@global.gtid_binlog_state")).isEmpty();
    }
  }

  private List<Path> logFiles() throws IOException {
    try (Stream<Path> files = Files.list(temporary.resolve("database/data"))) {
      return files.filter(file -> file.getFileName().toString().matches("(binlog|relay).*")).toList();
    }
  }

  private static String only(DatabaseProcess database, String sql) throws SQLException {
    try (Connection connection = connect(database)) {
      return value(connection, sql);
    }
  }

  @Test
  void letsNobodyInWithoutThePassword() {
    try (DatabaseProcess database = DatabaseProcess.start(settings().withPassword("secret"))) {
      assertThatThrownBy(() -> DriverManager.getConnection(database.jdbcUrl(), "rns", "rns"))
          .isInstanceOf(SQLException.class);
      assertThatThrownBy(() -> DriverManager.getConnection(database.jdbcUrl(), "root", ""))
          .isInstanceOf(SQLException.class);
      assertThatThrownBy(() -> DriverManager.getConnection(database.jdbcUrl(), "", ""))
          .isInstanceOf(SQLException.class);
    }
  }

  @Test
  void keepsItsDataOverKillAndRestart() throws SQLException {
    try (DatabaseProcess database = DatabaseProcess.start(settings())) {
      try (Connection connection = connect(database)) {
        execute(connection, "CREATE TABLE t (n INT PRIMARY KEY)");
        execute(connection, "INSERT INTO t VALUES (1)");
        database.kill();
        assertThat(database.isAlive()).isFalse();
        assertThatThrownBy(() -> execute(connection, "INSERT INTO t VALUES (2)")).isInstanceOf(SQLException.class);
      }
      String url = database.jdbcUrl();
      database.restart();
      assertThat(database.jdbcUrl()).isEqualTo(url);
      try (Connection connection = connect(database)) {
        assertThat(value(connection, "SELECT COUNT(*) FROM t")).isEqualTo("1");
      }
    }
    try (DatabaseProcess again = DatabaseProcess.start(settings());
        Connection connection = connect(again)) {
      assertThat(value(connection, "SELECT n FROM t")).isEqualTo("1");
    }
  }

  @Test
  void answersNothingWhilePaused() throws SQLException {
    try (DatabaseProcess database = DatabaseProcess.start(settings());
        Connection connection = DriverManager.getConnection(database.jdbcUrl() + "&socketTimeout=300", "rns", "rns")) {
      database.pause();
      assertThatThrownBy(() -> value(connection, "SELECT 1")).isInstanceOf(SQLException.class);
      database.resume();
      try (Connection other = connect(database)) {
        assertThat(value(other, "SELECT 1")).isEqualTo("1");
      }
      database.pause();
    }
    // A paused one is closed as well.
  }

  @Test
  void canHaveADiskThatFillsUp() throws SQLException {
    DatabaseProcess.Settings small =
        settings()
            .withArguments("--innodb-file-per-table=0", "--innodb-data-file-path=ibdata1:12M:autoextend:max:20M");
    try (DatabaseProcess database = DatabaseProcess.start(small);
        Connection connection = connect(database)) {
      execute(connection, "CREATE TABLE t (n INT AUTO_INCREMENT PRIMARY KEY, v VARBINARY(1000))");
      execute(connection, "INSERT INTO t (v) VALUES (REPEAT('x', 1000))");
      assertThatThrownBy(
          () -> {
            for (int i = 0; i < 1_000; i++) {
              execute(connection, "INSERT INTO t (v) SELECT v FROM t LIMIT 100");
            }
          })
          .isInstanceOfSatisfying(SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(1114));
      assertThat(value(connection, "SELECT COUNT(*) > 0 FROM t")).isEqualTo("1");
    }
  }

  @Test
  void namesWhyItDoesNotStart() {
    assertThatThrownBy(() -> DatabaseProcess.start(settings().withArguments("--no-such-thing")))
        .isInstanceOf(LocalServiceException.class)
        .hasMessageContaining("no-such-thing");
    assertThat(temporary.resolve("database/data")).as("no half of a data directory").doesNotExist();
  }

  @Test
  void beginsAgainWhereAFirstStartWasCutOff() throws Exception {
    Files.createDirectories(temporary.resolve("database/data.new/mysql"));
    Files.writeString(temporary.resolve("database/data.new/ibdata1"), "half");
    try (DatabaseProcess database = DatabaseProcess.start(settings());
        Connection connection = connect(database)) {
      assertThat(value(connection, "SELECT 1")).isEqualTo("1");
    }
  }

  private DatabaseProcess.Settings settings() {
    return DatabaseProcess.Settings.in(temporary.resolve("database")).withBufferPool("128M");
  }

  private static Connection connect(DatabaseProcess database) throws SQLException {
    return DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String value(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      if (!rows.next()) {
        throw new SQLDataException("no row");
      }
      return rows.getString(1);
    }
  }
}
