package io.rns.server.store;

import io.rns.api.EntryId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The table {@code directory_count}: how many entries a directory has, so that they need not be counted, and how many
 * levels of entries are below it at most, so that a move of a subtree need not look at it.
 */
public final class DirectoryCountTable {
  private static final String SELECT =
      "SELECT directory_id, entries, height FROM directory_count WHERE directory_id IN (";
  /** Of {@link #placed}, at once. */
  public static final int PAGE = 10_000;

  private static final String PLACED =
      """
      SELECT c.directory_id, c.entries, e.parent_id FROM directory_count c JOIN entry e ON e.entry_id = c.directory_id
      WHERE c.directory_id > ? AND c.entries > 0 ORDER BY c.directory_id LIMIT ?
      """;
  private static final String ADD = "INSERT INTO directory_count (directory_id, entries, height) VALUES (?, ?, ?)";
  private static final String FURTHER_ROW = ", (?, ?, ?)";
  private static final String TO_EXISTING =
      """
       ON DUPLICATE KEY UPDATE entries = entries + VALUES(entries), height = GREATEST(height, VALUES(height))
      """;
  private static final int ROWS_PER_STATEMENT = 256;
  private static final String EMPTY = "UPDATE directory_count SET entries = 0 WHERE directory_id IN (";
  private static final String DELETE = "DELETE FROM directory_count WHERE directory_id IN (";
  private static final String WITHOUT_OWNER =
      ") AND directory_id NOT IN (SELECT directory_id FROM delegated_directory)";

  private DirectoryCountTable() {}

  /**
   * What is kept of a directory.
   *
   * @param entries how many it has
   * @param height how many levels of entries are below it, at most
   */
  public record Row(long entries, int height) {
    private static final Row NONE = new Row(0, 0);
  }

  /** A directory with its number of entries and the directory that it is in. */
  public record Placed(long id, long entries, long parent) {}

  /** The directories with entries after an identity, in the order of identities, as they come from indexes alone. */
  public static List<Placed> placed(Connection connection, long after, int most) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(PLACED)) {
      select.setLong(1, after);
      select.setInt(2, most);
      try (ResultSet row = select.executeQuery()) {
        List<Placed> rows = new ArrayList<>();
        while (row.next()) {
          rows.add(new Placed(row.getLong(1), row.getLong(2), row.getLong(3)));
        }
        return rows;
      }
    }
  }

  /** What is kept of a directory. */
  public static Row find(Connection connection, EntryId directory) throws SQLException {
    return find(connection, List.of(directory)).getOrDefault(directory, Row.NONE);
  }

  /** What is kept of each of many directories. */
  public static Map<EntryId, Row> find(Connection connection, Collection<EntryId> directories) throws SQLException {
    Map<EntryId, Row> rows = HashMap.newHashMap(directories.size());
    directories.forEach(directory -> rows.put(directory, Row.NONE));
    Iterator<EntryId> rest = directories.iterator();
    for (int left = directories.size(); left > 0; left -= ROWS_PER_STATEMENT) {
      int count = Math.min(left, ROWS_PER_STATEMENT);
      try (PreparedStatement select = connection.prepareStatement(SELECT + Statements.marks(count) + ")")) {
        for (int i = 1; i <= count; i++) {
          select.setLong(i, rest.next().value());
        }
        try (ResultSet row = select.executeQuery()) {
          while (row.next()) {
            rows.put(new EntryId(row.getLong(1)), new Row(row.getLong(2), row.getInt(3)));
          }
        }
      }
    }
    return rows;
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

  /**
   * Forgets directories that are gone. One whose content another server group owns only has none here: its height stays
   * what it was.
   */
  static void delete(Statements statements, List<Long> directories) throws SQLException {
    statements.add(EMPTY + Statements.marks(directories.size()) + ")", directories.toArray());
    statements.add(DELETE + Statements.marks(directories.size()) + WITHOUT_OWNER, directories.toArray());
  }
}
