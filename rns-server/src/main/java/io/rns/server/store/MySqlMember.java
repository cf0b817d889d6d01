package io.rns.server.store;

import static io.rns.server.store.MemberConnection.execute;
import static io.rns.server.store.MemberConnection.row;
import static io.rns.server.store.MemberConnection.value;

import io.rns.replication.membership.MemberState;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** MySQL 8.4 and 9: positions are sets of {@code server-uuid:tag:first-last}, of old ones without tag. */
final class MySqlMember extends ReplicatedDatabase {
  private static final Logger LOG = LoggerFactory.getLogger(MySqlMember.class);

  private static final ReplicaStatus.Words STATUS =
      new ReplicaStatus.Words("SHOW REPLICA STATUS", "Source", "Replica", "Retrieved_Gtid_Set");

  /**
   * A commit waits for a replica for 38 to 49 days; longer is not on offer, and its caller was refused long before.
   */
  private static final RunMark RUN = new RunMark("rpl_semi_sync_source_timeout", 3_300_000_000L);

  /** More could be waited for; each makes a write slower, and the group writable with one member less. */
  private static final int MOST_ACKNOWLEDGEMENTS = 2;

  /**
   * What a look asks for beside the status as a replica, in one question: a change of primary waits for several looks.
   */
  private static final String LOOK =
      """
      SELECT @@global.read_only, @@global.gtid_executed, @@global.rpl_semi_sync_source_timeout,
        (SELECT variable_value FROM performance_schema.global_status
          WHERE variable_name = 'Rpl_semi_sync_source_clients' AND @@global.rpl_semi_sync_source_enabled)""";

  private static final String FOLLOW =
      """
      CHANGE REPLICATION SOURCE TO SOURCE_HOST = ?, SOURCE_PORT = ?, SOURCE_USER = ?, SOURCE_PASSWORD = ?, SOURCE_SSL = ?,
        GET_SOURCE_PUBLIC_KEY = 1, SOURCE_CONNECT_RETRY = ?, SOURCE_RETRY_COUNT = 0, SOURCE_HEARTBEAT_PERIOD = ?""";

  /** It cannot be named while the applier runs. */
  private static final String BY_GTID = ", SOURCE_AUTO_POSITION = 1";

  private static final String FOLLOWED =
      """
      SELECT CONCAT(host, ':', port, ' ', ssl_allowed) FROM performance_schema.replication_connection_configuration
       WHERE channel_name = '' AND auto_position = '1'""";

  /** The thread that hands transactions to those that apply them. */
  private static final String APPLIER =
      "SELECT COALESCE(MAX(processlist_id), '') FROM performance_schema.threads WHERE name = 'thread/sql/replica_sql'";

  private static final String APPLIER_STATE =
      "SELECT COALESCE(MAX(service_state), 'OFF') FROM performance_schema.replication_applier_status_by_coordinator";

  /** Without the privilege SYSTEM_USER. */
  private static final int NOT_OWNER = 1095;

  /** A rollback may take a moment. */
  private static final Duration KILLED = Duration.ofSeconds(2);

  MySqlMember(ControlAccount account, MemberConnection looks, MemberConnection commands) {
    super(account, looks, commands);
  }

  @Override
  public MemberState state() {
    return looks.with("report its state", this::look);
  }

