package io.rns.server.store;

import static io.rns.server.store.MemberConnection.execute;
import static io.rns.server.store.MemberConnection.row;
import static io.rns.server.store.MemberConnection.value;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.replication.membership.MemberState;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** MariaDB 11.4: one replication domain, positions are {@code domain-server-sequence}. */
final class MariaDbMember extends ReplicatedDatabase {
  private static final ReplicaStatus.Words STATUS =
      new ReplicaStatus.Words("SHOW SLAVE STATUS", "Master", "Slave", "Gtid_IO_Pos");

  /** A commit waits for a replica for ten years or longer: "for ever" is not on offer. */
  private static final RunMark RUN = new RunMark("rpl_semi_sync_master_timeout", 315_360_000_000L);

  /**
   * What a look asks for beside the status as a replica, in one question: a change of primary waits for several looks.
   * A copy of another member has a position and no binary log; a source counts in its binary log only.
   */
  private static final String LOOK =
      """
      SELECT @@global.read_only, @@global.gtid_slave_pos, @@global.gtid_binlog_pos,
        @@global.rpl_semi_sync_master_timeout,
        (SELECT variable_value FROM information_schema.global_status
          WHERE variable_name = 'Rpl_semi_sync_master_clients' AND @@global.rpl_semi_sync_master_enabled)""";

  private static final String SNAPSHOT_POSITION =
      """
      SELECT BINLOG_GTID_POS(
        (SELECT variable_value FROM information_schema.global_status WHERE variable_name = 'BINLOG_SNAPSHOT_FILE'),
        (SELECT variable_value FROM information_schema.global_status WHERE variable_name = 'BINLOG_SNAPSHOT_POSITION'))""";

  /** So often the place of a snapshot is asked for; see {@link #place}. */
  private static final int SNAPSHOT_READS = 21;

  /** "Failed initializing replication GTID state". */
  private static final int FAILED_GTID_STATE_INIT = 1940;

  private static final int STATE_ATTEMPTS = 10;

  private static final long STATE_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private static final String FOLLOW =
      """
      CHANGE MASTER TO MASTER_HOST = ?, MASTER_PORT = ?, MASTER_USER = ?, MASTER_PASSWORD = ?, MASTER_SSL = ?,
        MASTER_SSL_VERIFY_SERVER_CERT = 0, MASTER_CONNECT_RETRY = ?, MASTER_HEARTBEAT_PERIOD = ?,
        MASTER_USE_GTID = slave_pos, MASTER_DEMOTE_TO_SLAVE = 1""";

  MariaDbMember(ControlAccount account, MemberConnection looks, MemberConnection commands) {
    super(account, looks, commands);
  }

  @Override
  public MemberState state() {
    return looks.with("report its state", this::look);
  }

