package io.rns.server.store;

import io.rns.api.Entry;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.EntryId;
import io.rns.error.RnsException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Predicate;

/** All entries below a directory, as they are in the snapshot that a connection has open. */
public final class SubtreeRows {
  private static final int PARENTS = 256;
  private static final String SELECT = "SELECT " + EntryTable.COLUMNS + " FROM entry WHERE parent_id IN (";

  private SubtreeRows() {}

  /** Takes entries one by one. */
  @FunctionalInterface
  public interface Sink {
    /**
     * Takes one.
     *
     * @throws RnsException to end the reading
     */
    void take(Entry entry);
  }

  /**
   * Reads them, each directory before its content.
   *
   * @param enters whether the content of a directory is wanted, too; that of another group's is not here
   */
  public static void read(Connection connection, EntryId directory, Predicate<EntryId> enters, Sink sink)
      throws SQLException {
    Deque<EntryId> directories = new ArrayDeque<>();
    directories.add(directory);
    while (!directories.isEmpty()) {
      int count = Math.min(PARENTS, directories.size());
      try (PreparedStatement select =
          connection.prepareStatement(
              SELECT + Statements.marks(count) + ")", ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_READ_ONLY)) {
        // Row by row, however many there are.
        select.setFetchSize(Integer.MIN_VALUE);
        for (int i = 1; i <= count; i++) {
          select.setLong(i, directories.remove().value());
        }
        try (ResultSet row = select.executeQuery()) {
          while (row.next()) {
            Entry entry = EntryTable.read(row);
            sink.take(entry);
            if (entry instanceof VirtualDirectory found && found.owner().isEmpty() && enters.test(found.id())) {
              directories.add(found.id());
            }
          }
        }
      }
    }
  }
}
