package io.rns.server.store;

import static io.rns.server.store.MemberConnection.execute;
import static io.rns.server.store.MemberConnection.value;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.replication.membership.MemberState;
import io.rns.replication.membership.MemberPromise;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * MySQL 8.4 and 9 as a member of a group of databases with a single primary. The group chooses which one takes writes,
 * and each commit needs a majority; so one that was paused or cut off cannot commit, whatever it believes.
 */
final class GroupReplicationMember extends ReplicatedDatabase {
  /** When the group loses its majority meanwhile, MySQL waits a minute before it gives up. */
  private static final Duration JOIN_TIMEOUT = Duration.ofMinutes(2);

  private static final Duration ASK_TIMEOUT = Duration.ofSeconds(5);

  /** How long a member that is to leave may take to apply what it has received. */
  private static final Duration APPLY_BEFORE_LEAVING = Duration.ofSeconds(5);

  /**
   * What the promises rest on, set before it joins. Who cannot reach a majority leaves after 5 s, without what it could
   * not commit, and is read-only; it is thrown out as soon as the others miss it (after 5 s, which is fixed); a new
   * primary applies all that it has received before it takes a write. It joins on RNS's command, not automatically.
   */
  private static final List<String> SETTINGS =
      List.of(
          "SET GLOBAL group_replication_single_primary_mode = ON",
          "SET GLOBAL group_replication_communication_stack = 'MYSQL'",
          "SET GLOBAL group_replication_consistency = 'BEFORE_ON_PRIMARY_FAILOVER'",
          "SET GLOBAL group_replication_unreachable_majority_timeout = 5",
          "SET GLOBAL group_replication_member_expel_timeout = 0",
          "SET GLOBAL group_replication_exit_state_action = 'READ_ONLY'",
          "SET GLOBAL group_replication_autorejoin_tries = 0",
          "SET GLOBAL group_replication_recovery_get_public_key = ON");

  /** Held by the connection until it is closed. */
  private static final String JOIN_LOCK = "SELECT GET_LOCK('rns-join', 0)";

  private static final String OWN_ADDRESS = "SELECT CONCAT(@@global.report_host, ':', @@global.report_port)";

  /** Transactions that are open at the former primary have 2 s to end: their server may be paused for long. */
  private static final String SET_AS_PRIMARY = "SELECT group_replication_set_as_primary(@@global.server_uuid, 2)";

  private static final String RECEIVED =
      """
      SELECT received_transaction_set FROM performance_schema.replication_connection_status
       WHERE channel_name = 'group_replication_applier'""";

  /** For what takes long, beside the one for all other commands. */
  private final MemberConnection slow;

  private volatile MemberPromise promise = MemberPromise.NONE;

  GroupReplicationMember(ControlAccount account, MemberConnection looks, MemberConnection commands) {
    super(account, looks, commands);
    this.slow = new MemberConnection(account, JOIN_TIMEOUT);
  }

  @Override
  public MemberState state() {
    return looks.with("report its state", this::look);
  }

  private MemberState look(Connection connection) throws SQLException {
    DatabaseGroup group = DatabaseGroup.find(connection);
    boolean writable = group.isPrimary() && value(connection, "SELECT @@global.read_only").equals("0");
    return new MemberState(
        writable,
        group.otherPrimary(),
        group.takesPart(),
        group.hasJoined(),
        MySqlMember.transactions(connection),
        "",
        group.isPrimary() ? OptionalInt.of(group.othersOnline()) : OptionalInt.empty(),
        group.trouble(),
        MemberState.UNKNOWN_RUN);
  }

  /** As a member that another one is the primary of. */
  @Override
  Optional<ReplicaStatus> replica(Connection connection) throws SQLException {
    DatabaseGroup group = DatabaseGroup.find(connection);
    String received = value(connection, RECEIVED).replaceAll("\\s", "");
    return group.otherPrimary()
        .map(
            source -> new ReplicaStatus(
                source, group.takesPart() ? "Yes" : "No", "Yes", received, group.trouble(), Optional.empty()));
  }

  @Override
  void refuseWrites(Connection connection) throws SQLException {
    execute(connection, "SET GLOBAL super_read_only = ON");
  }

  /** A commit that waits for a majority ends, without being made, when its database leaves the group. */
  @Override
  void cutOffWrites(Connection connection) throws SQLException {
    cutOffClients(connection);
    if (!DatabaseGroup.find(connection).takesPart()) {
      leave();
    }
  }

