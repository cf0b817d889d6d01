package io.rns.server.store;

import io.rns.api.Entry;
import io.rns.api.EntryId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The table {@code removed_directory}: subtrees already out of the tree whose rows are still to be deleted. */
public final class RemovedDirectoryTable {
  private static final String SELECT = "SELECT directory_id FROM removed_directory ORDER BY directory_id LIMIT 1";
  private static final String INSERT = "INSERT INTO removed_directory (directory_id) VALUES ";
  private static final String DELETE = "DELETE FROM removed_directory WHERE directory_id = ?";
  private static final byte[] FIRST_NAME = {};

  private RemovedDirectoryTable() {}

  /** Remembers directories whose content is to be deleted. */
  public static void insert(Statements statements, Collection<EntryId> directories) throws SQLException {
    Statements.Rows rows = statements.insert(INSERT, 1);
    for (EntryId directory : directories) {
      rows.add(directory.value());
    }
  }

  /**
   * Deletes up to {@code step} entries of removed directories; directories among them become removed ones themselves.
   * The cost depends on the step alone.
   *
   * @return how many entries and directories it dealt with; 0 when nothing is left
   */
  public static int deleteSome(Connection connection, int step) throws SQLException {
    int done = 0;
    while (done < step) {
      EntryId directory = next(connection);
      if (directory == null) {
        return done;
      }
      List<Entry> entries = EntryTable.list(connection, directory, FIRST_NAME, true, step - done);
      Statements statements = new Statements(connection);
      if (entries.isEmpty()) {
        DirectoryCountTable.delete(statements, directory);
        statements.add(DELETE, directory.value());
        done++;
      } else {
        EntryTable.delete(statements, entries.stream().map(EntryTable::keyOf).toList());
        insert(statements, directoriesAmong(entries));
        done += entries.size();
      }
      statements.execute();
    }
    return done;
  }

  private static List<EntryId> directoriesAmong(List<Entry> entries) {
    List<EntryId> directories = new ArrayList<>();
    for (Entry entry : entries) {
      if (entry instanceof Entry.VirtualDirectory) {
        directories.add(entry.id());
      }
    }
    return directories;
  }

  private static @org.jspecify.annotations.Nullable EntryId next(Connection connection) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(SELECT);
        ResultSet row = select.executeQuery()) {
      return row.next() ? new EntryId(row.getLong(1)) : null;
    }
  }
}
