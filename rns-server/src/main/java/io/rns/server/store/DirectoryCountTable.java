package io.rns.server.store;

import io.rns.api.EntryId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;

/** The table {@code directory_count}: how many entries a directory has, so that nobody counts them. */
public final class DirectoryCountTable {
  private static final String SELECT = "SELECT entries FROM directory_count WHERE directory_id = ?";
  private static final String ADD =
      """
      INSERT INTO directory_count (directory_id, entries) VALUES (?, ?)
      ON DUPLICATE KEY UPDATE entries = entries + VALUES(entries)
      """;
  private static final String DELETE = "DELETE FROM directory_count WHERE directory_id = ?";

  private DirectoryCountTable() {}

  /** How many entries a directory has. */
  public static long find(Connection connection, EntryId directory) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(SELECT)) {
      select.setLong(1, directory.value());
      try (ResultSet row = select.executeQuery()) {
        return row.next() ? row.getLong(1) : 0;
      }
    }
  }

  /** Adds to the counts. */
  public static void add(Statements statements, Map<EntryId, Long> differences) throws SQLException {
    for (Map.Entry<EntryId, Long> difference : differences.entrySet()) {
      statements.add(ADD, difference.getKey().value(), difference.getValue());
    }
  }

  /** Forgets a directory that is gone. */
  public static void delete(Statements statements, EntryId directory) throws SQLException {
    statements.add(DELETE, directory.value());
  }
}
