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

  /** In one place with the data: the accounts of RNS have no rights elsewhere. */
  private final String name;

  PromiseTable(String schema) {
    this.name = "`" + schema.replace("`", "``") + "`." + NAME;
  }

  /** As last saved; {@link MemberPromise#NONE} before. */
  MemberPromise find(Connection connection) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT term, proposer, accepted, cut_off, led, forced, vouched_run FROM " + name + " WHERE id = 1");
        ResultSet row = select.executeQuery()) {
      return row.next()
          ? new MemberPromise(
              row.getInt(1), row.getString(2), row.getInt(3), row.getInt(4), row.getInt(5), row.getInt(6),
              row.getLong(7))
          : MemberPromise.NONE;
    } catch (SQLException e) {
      if (e.getErrorCode() == NO_SUCH_TABLE) {
        return MemberPromise.NONE;
      }
      throw e;
    }
  }

  /** Saves it; on disk when this returns, as any commit is with {@code innodb_flush_log_at_trx_commit = 1}. */
  void save(Connection connection, MemberPromise promise) throws SQLException {
    MemberConnection.execute(connection, "SET SESSION sql_log_bin = 0");
    try {
      write(connection, promise);
    } finally {
      MemberConnection.execute(connection, "SET SESSION sql_log_bin = 1");
    }
  }

  private void write(Connection connection, MemberPromise promise) throws SQLException {
    String replace =
        "REPLACE INTO " + name + " (id, term, proposer, accepted, cut_off, led, forced, vouched_run) "
            + "VALUES (1, ?, ?, ?, ?, ?, ?, ?)";
    Object[] values = {
        promise.term(), promise.proposer(), promise.accepted(), promise.cutOff(), promise.led(), promise.forced(),
        promise.vouchedRun()
    };
    try {
      MemberConnection.execute(connection, replace, values);
    } catch (SQLException e) {
      if (e.getErrorCode() != NO_SUCH_TABLE) {
        throw e;
      }
      MemberConnection.execute(
          connection,
          "CREATE TABLE IF NOT EXISTS " + name + " (id TINYINT NOT NULL PRIMARY KEY, term INT NOT NULL, "
              + "proposer VARCHAR(500) CHARACTER SET utf8mb4 NOT NULL, accepted INT NOT NULL, cut_off INT NOT NULL, "
              + "led INT NOT NULL, forced INT NOT NULL, vouched_run BIGINT NOT NULL) "
              + "ENGINE = InnoDB");
      MemberConnection.execute(connection, replace, values);
    }
  }
}
