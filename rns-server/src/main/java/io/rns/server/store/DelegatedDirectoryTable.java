package io.rns.server.store;

import io.rns.api.EntryId;
import io.rns.error.Limits;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The table {@code delegated_directory}: the directories whose content other server groups own. */
public final class DelegatedDirectoryTable {
  private static final String SELECT =
      "SELECT directory_id, group_id, epoch, copied_since FROM delegated_directory ORDER BY directory_id LIMIT "
          + Limits.PARTITIONS;
  private static final String REPLACE =
      "REPLACE INTO delegated_directory (directory_id, group_id, epoch, copied_since) VALUES ";
  private static final String DELETE = "DELETE FROM delegated_directory WHERE directory_id IN (";

  private DelegatedDirectoryTable() {}

  /**
   * A directory whose content another group owns.
   *
   * @param group that owns it
   * @param epoch the number of the change that delegated it
   * @param copiedSince if its content is being copied from that group: the number of a change there after which all of
   *        the copy was read; else 0
   */
  public record Row(EntryId directory, int group, long epoch, long copiedSince) {}

  /** All of them; there are at most {@link Limits#PARTITIONS}. */
  public static List<Row> all(Connection connection) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(SELECT);
        ResultSet row = select.executeQuery()) {
      List<Row> rows = new ArrayList<>();
      while (row.next()) {
        rows.add(new Row(new EntryId(row.getLong(1)), row.getInt(2), row.getLong(3), row.getLong(4)));
      }
      return rows;
    }
  }

  /** Deletes the rows of directories. */
  public static void delete(Statements statements, Collection<EntryId> directories) throws SQLException {
    if (!directories.isEmpty()) {
      statements.add(
          DELETE + Statements.marks(directories.size()) + ")", directories.stream().map(EntryId::value).toArray());
    }
  }

  /** Inserts rows, in place of those that directories have. */
  public static void replace(Statements statements, Collection<Row> delegated) throws SQLException {
    Statements.Rows rows = statements.insert(REPLACE);
    for (Row row : delegated) {
      rows.add(row.directory().value(), row.group(), row.epoch(), row.copiedSince());
    }
  }
}
