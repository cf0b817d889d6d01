package io.rns.server.store;

import io.rns.replication.MemberList;
import io.rns.replication.member.DatabaseMember;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.replication.membership.MemberPromise;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is the same for MariaDB and MySQL. */
abstract class ReplicatedDatabase implements DatabaseMember {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicatedDatabase.class);

  /** Seconds after which a replica tries again to reach its source, and between signs of life of an idle source. */
  static final int RETRY_SECONDS = 1;

  static final int LOCK_WAIT_TIMEOUT = 1205;
  private static final int NO_SUCH_THREAD = 1094;
  private static final Duration READ_ONLY_BOUND = Duration.ofSeconds(20);
  private static final Duration REACH_TIMEOUT = Duration.ofSeconds(3);

  private static final String SERVER_ID = "SELECT @@global.server_id";

  private static final Duration COPY_TIMEOUT = Duration.ofMinutes(5);
  private static final Duration APPLY_STEP = Duration.ofMillis(200);
  /** For the last heartbeats of a primary that has stepped down. */
  private static final Duration APPLY_LAST = Duration.ofSeconds(1);

  final ControlAccount account;
  final MemberConnection looks;
  final MemberConnection commands;
  private final MemberTable members;
  private final PromiseTable promises;
  private final AtomicReference<KnownPromise> known = new AtomicReference<>(KnownPromise.UNKNOWN);

  /**
   * A promise that was read or written.
   *
   * @param connects of {@link #looks} at that time: what comes after a reconnect may be another database
   */
  private record KnownPromise(MemberPromise promise, int connects) {
    /** How often nothing has connected. */
    private static final int NEVER = -1;

    static final KnownPromise UNKNOWN = new KnownPromise(MemberPromise.NONE, NEVER);
  }

  ReplicatedDatabase(ControlAccount account, MemberConnection looks, MemberConnection commands) {
    this.account = account;
    this.looks = looks;
    this.commands = commands;
    this.members = new MemberTable(account.schema());
    this.promises = new PromiseTable(account.schema());
  }

  /** Refuses writes from now on; waits a second at most for those under way, and fails with 1205 then. */
  abstract void refuseWrites(Connection connection) throws SQLException;

  /** Ends what keeps it from refusing writes: no commit that is cut off by this is answered. */
  abstract void cutOffWrites(Connection connection) throws SQLException;

  /** The status as a replica; empty without a source. */
  abstract Optional<ReplicaStatus> replica(Connection connection) throws SQLException;

  /** Whether these were applied, waited for at most so long. */
  abstract boolean applied(Connection connection, String received, Duration most) throws SQLException;

  @Override
  public final boolean tryReadOnly() {
    return commands.with("become read-only", this::refusesWrites);
  }

  @Override
  public final void makeReadOnly() {
    long deadline = System.nanoTime() + READ_ONLY_BOUND.toNanos();
    while (!tryReadOnly()) {
      if (System.nanoTime() > deadline) {
        throw new RnsException(
            RnsError.UNAVAILABLE,
            "the database " + account + " did not become read-only within " + READ_ONLY_BOUND.toSeconds() + " s");
      }
      commands.with(
          "cut off its clients",
          connection -> {
            cutOffWrites(connection);
            return true;
          });
    }
  }

  private boolean refusesWrites(Connection connection) throws SQLException {
    MemberConnection.execute(connection, "SET SESSION lock_wait_timeout = 1");
    try {
      refuseWrites(connection);
      return true;
    } catch (SQLException e) {
      if (e.getErrorCode() == LOCK_WAIT_TIMEOUT) {
        return false;
      }
      throw e;
    }
  }

  /** Ends all connections, also those of replicas, except control connections. */
  final void cutOffClients(Connection connection) throws SQLException {
    kill(
        connection,
        (user, command, schema) -> !user.equals(account.user()) && !user.equals("system user")
            && !user.equals("event_scheduler"));
  }

  /** Ends the connections of the service. */
  final void cutOffService(Connection connection) throws SQLException {
    kill(connection, (user, command, schema) -> schema.equals(account.schema()) && !user.equals(account.user()));
  }

  /** Makes replicas reconnect: whether one acknowledges is settled when it connects. */
  static void cutOffReplicas(Connection connection) throws SQLException {
    kill(connection, (user, command, schema) -> command.startsWith("Binlog Dump"));
  }

  /** Whether to end a connection. */
  private interface Victims {
    boolean test(String user, String command, String schema);
  }

  private static void kill(Connection connection, Victims victims) throws SQLException {
    List<Long> found = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SHOW PROCESSLIST")) {
      while (rows.next()) {
        if (victims.test(text(rows, "User"), text(rows, "Command"), text(rows, "db"))) {
          found.add(rows.getLong("Id"));
        }
      }
    }
    kill(connection, found);
  }

  private static String text(ResultSet row, String column) throws SQLException {
    String text = row.getString(column);
    return text == null ? "" : text;
  }

  static void kill(Connection connection, List<Long> threads) throws SQLException {
    for (Long id : threads) {
      try {
        MemberConnection.execute(connection, "KILL CONNECTION " + id);
      } catch (SQLException e) {
        if (e.getErrorCode() != NO_SUCH_THREAD) {
          throw e;
        }
      }
    }
  }

  /**
   * Opens a snapshot, and says what it contains, as {@link #takeUp} takes it.
   *
   * @param connection to the member to be copied
   */
  abstract String openSnapshot(Connection connection) throws SQLException;

  /** Forgets source and transactions, and lets this account write, without becoming writable for others. */
  abstract void forget(Connection connection) throws SQLException;

  /** Goes on from a snapshot whose data is there now. */
  abstract void takeUp(Connection connection, String snapshot) throws SQLException;

  @Override
  public final void checkReaches(String host, int port) {
    try (MemberConnection other = new MemberConnection(account.at(host, port), REACH_TIMEOUT)) {
      String id = other.value("report its number", SERVER_ID);
      if (id.equals(looks.value("report its number", SERVER_ID))) {
        throw new RnsException(
            RnsError.UNAVAILABLE,
            "at " + host + ":" + port + " the database " + account + " reaches itself (server_id " + id + ")");
      }
    }
  }

  @Override
  public final void copyFrom(String host, int port) {
    makeReadOnly();
    try (MemberConnection source = new MemberConnection(account.at(host, port), COPY_TIMEOUT);
        MemberConnection target = new MemberConnection(account, COPY_TIMEOUT)) {
      target.with(
          "take a copy",
          to -> {
            forget(to);
            return source.with("be copied to " + account, from -> copy(from, to));
          });
    }
    makeReadOnly();
  }

  private boolean copy(Connection from, Connection to) throws SQLException {
    String snapshot = openSnapshot(from);
    new TableCopy(from, to, account.schema()).run();
    takeUp(to, snapshot);
    // They may lack what it has now, which is checked when they connect.
    cutOffReplicas(to);
    return true;
  }

  /** Makes it a replica of another source, semi-synchronous, with both of its threads running. */
  abstract void replicate(Connection connection, String host, int port) throws SQLException;

  /** Ends receiving and has what was received applied; nothing without a source. */
  abstract void stopReceiver(Connection connection) throws SQLException;

  @Override
  public final void follow(String host, int port) {
    makeReadOnly();
    commands.with(
        "follow " + host + ":" + port,
        connection -> {
          Optional<ReplicaStatus> now = replica(connection);
          boolean same = now.isPresent() && now.get().source().equals(host + ":" + port);
          if (!same || !now.get().wantsToReceive() || !now.get().applying()) {
            replicate(connection, host, port);
          }
          return true;
        });
  }

  @Override
  public final void stopReceiving() {
    commands.with(
        "stop receiving",
        connection -> {
          stopReceiver(connection);
          return true;
        });
  }

  @Override
  public final boolean awaitApplied(Duration most) {
    long deadline = System.nanoTime() + most.toNanos();
    while (true) {
      Duration left = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
      Duration step = left.compareTo(APPLY_STEP) < 0 ? left : APPLY_STEP;
      if (commands.with("apply what it received", connection -> allApplied(connection, step))) {
        return true;
      }
      if (left.isZero()) {
        return false;
      }
    }
  }

  final boolean allApplied(Connection connection, Duration most) throws SQLException {
    Optional<ReplicaStatus> status = replica(connection);
    return status.isEmpty() || applied(connection, status.get().received(), most);
  }

  final void failUnlessAllApplied(Connection connection) throws SQLException {
    if (!allApplied(connection, APPLY_LAST)) {
      throw new RnsException(
          RnsError.UNAVAILABLE,
          "the database " + account
              + " has received transactions that it has not applied yet: it must not take writes now");
    }
  }

  @Override
  public MemberList members() {
    return looks.with("report the members", members::find);
  }

  @Override
  public MemberPromise promise() {
    KnownPromise before = known.get();
    if (before.connects() == looks.connects()) {
      return before.promise();
    }
    PromiseTable.Found stored = looks.with(
        "report its promise",
        connection -> {
          PromiseTable.Found found = promises.find(connection);
          // Unless one was written meanwhile.
          var unused = known.compareAndSet(before, new KnownPromise(found.promise(), looks.connects()));
          return found;
        });
    if (!stored.complete()) {
      completeTable();
    }
    return stored.promise();
  }

  /** Now, at the start: otherwise the next promise does it, when a change of the primary waits for that. */
  private void completeTable() {
    try {
      commands.with(
          "complete what it keeps promises in",
          connection -> {
            pastReadOnly(connection, () -> promises.complete(connection));
            return true;
          });
    } catch (RnsException e) {
      LOG.info("{}; the next promise does that", e.getMessage());
    }
  }

  @Override
  public void promise(MemberPromise promise) {
    commands.with(
        "keep a promise",
        connection -> {
          // A new object each time: a read that began before does not replace it.
          known.set(new KnownPromise(MemberPromise.NONE, KnownPromise.NEVER));
          pastReadOnly(connection, () -> promises.save(connection, promise));
          known.set(new KnownPromise(promise, looks.connects()));
          return true;
        });
  }

  /** A change by this account. */
  interface Change {
    void make() throws SQLException;
  }

  /** Makes a change though the database may be read-only. */
  void pastReadOnly(Connection connection, Change change) throws SQLException {
    change.make();
  }

  @Override
  public void close() {
    looks.close();
    commands.close();
  }
}
