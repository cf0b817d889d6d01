package io.rns.server.store;

import io.rns.api.EntryId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The table {@code directory_count}: how many entries a directory has, so that nobody counts them. */
public final class DirectoryCountTable {
  private static final String SELECT = "SELECT entries FROM directory_count WHERE directory_id = ?";
  private static final String ADD = "INSERT INTO directory_count (directory_id, entries) VALUES (?, ?)";
  private static final String ADD_ROW = ", (?, ?)";
  private static final String OR_UPDATE = " ON DUPLICATE KEY UPDATE entries = entries + VALUES(entries)";
  private static final String DELETE = "DELETE FROM directory_count WHERE directory_id IN (";

  /** Rows of one statement: bounds its text. */
  private static final int ROWS_PER_STATEMENT = 256;

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
    List<Object> values = new ArrayList<>();
    for (Map.Entry<EntryId, Long> difference : differences.entrySet()) {
      values.add(difference.getKey().value());
      values.add(difference.getValue());
      if (values.size() == 2 * ROWS_PER_STATEMENT) {
        add(statements, values);
        values.clear();
      }
    }
    if (!values.isEmpty()) {
      add(statements, values);
    }
  }

  private static void add(Statements statements, List<Object> values) throws SQLException {
    statements.add(ADD + ADD_ROW.repeat(values.size() / 2 - 1) + OR_UPDATE, values.toArray());
  }

  /** Forgets directories that are gone. */
  static void delete(Statements statements, List<Long> directories) throws SQLException {
    statements.add(DELETE + Statements.marks(directories.size()) + ")", directories.toArray());
  }
}
