package io.rns.server.store;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * How far the tables of a database are.
 *
 * @param empty whether it has no tables but, perhaps, the one that each member of a group keeps for itself
 * @param version of the last script that was run; 0 if none was
 */
record SchemaState(boolean empty, int version) {
  /** The version of the newest script in the folder {@code schema}. */
  static final int NEWEST = 10;

  /** Where Flyway notes which scripts were run. */
  static final String HISTORY = "schema_history";

  private static final int NO_SUCH_TABLE = 1146;

  private static final String TABLES =
      "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name <> ?";
  private static final String VERSION =
      "SELECT COALESCE(MAX(CAST(version AS UNSIGNED)), 0) FROM schema_history WHERE success";

  static SchemaState of(Connection connection) throws SQLException {
    try {
      int version = version(connection);
      return new SchemaState(false, version);
    } catch (SQLException e) {
      if (e.getErrorCode() != NO_SUCH_TABLE) {
        throw e;
      }
      return new SchemaState(MemberConnection.value(connection, TABLES, PromiseTable.NAME).equals("0"), 0);
    }
  }

  /** The version of the last script that was run. */
  static int version(Connection connection) throws SQLException {
    return Integer.parseInt(MemberConnection.value(connection, VERSION));
  }

  /** Whether no script is left to run. Those of a later version of RNS may have been run, too. */
  boolean isCurrent() {
    return version >= NEWEST;
  }
}