  @Override
  public void makeWritable(int acknowledgements) {
    slow.with(
        "become the primary of its group",
        connection -> {
          DatabaseGroup group = DatabaseGroup.find(connection);
          if (!group.takesPart()) {
            throw new RnsException(
                RnsError.UNAVAILABLE, "the database " + account + " is not a member of a group that has a majority");
          }
          if (!group.isPrimary()) {
            var unused = value(connection, SET_AS_PRIMARY);
          }
          execute(connection, "SET GLOBAL super_read_only = OFF");
          execute(connection, "SET GLOBAL read_only = OFF");
          return true;
        });
  }

  @Override
  public void makeFirst(int acknowledgements) {
    slow.with(
        "begin a group",
        connection -> {
          if (DatabaseGroup.find(connection).hasJoined()) {
            throw new RnsException(RnsError.UNAVAILABLE, "the database " + account + " is still a member of a group");
          }
          // Another name, so that transactions of this group are not mistaken for those of a former one.
          prepare(connection, value(connection, "SELECT UUID()"));
          execute(connection, "SET GLOBAL group_replication_bootstrap_group = ON");
          try {
            start(connection);
          } finally {
            execute(connection, "SET GLOBAL group_replication_bootstrap_group = OFF");
          }
          return true;
        });
  }

  /**
   * Joins the group that the database at this address is a member of; no harm if it has joined already. Fails as long
   * as that has no majority, or has not missed a former life of this one.
   */
  @Override
  void replicate(Connection connection, String host, int port) {
    slow.with(
        "join the group of " + host + ":" + port,
        own -> {
          if (!DatabaseGroup.find(own).hasJoined()) {
            join(own, host, port);
          }
          return true;
        });
  }

  /**
   * Fails at once where joining would wait for long, as nothing else can be done with a database meanwhile. Joins while
   * no other one does: groups that two join in the same second have been seen to fall apart for a minute.
   */
  private void join(Connection own, String host, int port) throws SQLException {
    String ownAddress = value(own, OWN_ADDRESS);
    try (MemberConnection other = new MemberConnection(account.at(host, port), ASK_TIMEOUT)) {
      Optional<String> refusal =
          other.with(
              "report its group",
              connection -> value(connection, JOIN_LOCK).equals("1")
                  ? DatabaseGroup.find(connection).refusal(ownAddress)
                  : Optional.of("another one is joining"));
      if (refusal.isPresent()) {
        throw new RnsException(
            RnsError.UNAVAILABLE,
            "the database " + account + " cannot join the group of " + host + ":" + port + " yet: " + refusal.get());
      }
      prepare(own, other.value("report its group", "SELECT @@global.group_replication_group_name"));
      execute(own, "SET GLOBAL group_replication_group_seeds = ?", host + ":" + port);
      start(own);
    }
  }

  private static void prepare(Connection connection, String groupName) throws SQLException {
    execute(connection, "STOP GROUP_REPLICATION");
    execute(connection, "SET GLOBAL group_replication_group_name = ?", groupName);
    for (String setting : SETTINGS) {
      execute(connection, setting);
    }
    execute(connection, "SET GLOBAL group_replication_local_address = ?", value(connection, OWN_ADDRESS));
    execute(connection, "SET GLOBAL offline_mode = OFF");
  }

  private void start(Connection connection) throws SQLException {
    execute(connection, "START GROUP_REPLICATION USER = ?, PASSWORD = ?", account.user(), account.password());
  }

  @Override
  void stopReceiver(Connection connection) throws SQLException {
    if (DatabaseGroup.find(connection).hasJoined()) {
      var unused = allApplied(connection, APPLY_BEFORE_LEAVING);
    }
    leave();
  }

  private void leave() {
    slow.with(
        "leave its group",
        connection -> {
          execute(connection, "STOP GROUP_REPLICATION");
          return true;
        });
  }

  @Override
  boolean applied(Connection connection, String received, Duration most) throws SQLException {
    return MySqlMember.hasApplied(connection, received, most);
  }

  @Override
  String openSnapshot(Connection connection) throws SQLException {
    return MySqlMember.snapshot(connection);
  }

  @Override
  void forget(Connection connection) throws SQLException {
    execute(connection, "STOP GROUP_REPLICATION");
    // Accounts like ours pass over read_only, which stays.
    execute(connection, "SET GLOBAL super_read_only = OFF");
    execute(connection, "RESET BINARY LOGS AND GTIDS");
  }

  @Override
  void takeUp(Connection connection, String snapshot) throws SQLException {
    MySqlMember.takeUpSnapshot(connection, snapshot);
  }

  @Override
  public boolean contains(String transactions) {
    return MySqlMember.contains(looks, transactions);
  }

  @Override
  public MemberPromise promise() {
    return promise;
  }

  @Override
  public void promise(MemberPromise next) {
    promise = next;
  }

  @Override
  public void close() {
    super.close();
    slow.close();
  }
}
