package io.rns.server.store;

import io.rns.api.EntryId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The table {@code directory_count}: how many entries a directory has, so that nobody counts them, and how many levels of
 * entries are below it at most, so that a move of a subtree need not look at it.
 */
public final class DirectoryCountTable {
  private static final String SELECT = "SELECT entries FROM directory_count WHERE directory_id = ?";
  private static final String SELECT_HEIGHT = "SELECT height FROM directory_count WHERE directory_id = ?";
  private static final String ADD = "INSERT INTO directory_count (directory_id, entries, height) VALUES (?, ?, ?)";
  private static final String FURTHER_ROW = ", (?, ?, ?)";
  private static final String TO_EXISTING =
      """
       ON DUPLICATE KEY UPDATE entries = entries + VALUES(entries), height = GREATEST(height, VALUES(height))
      """;
  private static final int ROWS_PER_STATEMENT = 256;
  private static final String DELETE = "DELETE FROM directory_count WHERE directory_id IN (";

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

  /** How many levels of entries a directory has below it, at most. */
  public static int findHeight(Connection connection, EntryId directory) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(SELECT_HEIGHT)) {
      select.setLong(1, directory.value());
      try (ResultSet row = select.executeQuery()) {
        return row.next() ? row.getInt(1) : 0;
      }
    }
  }

  /** Adds to the counts, and raises heights to what is given if they are lower. */
  public static void add(Statements statements, Map<EntryId, Long> differences, Map<EntryId, Integer> heights)
      throws SQLException {
    Set<EntryId> directories = new LinkedHashSet<>(differences.keySet());
    directories.addAll(heights.keySet());
    List<Object> parameters = new ArrayList<>();
    for (EntryId directory : directories) {
      parameters.add(directory.value());
      parameters.add(differences.getOrDefault(directory, 0L));
      parameters.add(heights.getOrDefault(directory, 0));
      if (parameters.size() == 3 * ROWS_PER_STATEMENT) {
        add(statements, parameters);
      }
    }
    add(statements, parameters);
  }

  private static void add(Statements statements, List<Object> parameters) throws SQLException {
    if (!parameters.isEmpty()) {
      String rows = FURTHER_ROW.repeat(parameters.size() / 3 - 1);
      statements.add(ADD + rows + TO_EXISTING, parameters.toArray());
      parameters.clear();
    }
  }

  /** Forgets directories that are gone. */
  static void delete(Statements statements, List<Long> directories) throws SQLException {
    statements.add(DELETE + Statements.marks(directories.size()) + ")", directories.toArray());
  }
}
