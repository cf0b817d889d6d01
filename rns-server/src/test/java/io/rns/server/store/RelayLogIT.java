package io.rns.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rns.replication.member.DatabaseMember;
import io.rns.server.Eventually;
import io.rns.server.namespace.FaultyLink;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a MySQL replica has acknowledged and not applied when it crashes. MariaDB keeps nothing of it. */
class RelayLogIT {
  private static final Duration BOUND = Duration.ofSeconds(30);

  /** More than a packet of the log. Compression leaves random bytes as they are, and the text between them. */
  private static final String LARGE =
      """
      INSERT INTO written WITH RECURSIVE counted AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM counted WHERE n < 1000)
      SELECT n, IF(n = 1000, 'the last row', RANDOM_BYTES(500)) FROM counted""";

  private static final String APPLYING =
      """
      SELECT COUNT(*) FROM performance_schema.replication_applier_status_by_worker WHERE applying_transaction <> ''""";

  /** A compressed transaction is one event after the one that names it, so that nothing is applied of a part. */
  private static final String BEGUN =
      """
      SELECT COUNT(*) FROM performance_schema.replication_applier_status_by_coordinator
       WHERE processing_transaction <> ''""";

  @TempDir private Path temporary;

  private TestMember source;
  private TestMember replica;
  private DatabaseMember one;
  private DatabaseMember two;

  @BeforeEach
  void form() throws Exception {
    assumeTrue(TestMember.onMySql(), "MariaDB with GTIDs discards its relay log when it starts");
    source = TestMember.start(temporary.resolve("source"), 1);
    replica = TestMember.start(temporary.resolve("replica"), 2);
    one = source.member();
    two = replica.member();
    two.follow("127.0.0.1", source.port());
    one.makeWritable(1);
    execute(source, "CREATE TABLE written (n INT PRIMARY KEY, text VARBINARY(1000))");
    Eventually.until("it follows", BOUND, () -> two.contains(one.state().transactions()));
  }

  @AfterEach
  void stop() {
    for (AutoCloseable each : Stream.of(one, two, source, replica).filter(each -> each != null).toList()) {
      try {
        each.close();
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }
  }

  private static void execute(TestMember where, String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(where.jdbcUrl(), "rns", "rns")) {
      MemberConnection.execute(connection, sql);
    }
  }

  private static int rows(TestMember where) throws SQLException {
    try (Connection connection = DriverManager.getConnection(where.jdbcUrl(), "rns", "rns")) {
      return Integer.parseInt(MemberConnection.value(connection, "SELECT COUNT(*) FROM written"));
    }
  }

  /** Writes rows that the replica acknowledges and cannot apply, and kills it. */
  private void crashWith(int rows) throws SQLException {
    try (Connection held =
        DriverManager.getConnection(replica.jdbcUrl(), TestMember.CONTROL_USER, TestMember.CONTROL_PASSWORD)) {
      MemberConnection.execute(held, "STOP REPLICA SQL_THREAD");
      for (int n = 1; n <= rows; n++) {
        execute(source, "INSERT INTO written VALUES (" + n + ", REPEAT('x', 300))");
      }
      assertThat(rows(replica)).isZero();
      replica.kill();
    }
  }

  private void cutRelayLog(int bytes) throws IOException {
    try (Stream<Path> files = Files.list(temporary.resolve("replica/data"))) {
      Path last =
          files.filter(file -> file.getFileName().toString().matches("relay\\.\\d+")).max(Path::compareTo)
              .orElseThrow();
      try (FileChannel log = FileChannel.open(last, StandardOpenOption.WRITE)) {
        log.truncate(log.size() - bytes);
      }
    }
  }

  private void awaitAll(int rows) throws Exception {
    Eventually.until(
        "it follows: " + two.state(),
        BOUND,
        () -> {
          // As its server does while its applier stands.
          two.follow("127.0.0.1", source.port());
          return two.state().receiving() && two.state().applying() && two.contains(one.state().transactions());
        });
    assertThat(rows(replica)).isEqualTo(rows);
    assertThat(two.state().trouble()).isEmpty();
  }

  @Test
  void aReplicaThatCrashedHasWhatItAcknowledgedThoughItsSourceIsGone() throws Exception {
    crashWith(5);
    source.kill();
    replica.restart();
    assertThat(rows(replica)).isZero();
    two.stopReceiving();
    assertThat(two.awaitApplied(BOUND)).isTrue();
    assertThat(rows(replica)).isEqualTo(5);
    two.makeWritable(0);
    execute(replica, "INSERT INTO written VALUES (6, '')");
    source.restart();
  }

  @Test
  void aReplicaThatCrashedGoesOnFromItsRelayLog() throws Exception {
    crashWith(5);
    source.kill();
    replica.restart();
    two.follow("127.0.0.1", source.port());
    Eventually.until("it applies what it received before", BOUND, () -> rows(replica) == 5);
    source.restart();
    one.makeWritable(1);
    execute(source, "INSERT INTO written VALUES (6, '')");
    awaitAll(6);
  }

  /** In the last event, exactly before it, in the one before, and so on. */
  @ParameterizedTest
  @ValueSource(ints = {1, 31, 60, 420})
  void aRelayLogThatWasCutOffIsRepaired(int bytes) throws Exception {
    crashWith(5);
    cutRelayLog(bytes);
    replica.restart();
    awaitAll(5);
    execute(source, "INSERT INTO written VALUES (6, '')");
    awaitAll(6);
  }