  private MemberState look(Connection connection) throws SQLException {
    Optional<ReplicaStatus> replica = replica(connection);
    List<String> found = row(connection, LOOK);
    String acknowledging = found.get(4);
    return new MemberState(
        found.get(0).equals("0"),
        replica.map(ReplicaStatus::source),
        replica.filter(ReplicaStatus::receiving).isPresent(),
        replica.filter(ReplicaStatus::applying).isPresent(),
        MariaDbGtids.union(found.get(1), found.get(2)),
        replica.map(ReplicaStatus::received).orElse(""),
        acknowledging.isEmpty() ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(acknowledging)),
        replica.flatMap(ReplicaStatus::trouble),
        RUN.find(connection, found.get(3)));
  }

  @Override
  Optional<ReplicaStatus> replica(Connection connection) throws SQLException {
    return ReplicaStatus.find(connection, STATUS);
  }

  @Override
  void refuseWrites(Connection connection) throws SQLException {
    execute(connection, "SET GLOBAL read_only = ON");
  }

  /** A commit that waits for a replica ends when its connection is killed, without an answer. */
  @Override
  void cutOffWrites(Connection connection) throws SQLException {
    cutOffClients(connection);
  }

  @Override
  public void makeWritable(int acknowledgements) {
    commands.with(
        "become writable",
        connection -> {
          stopReceiver(connection);
          failUnlessAllApplied(connection);
          // Replicas connect as soon as it counts their acknowledgements, so it does that first.
          acknowledge(connection, acknowledgements > 0);
          execute(connection, "STOP SLAVE");
          execute(connection, "RESET SLAVE ALL");
          execute(connection, "SET GLOBAL read_only = OFF");
          return true;
        });
  }

  private static void acknowledge(Connection connection, boolean replicated) throws SQLException {
    boolean before = value(connection, "SELECT @@global.rpl_semi_sync_master_enabled").equals("1");
    if (replicated) {
      execute(
          connection,
          "SET GLOBAL rpl_semi_sync_master_wait_point = AFTER_SYNC, GLOBAL rpl_semi_sync_master_wait_no_slave = ON");
      var unused = RUN.find(connection);
    }
    execute(connection, "SET GLOBAL rpl_semi_sync_master_enabled = " + (replicated ? "ON" : "OFF"));
    if (replicated && !before) {
      cutOffReplicas(connection);
    }
  }

  @Override
  public String withReceived(MemberState state) {
    return MariaDbGtids.union(state.transactions(), state.received());
  }

  /**
   * What was received is thrown away, unless its source is the same as before and has not refused it since, and it is
   * still being applied: then only the receiver is started again.
   */
  @Override
  void replicate(Connection connection, String host, int port) throws SQLException {
    Optional<ReplicaStatus> before = replica(connection);
    boolean goesOn =
        before.filter(status -> status.source().equals(host + ":" + port))
            .filter(status -> status.applying() && !status.wantsToReceive() && !status.refused())
            .isPresent();
    if (goesOn) {
      execute(connection, "START SLAVE IO_THREAD");
      return;
    }
    execute(connection, "STOP SLAVE");
    execute(
        connection, "SET GLOBAL rpl_semi_sync_master_enabled = OFF, GLOBAL rpl_semi_sync_slave_enabled = ON");
    execute(
        connection, FOLLOW, host, port, account.user(), account.password(), account.encrypted() ? 1 : 0,
        RETRY_SECONDS, RETRY_SECONDS);
    execute(connection, "START SLAVE");
  }

  /**
   * What was received is thrown away when a replica is started of which neither thread runs: so the applier has to run
   * first.
   */
  @Override
  void stopReceiver(Connection connection) throws SQLException {
    Optional<ReplicaStatus> status = replica(connection);
    if (status.isPresent() && status.get().wantsToReceive()) {
      if (!status.get().applying()) {
        execute(connection, "START SLAVE SQL_THREAD");
      }
      execute(connection, "STOP SLAVE IO_THREAD");
    }
  }

  @Override
  boolean applied(Connection connection, String received, Duration most) throws SQLException {
    if (received.isEmpty()) {
      return true;
    }
    String seconds = String.format(Locale.ROOT, "%.3f", most.toMillis() / 1e3);
    return value(connection, "SELECT MASTER_GTID_WAIT(?, " + seconds + ")", received).equals("0");
  }

  /** The snapshot knows its place in the binary log: no lock is needed. */
  @Override
  String openSnapshot(Connection connection) throws SQLException {
    execute(connection, "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ");
    execute(connection, "START TRANSACTION WITH CONSISTENT SNAPSHOT");
    return MariaDbGtids.upTo(history(connection), place(connection));
  }

  /**
   * The position of this connection's snapshot. If another connection reads the status at the same moment, MariaDB 11.4
   * sometimes returns the position of that connection; a copy would then lack all changes in between. So the answer
   * counts that comes most of the time.
   */
  private static String place(Connection connection) throws SQLException {
    Map<String, Integer> answers = new HashMap<>();
    for (int i = 0; i < SNAPSHOT_READS; i++) {
      String answer = value(connection, SNAPSHOT_POSITION);
      if (answers.merge(answer, 1, Integer::sum) > SNAPSHOT_READS / 2) {
        return answer;
      }
    }
    throw new RnsException(
        RnsError.UNAVAILABLE,
        "the position of the snapshot of the database to copy is unknown; " + SNAPSHOT_READS + " reads returned "
            + answers);
  }

  @Override
  void forget(Connection connection) throws SQLException {
    execute(connection, "STOP SLAVE");
    execute(connection, "RESET SLAVE ALL");
    execute(connection, "SET GLOBAL rpl_semi_sync_master_enabled = OFF");
    execute(connection, "RESET MASTER");
    setSlavePosition(connection, "");
  }

  @Override
  void takeUp(Connection connection, String snapshot) throws SQLException {
    execute(connection, "RESET MASTER");
    execute(connection, "SET GLOBAL gtid_binlog_state = ?", snapshot);
    setSlavePosition(connection, MariaDbGtids.union(snapshot, ""));
  }

  /** Empties a table first, which fails now and then soon after replication has ended. */
  private static void setSlavePosition(Connection connection, String position) throws SQLException {
    for (int attempt = 1;; attempt++) {
      try {
        execute(connection, "SET GLOBAL gtid_slave_pos = ?", position);
        return;
      } catch (SQLException e) {
        if (e.getErrorCode() != FAILED_GTID_STATE_INIT || attempt == STATE_ATTEMPTS) {
          throw e;
        }
        LockSupport.parkNanos(STATE_PAUSE_NANOS);
      }
    }
  }

  @Override
  public boolean reachesBack() {
    return commands.with(
        "report where its log begins",
        connection -> value(connection, "SELECT BINLOG_GTID_POS(?, 4)", value(connection, "SHOW BINARY LOGS"))
            .isEmpty());
  }

  @Override
  public boolean contains(String transactions) {
    return MariaDbGtids.contains(looks.with("report its transactions", MariaDbMember::history), transactions);
  }

  private static String history(Connection connection) throws SQLException {
    return String.join(",", row(connection, "SELECT @@global.gtid_binlog_state, @@global.gtid_slave_pos"));
  }
}
