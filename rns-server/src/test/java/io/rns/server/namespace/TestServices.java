package io.rns.server.namespace;

import io.rns.server.store.Database;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;

/** Settings for services over test databases. */
public final class TestServices {
  public static final WriterSettings WRITER =
      new WriterSettings(4_096, 256, Duration.ofSeconds(20), Duration.ofHours(24), Duration.ofHours(72), Duration.ZERO,
          true);

  /** Of a group that does not own the root of its tree. */
  public static final WriterSettings PART =
      new WriterSettings(
          4_096, 256, Duration.ofSeconds(20), Duration.ofHours(24), Duration.ofHours(72), Duration.ZERO, false);

  /** Of a group of several servers. */
  static final WriterSettings IN_GROUP =
      new WriterSettings(
          4_096, 256, Duration.ofSeconds(20), Duration.ofHours(24), Duration.ofHours(72), Duration.ofSeconds(1), true);

  /** Of a group of several servers that does not own the root of its tree. */
  static final WriterSettings PART_IN_GROUP =
      new WriterSettings(
          4_096, 256, Duration.ofSeconds(20), Duration.ofHours(24), Duration.ofHours(72), Duration.ofSeconds(1), false);

  private TestServices() {}

  static LocalNameService start(Database database) {
    database.migrate();
    return LocalNameService.start(database, 16 << 20, WRITER, InstantSource.system());
  }

  /** Whether another session of this database locks the group's row, or waits for it: a batch, or upkeep. */
  static boolean isAtGroupRow(Statement statement) throws SQLException {
    String sql =
        "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE ID <> CONNECTION_ID() AND DB = DATABASE()"
            + " AND (INFO LIKE '%server_group FOR UPDATE%' OR INFO LIKE 'UPDATE server_group%')";
    try (ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getInt(1) > 0;
    }
  }
}
