package io.rns.loadtest.jdbc;

import io.rns.loadtest.measure.Failure;
import io.rns.loadtest.measure.FailureKind;
import java.sql.Connection;
import java.sql.SQLException;

/** What clients of a database do with their connections. */
final class JdbcConnections {
  private JdbcConnections() {}

  /** The failure of a request: of the connection, or refused by the database. */
  static Failure failure(SQLException e) {
    boolean broken = e.getSQLState() == null || e.getSQLState().startsWith("08");
    return new Failure(broken ? FailureKind.CONNECTION : FailureKind.DATABASE, String.valueOf(e.getMessage()));
  }

  /** Breaks one off; what waits for it fails. */
  static void cut(Connection connection) {
    try {
      connection.abort(Runnable::run);
    } catch (SQLException e) {
      throw YardstickTable.refused("cut a connection", e);
    }
  }

  static void close(Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      throw YardstickTable.refused("close a connection", e);
    }
  }
}