  private MemberState look(Connection connection) throws SQLException {
    Optional<ReplicaStatus> replica = replica(connection);
    List<String> found = row(connection, LOOK);
    String acknowledging = found.get(3);
    return new MemberState(
        found.get(0).equals("0"),
        replica.map(ReplicaStatus::source),
        replica.filter(ReplicaStatus::receiving).isPresent(),
        replica.filter(ReplicaStatus::applying).isPresent(),
        onOneLine(found.get(1)),
        replica.map(ReplicaStatus::received).orElse(""),
        acknowledging.isEmpty() ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(acknowledging)),
        replica.flatMap(ReplicaStatus::trouble),
        RUN.find(connection, found.get(2)));
  }

  static String transactions(Connection connection) throws SQLException {
    return onOneLine(value(connection, "SELECT @@global.gtid_executed"));
  }

  private static String onOneLine(String set) {
    return set.replaceAll("\\s", "");
  }

  @Override
  Optional<ReplicaStatus> replica(Connection connection) throws SQLException {
    return ReplicaStatus.find(connection, STATUS);
  }

  @Override
  public String withReceived(MemberState state) {
    return Stream.of(state.transactions(), state.received()).filter(each -> !each.isEmpty())
        .collect(Collectors.joining(","));
  }

  @Override
  void refuseWrites(Connection connection) throws SQLException {
    execute(connection, "SET GLOBAL super_read_only = ON");
    execute(connection, "SET GLOBAL offline_mode = OFF");
  }

  /**
   * This account passes over read_only, which keeps out the service. Nobody passes over super_read_only. It is turned
   * on again as soon as nothing is being committed; if something is, for a second, the next {@link #makeReadOnly} does
   * so.
   */
  @Override
  void pastReadOnly(Connection connection, Change change) throws SQLException {
    if (value(connection, "SELECT @@global.super_read_only").equals("0")) {
      change.make();
      return;
    }
    execute(connection, "SET GLOBAL super_read_only = OFF");
    try {
      change.make();
    } catch (SQLException e) {
      try {
        turnOnSuperReadOnly(connection);
      } catch (SQLException again) {
        e.addSuppressed(again);
      }
      throw e;
    }
    turnOnSuperReadOnly(connection);
  }

  private static void turnOnSuperReadOnly(Connection connection) throws SQLException {
    execute(connection, "SET SESSION lock_wait_timeout = 1");
    try {
      execute(connection, "SET GLOBAL super_read_only = ON");
    } catch (SQLException e) {
      if (e.getErrorCode() != LOCK_WAIT_TIMEOUT) {
        throw e;
      }
    }
  }

  /**
   * A commit that waits for a replica continues to wait when its connection is killed, though no client will hear of it
   * any more. It ends when acknowledgements are switched off; so that no other one is answered without, clients are
   * kept out until it is read-only.
   */
  @Override
  void cutOffWrites(Connection connection) throws SQLException {
    execute(connection, "SET GLOBAL offline_mode = ON");
    cutOffClients(connection);
    execute(connection, "SET GLOBAL rpl_semi_sync_source_enabled = OFF");
  }

  @Override
  public int mostAcknowledgements() {
    return MOST_ACKNOWLEDGEMENTS;
  }

  @Override
  public void makeWritable(int acknowledgements) {
    commands.with(
        "become writable",
        connection -> {
          stopReceiver(connection);
          failUnlessAllApplied(connection);
          // Replicas connect as soon as it counts their acknowledgements, so it does that first.
          acknowledge(connection, acknowledgements);
          stopReplica(connection);
          execute(connection, "RESET REPLICA ALL");
          tagTransactionsIfNotYet(connection);
          execute(
              connection, "SET GLOBAL super_read_only = OFF, GLOBAL read_only = OFF, GLOBAL offline_mode = OFF");
          return true;
        });
  }

  /**
   * For a database that has never been rebuilt by this version, or whose rebuild was interrupted: the next promotion
   * does it if this one cannot, as while a backup locks out changes of tables.
   */
  private void tagTransactionsIfNotYet(Connection connection) throws SQLException {
    boolean writable = value(connection, "SELECT @@global.read_only").equals("0");
    if (!writable && !TransactionTag.exists(connection, account.schema())) {
      try {
        tagTransactions(connection);
      } catch (SQLException e) {
        LOG.warn("the database {} does not tag its transactions yet: {}", account, e.getMessage());
      }
    }
  }

  /** From now on. A writer's session that is left would go on as before. */
  private void tagTransactions(Connection connection) throws SQLException {
    execute(connection, "SET SESSION lock_wait_timeout = 1");
    pastReadOnly(connection, () -> TransactionTag.renew(connection, account.schema()));
    // The changes of tables that a copy makes next wait for readers.
    execute(connection, "SET SESSION lock_wait_timeout = DEFAULT");
    cutOffService(connection);
  }

  private static void acknowledge(Connection connection, int replicas) throws SQLException {
    boolean replicated = replicas > 0;
    boolean before = value(connection, "SELECT @@global.rpl_semi_sync_source_enabled").equals("1");
    if (replicated) {
      execute(
          connection,
          "SET GLOBAL rpl_semi_sync_source_wait_point = AFTER_SYNC, GLOBAL rpl_semi_sync_source_wait_no_replica = ON,"
              + " GLOBAL rpl_semi_sync_source_wait_for_replica_count = " + replicas);
      var unused = RUN.find(connection);
    }
    execute(connection, "SET GLOBAL rpl_semi_sync_source_enabled = " + (replicated ? "ON" : "OFF"));
    if (replicated && !before) {
      cutOffReplicas(connection);
    }
  }

  /**
   * Goes on with what it has received and not applied, of whatever source, while it is being applied: that would be
   * fetched again otherwise, and nothing acknowledged before. After a restart it does so if the source is the same,
   * unless that cannot be applied, as the last event of a log that was cut off by a crash. All before it has been
   * applied then, and nothing behind it was acknowledged.
   */
  @Override
  void replicate(Connection connection, String host, int port) throws SQLException {
    Optional<ReplicaStatus> before = replica(connection).filter(status -> status.applierTrouble().isEmpty());
    String followed = before.isPresent() ? value(connection, FOLLOWED) : "";
    boolean same = followed.equals(host + ":" + port + (account.encrypted() ? " YES" : " NO"));
    boolean applying = !followed.isEmpty() && before.filter(ReplicaStatus::applying).isPresent();
    if (!applying) {
      stopReplica(connection);
    } else if (!same) {
      execute(connection, "STOP REPLICA IO_THREAD");
    }
    execute(
        connection, "SET GLOBAL rpl_semi_sync_source_enabled = OFF, GLOBAL rpl_semi_sync_replica_enabled = ON");
    if (!same) {
      execute(
          connection, applying ? FOLLOW : FOLLOW + BY_GTID, host, port, account.user(), account.password(),
          account.encrypted() ? 1 : 0, RETRY_SECONDS, RETRY_SECONDS);
    }
    String threads = applying ? "IO_THREAD " : "";
    execute(connection, "START REPLICA " + threads + "USER = ? PASSWORD = ?", account.user(), account.password());
  }

  /**
   * Ends receiving and applying. Asked to stop, an applier that is within a transaction waits a minute for the part
   * that the receiver has not got any more. Killed before, it rolls the transaction back at once; an account of an
   * earlier version may not do that, and waits. Whether it is within one is not asked: it may begin one meanwhile.
   */
  private static void stopReplica(Connection connection) throws SQLException {
    execute(connection, "STOP REPLICA IO_THREAD");
    String applier = value(connection, APPLIER);
    if (!applier.isEmpty()) {
      try {
        kill(connection, List.of(Long.valueOf(applier)));
        awaitKilled(connection);
      } catch (SQLException e) {
        if (e.getErrorCode() != NOT_OWNER) {
          throw e;
        }
      }
    }
    execute(connection, "STOP REPLICA");
  }

  /** Asked to stop before it has noticed, it would wait all the same. */
  private static void awaitKilled(Connection connection) throws SQLException {
    long deadline = System.nanoTime() + KILLED.toNanos();
    while (value(connection, APPLIER_STATE).equals("ON") && System.nanoTime() < deadline) {
      execute(connection, "DO SLEEP(0.01)");
    }
  }

  @Override
  void stopReceiver(Connection connection) throws SQLException {
    Optional<ReplicaStatus> status = replica(connection);
    if (status.isPresent()) {
      execute(connection, "STOP REPLICA IO_THREAD");
      if (!status.get().applying()) {
        execute(connection, "START REPLICA SQL_THREAD");
      }
    }
  }

  @Override
  boolean applied(Connection connection, String received, Duration most) throws SQLException {
    return hasApplied(connection, received, most);
  }

  static boolean hasApplied(Connection connection, String received, Duration most) throws SQLException {
    if (most.toMillis() == 0) {
      return value(connection, "SELECT GTID_SUBSET(?, @@global.gtid_executed)", received).equals("1");
    }
    String seconds = String.format(Locale.ROOT, "%.3f", most.toMillis() / 1e3);
    return value(connection, "SELECT WAIT_FOR_EXECUTED_GTID_SET(?, " + seconds + ")", received).equals("0");
  }

  @Override
  String openSnapshot(Connection connection) throws SQLException {
    return snapshot(connection);
  }

  /** Nothing is committed in the moment in which the snapshot is opened, or it would not be known what is in it. */
  static String snapshot(Connection connection) throws SQLException {
    execute(connection, "SET SESSION lock_wait_timeout = 5");
    execute(connection, "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ");
    execute(connection, "FLUSH TABLES WITH READ LOCK");
    execute(connection, "START TRANSACTION WITH CONSISTENT SNAPSHOT");
    String executed = value(connection, "SELECT @@global.gtid_executed");
    execute(connection, "UNLOCK TABLES");
    return executed;
  }

  @Override
  void forget(Connection connection) throws SQLException {
    // First, since an account of an earlier version may not do it.
    tagTransactions(connection);
    stopReplica(connection);
    execute(connection, "RESET REPLICA ALL");
    execute(connection, "SET GLOBAL rpl_semi_sync_source_enabled = OFF");
    // Accounts like ours pass over read_only, which stays.
    execute(connection, "SET GLOBAL super_read_only = OFF");
    execute(connection, "RESET BINARY LOGS AND GTIDS");
  }

  @Override
  void takeUp(Connection connection, String snapshot) throws SQLException {
    takeUpSnapshot(connection, snapshot);
  }

  static void takeUpSnapshot(Connection connection, String snapshot) throws SQLException {
    execute(connection, "RESET BINARY LOGS AND GTIDS");
    execute(connection, "SET GLOBAL gtid_purged = ?", snapshot);
  }

  @Override
  public boolean contains(String transactions) {
    return contains(looks, transactions);
  }

  static boolean contains(MemberConnection looks, String transactions) {
    return looks.value("report its transactions", "SELECT GTID_SUBSET(?, @@global.gtid_executed)", transactions)
        .equals("1");
  }
}