  /** All before the torn transaction, which was not acknowledged then: nothing waits for it. */
  @ParameterizedTest
  @ValueSource(ints = {1, 31})
  void whatStandsBeforeTheCutIsAppliedWithoutTheSource(int bytes) throws Exception {
    crashWith(5);
    source.kill();
    cutRelayLog(bytes);
    replica.restart();
    two.stopReceiving();
    assertThat(two.awaitApplied(BOUND)).isTrue();
    assertThat(rows(replica)).isEqualTo(4);
    two.makeWritable(0);
    execute(replica, "INSERT INTO written VALUES (6, '')");
    source.restart();
  }

  /** Writes a transaction of which the replica receives only a part, and which it has begun to apply. */
  private void receiveAPart(FaultyLink link, boolean compressed) throws Exception {
    compress(source, compressed);
    two.follow("127.0.0.1", link.port());
    Eventually.until("it receives", BOUND, () -> two.state().receiving());
    link.hold("the last row");
    CompletableFuture<Void> unused = CompletableFuture.runAsync(() -> {
      try {
        execute(source, LARGE);
      } catch (SQLException e) {
        throw new IllegalStateException("no replica acknowledges it before the source ends", e);
      }
    });
    Eventually.until("a part has come", BOUND, () -> link.held() > 0);
    Eventually.until("it is being applied", BOUND, () -> !control(compressed ? BEGUN : APPLYING).equals("0"));
    two.stopReceiving();
  }

  /** Whether later connections and appliers write compressed transactions, as they do unless it is changed. */
  private static void compress(TestMember where, boolean compressed) throws SQLException {
    try (Connection connection =
        DriverManager.getConnection(where.jdbcUrl(), TestMember.CONTROL_USER, TestMember.CONTROL_PASSWORD)) {
      MemberConnection.execute(connection, "SET GLOBAL binlog_transaction_compression = " + compressed);
    }
  }

  private String control(String sql) throws SQLException {
    try (Connection connection =
        DriverManager.getConnection(replica.jdbcUrl(), TestMember.CONTROL_USER, TestMember.CONTROL_PASSWORD)) {
      return MemberConnection.value(connection, sql);
    }
  }

  /** Its applier waited a minute for the rest. Meanwhile it neither followed the next primary nor answered. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whoHasReceivedAPartOfATransactionFollowsAnotherSourceAtOnce(boolean compressed) throws Exception {
    try (FaultyLink link = new FaultyLink(source.port())) {
      receiveAPart(link, compressed);
      two.follow("127.0.0.1", source.port());
      Eventually.until("it has all of it", BOUND, () -> rows(replica) == 1_000);
      awaitAll(1_000);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whoHasReceivedAPartOfATransactionTakesWritesAtOnce(boolean compressed) throws Exception {
    try (FaultyLink link = new FaultyLink(source.port())) {
      receiveAPart(link, compressed);
      source.kill();
      two.makeWritable(0);
      execute(replica, "INSERT INTO written VALUES (1, '')");
      assertThat(rows(replica)).isEqualTo(1);
      source.restart();
    }
  }

  /** The first commit of the next source waited until the replica had received again what it was about to apply. */
  @Test
  void whoFollowsAnotherSourceFetchesNothingAgainThatIsBeingApplied() throws Exception {
    compress(source, false);
    try (TestMember next = TestMember.start(temporary.resolve("next"), 3);
        DatabaseMember three = next.member();
        FaultyLink link = new FaultyLink(next.port())) {
      compress(next, false);
      three.follow("127.0.0.1", source.port());
      try (Connection held = DriverManager.getConnection(replica.jdbcUrl(), "rns", "rns")) {
        MemberConnection.execute(held, "LOCK TABLES written READ");
        execute(source, "INSERT INTO written VALUES (1, 'received before')");
        Eventually.until("it has received that", BOUND, () -> !two.awaitApplied(Duration.ZERO));
        Eventually.until("so has the next source", BOUND, () -> three.contains(one.state().transactions()));
        two.stopReceiving();
        three.stopReceiving();
        three.makeWritable(1);
        link.hold("received before");
        two.follow("127.0.0.1", link.port());
        CompletableFuture.runAsync(() -> insertAt(next, 2)).get(BOUND.toSeconds(), TimeUnit.SECONDS);
        assertThat(link.held()).isZero();
        assertThat(rows(replica)).isZero();
      }
      Eventually.until("it applies both", BOUND, () -> rows(replica) == 2);
    }
  }

  private static void insertAt(TestMember where, int n) {
    try {
      execute(where, "INSERT INTO written VALUES (" + n + ", '')");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aPartOfATransactionThatTheNextSourceLacksIsRolledBack(boolean compressed) throws Exception {
    try (TestMember next = TestMember.start(temporary.resolve("next"), 3);
        DatabaseMember three = next.member();
        FaultyLink link = new FaultyLink(source.port())) {
      three.follow("127.0.0.1", source.port());
      Eventually.until("it follows", BOUND, () -> three.contains(one.state().transactions()));
      three.stopReceiving();
      receiveAPart(link, compressed);
      source.kill();
      three.makeWritable(1);
      two.follow("127.0.0.1", next.port());
      CompletableFuture.runAsync(() -> insertAt(next, 1)).get(BOUND.toSeconds(), TimeUnit.SECONDS);
      Eventually.until("it applies what the next source has", BOUND, () -> two.contains(three.state().transactions()));
      assertThat(rows(replica)).isEqualTo(1);
      assertThat(two.state().trouble()).isEmpty();
      source.restart();
    }
  }
}
