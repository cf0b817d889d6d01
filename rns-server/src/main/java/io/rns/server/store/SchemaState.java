package io.rns.server.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
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

  private static final String TABLES =
      """
      SELECT COUNT(*), COUNT(CASE WHEN table_name = ? THEN 1 END) FROM information_schema.tables
      WHERE table_schema = DATABASE() AND table_name <> ?""";
  private static final String VERSION =
      "SELECT COALESCE(MAX(CAST(version AS UNSIGNED)), 0) FROM schema_history WHERE success";

  static SchemaState of(Connection connection) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(TABLES)) {
      select.setString(1, HISTORY);
      select.setString(2, PromiseTable.NAME);
      try (ResultSet row = select.executeQuery()) {
        boolean counted = row.next();
        boolean begun = counted && row.getInt(2) > 0;
        return new SchemaState(!counted || row.getInt(1) == 0, begun ? version(connection) : 0);
      }
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
