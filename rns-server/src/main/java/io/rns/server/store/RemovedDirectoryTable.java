package io.rns.server.store;

import io.rns.api.EntryId;
import io.rns.api.EntryName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.IntPredicate;

/** The table {@code removed_directory}: subtrees already out of the tree whose rows are still to be deleted. */
public final class RemovedDirectoryTable {
  /** Directories and entries of one round: three round trips, and about a millisecond of the database. */
  private static final int ROUND = 64;

  /** Bytes of references and metadata that a round deletes: the database writes them to its log. */
  private static final long ROUND_BYTES = 4L << 20;

  private static final String SELECT =
      "SELECT directory_id FROM removed_directory ORDER BY directory_id LIMIT " + ROUND;
  private static final String SELECT_ONE = "SELECT 1 FROM removed_directory WHERE directory_id = ?";
  private static final String SELECT_ENTRIES =
      "SELECT parent_id, name, entry_id, kind, COALESCE(LENGTH(epr), 0) + COALESCE(LENGTH(metadata), 0) FROM entry"
          + " WHERE parent_id IN (";
  private static final String IN_ORDER = ") ORDER BY parent_id, name LIMIT " + ROUND;
  private static final String INSERT = "INSERT INTO removed_directory (directory_id) VALUES ";
  private static final String DELETE = "DELETE FROM removed_directory WHERE directory_id IN (";

  private RemovedDirectoryTable() {}

  /** Remembers directories whose content is to be deleted. */
  public static void insert(Statements statements, Collection<EntryId> directories) throws SQLException {
    Statements.Rows rows = statements.insert(INSERT);
    for (EntryId directory : directories) {
      rows.add(directory.value());
    }
  }

  /**
   * Deletes entries of removed directories, many directories at a time; directories among them become removed ones
   * themselves. The cost of a round does not depend on what there is.
   *
   * @param goesOn whether there is another round, after so many rows
   * @return whether anything may be left
   */
  public static boolean deleteSome(Connection connection, IntPredicate goesOn) throws SQLException {
    int rows = 0;
    do {
      List<Long> directories = next(connection);
      if (directories.isEmpty()) {
        return false;
      }
      Content content = content(connection, directories);
      Statements statements = new Statements(connection);
      EntryTable.delete(statements, content.keys());
      insert(statements, content.directories());
      List<Long> empty = directories.stream().filter(directory -> directory < content.readBelow()).toList();
      if (!empty.isEmpty()) {
        DirectoryCountTable.delete(statements, empty);
        statements.add(DELETE + Statements.marks(empty.size()) + ")", empty.toArray());
      }
      statements.execute();
      rows += content.keys().size() + empty.size();
    } while (goesOn.test(rows));
    return true;
  }

  /** Whether nothing is left to delete. */
  public static boolean isEmpty(Connection connection) throws SQLException {
    return next(connection).isEmpty();
  }

  /** Whether a directory has content that is to be deleted. */
  public static boolean contains(Connection connection, EntryId directory) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(SELECT_ONE)) {
      select.setLong(1, directory.value());
      try (ResultSet row = select.executeQuery()) {
        return row.next();
      }
    }
  }

  private static List<Long> next(Connection connection) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(SELECT);
        ResultSet row = select.executeQuery()) {
      List<Long> directories = new ArrayList<>();
      while (row.next()) {
        directories.add(row.getLong(1));
      }
      return directories;
    }
  }

  /**
   * Entries to delete.
   *
   * @param keys of all of them
   * @param directories those among them
   * @param readBelow all entries of directories with smaller ids are among them
   */
  private record Content(List<EntryKey> keys, List<EntryId> directories, long readBelow) {}

  private static Content content(Connection connection, List<Long> parents) throws SQLException {
    List<EntryKey> keys = new ArrayList<>();
    List<EntryId> directories = new ArrayList<>();
    String sql = SELECT_ENTRIES + Statements.marks(parents.size()) + IN_ORDER;
    try (PreparedStatement select = connection.prepareStatement(sql)) {
      for (int i = 0; i < parents.size(); i++) {
        select.setLong(i + 1, parents.get(i));
      }
      long bytes = 0;
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          EntryKey key = new EntryKey(row.getLong(1), EntryName.ofUtf8(row.getBytes(2)));
          keys.add(key);
          if (row.getInt(4) == EntryTable.DIRECTORY) {
            directories.add(new EntryId(row.getLong(3)));
          }
          bytes += row.getLong(5);
          if (bytes > ROUND_BYTES || keys.size() == ROUND) {
            // There may be more of this one.
            return new Content(keys, directories, key.parent());
          }
        }
      }
    }
    return new Content(keys, directories, Long.MAX_VALUE);
  }
}
