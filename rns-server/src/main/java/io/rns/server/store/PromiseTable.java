package io.rns.server.store;

import io.rns.replication.membership.MemberPromise;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * The table {@code member_promise}: at most one row, of this database alone. It is created and written outside of the
 * binary log, so neither reaches another member nor counts as a transaction; copies, backups and migrations of the
 * schema pass it over.
 */
final class PromiseTable {
  static final String NAME = "member_promise";

  private static final int NO_SUCH_TABLE = 1146;
  private static final int NO_SUCH_COLUMN = 1054;
  private static final int COLUMN_EXISTS = 1060;

  /** With a default, since an earlier version that is installed again does not write it. */
  private static final String CHOSEN = "chosen INT NOT NULL DEFAULT 0";

  /** In one place with the data: the accounts of RNS have no rights elsewhere. */
  private final String name;

  PromiseTable(String schema) {
    this.name = MemberConnection.quoted(schema) + "." + NAME;
  }

  /**
   * What it has.
   *
   * @param promise as last saved; {@link MemberPromise#NONE} before
   * @param complete false if the table is of an earlier version: {@link #complete} adds what it lacks
   */
  record Found(MemberPromise promise, boolean complete) {}

  /** Reads it. */
  Found find(Connection connection) throws SQLException {
    try {
      return new Found(find(connection, "chosen"), true);
    } catch (SQLException e) {
      return switch (e.getErrorCode()) {
        case NO_SUCH_TABLE -> new Found(MemberPromise.NONE, true);
        // Who led was chosen: more is not known of a table of an earlier version.
        case NO_SUCH_COLUMN -> new Found(find(connection, "led"), false);
        default -> throw e;
      };
    }
  }

  private MemberPromise find(Connection connection, String chosen) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT term, proposer, accepted, cut_off, led, " + chosen + ", forced, vouched_run FROM " + name
                + " WHERE id = 1");
        ResultSet row = select.executeQuery()) {
      return row.next()
          ? new MemberPromise(
              row.getInt(1), row.getString(2), row.getInt(3), row.getInt(4), row.getInt(5), row.getInt(6),
              row.getInt(7), row.getLong(8))
          : MemberPromise.NONE;
    }
  }

  /** Saves it; on disk when this returns, as any commit is with {@code innodb_flush_log_at_trx_commit = 1}. */
  void save(Connection connection, MemberPromise promise) throws SQLException {
    unlogged(connection, () -> write(connection, promise));
  }

  /** Adds what a table of an earlier version lacks. It waits a second at most for locks, as that of a backup. */
  void complete(Connection connection) throws SQLException {
    MemberConnection.execute(connection, "SET SESSION lock_wait_timeout = 1");
    unlogged(connection, () -> addColumn(connection));
    // A failure ends the connection.
    MemberConnection.execute(connection, "SET SESSION lock_wait_timeout = DEFAULT");
  }

  private void addColumn(Connection connection) throws SQLException {
    try {
      MemberConnection.execute(connection, "ALTER TABLE " + name + " ADD COLUMN " + CHOSEN);
    } catch (SQLException e) {
      if (e.getErrorCode() != COLUMN_EXISTS) {
        throw e;
      }
    }
  }

  /** Makes a change of this database alone. */
  static void unlogged(Connection connection, ReplicatedDatabase.Change change) throws SQLException {
    MemberConnection.execute(connection, "SET SESSION sql_log_bin = 0");
    try {
      change.make();
    } finally {
      MemberConnection.execute(connection, "SET SESSION sql_log_bin = 1");
    }
  }

  private void write(Connection connection, MemberPromise promise) throws SQLException {
    try {
      replace(connection, promise);
    } catch (SQLException e) {
      switch (e.getErrorCode()) {
        case NO_SUCH_TABLE -> MemberConnection.execute(
            connection,
            "CREATE TABLE IF NOT EXISTS " + name + " (id TINYINT NOT NULL PRIMARY KEY, "
                + "term INT NOT NULL, proposer VARCHAR(500) CHARACTER SET utf8mb4 NOT NULL, accepted INT NOT NULL, "
                + "cut_off INT NOT NULL, led INT NOT NULL, forced INT NOT NULL, vouched_run BIGINT NOT NULL, " + CHOSEN
                + ") ENGINE = InnoDB");
        case NO_SUCH_COLUMN -> addColumn(connection);
        default -> throw e;
      }
      replace(connection, promise);
    }
  }

  private void replace(Connection connection, MemberPromise promise) throws SQLException {
    MemberConnection.execute(
        connection,
        "REPLACE INTO " + name + " (id, term, proposer, accepted, cut_off, led, chosen, forced, vouched_run) "
            + "VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?)",
        promise.term(), promise.proposer(), promise.accepted(), promise.cutOff(), promise.led(), promise.chosen(),
        promise.forced(), promise.vouchedRun());
  }
}
