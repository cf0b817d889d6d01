package io.rns.server.store;

import io.rns.api.Entry;
import io.rns.api.EntryName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the entries of many directories at once, by ranges of the primary key of the table {@code entry}. */
public final class ChildRows {
  /** Directories of one statement: bounds its text, and the optimizer's memory for ranges. */
  public static final int PARENTS_PER_STATEMENT = 512;

  /** Content that is read with its row: bounds a statement's result, since all of a result is in memory. */
  static final int SMALL_BYTES = 1 << 10;

  private static final String SELECT = EntryTable.selectSmall(SMALL_BYTES);

  private ChildRows() {}

  /**
   * An entry of one of the directories.
   *
   * @param id its identity
   * @param isDirectory whether it is a directory
   * @param isDelegated whether it is a directory whose content another server group owns
   * @param isMoving whether it is moving to another server group
   * @param bytes of references and metadata
   * @param entry null if its content is to be read by its key
   */
  public record ChildRow(long parent, EntryName name, long id, boolean isDirectory, boolean isDelegated,
      boolean isMoving, long bytes, @Nullable Entry entry) {
    /** The key of the entry. */
    public EntryKey key() {
      return new EntryKey(parent, name);
    }
  }

  /**
   * The entries of directories, by directory and name.
   *
   * @param parents up to {@link #PARENTS_PER_STATEMENT} of them
   * @param limit how many entries at most
   */
  public static List<ChildRow> ofAll(Connection connection, long[] parents, int limit) throws SQLException {
    // Few different statements, which stay prepared: the last directory is named as often as there is room for more.
    int places = Math.max(1, Integer.highestOneBit(2 * parents.length - 1));
    String sql = SELECT + "parent_id IN (" + Statements.marks(places) + ") ORDER BY parent_id, name LIMIT ?";
    long[] sorted = parents.clone();
    Arrays.sort(sorted);
    try (PreparedStatement select = connection.prepareStatement(sql)) {
      for (int i = 0; i < places; i++) {
        select.setLong(i + 1, sorted[Math.min(i, sorted.length - 1)]);
      }
      select.setInt(places + 1, limit);
      return rows(select);
    }
  }

  private static final String SELECT_AFTER = SELECT + "parent_id = ? AND name > ? ORDER BY name LIMIT ?";

  /** The entries of one directory behind a name. */
  public static List<ChildRow> after(Connection connection, long parent, EntryName name, int limit)
      throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(SELECT_AFTER)) {
      select.setLong(1, parent);
      select.setBytes(2, name.utf8());
      select.setInt(3, limit);
      return rows(select);
    }
  }

  private static List<ChildRow> rows(PreparedStatement select) throws SQLException {
    try (ResultSet row = select.executeQuery()) {
      List<ChildRow> rows = new ArrayList<>();
      while (row.next()) {
        rows.add(read(row));
      }
      return rows;
    }
  }

  private static ChildRow read(ResultSet row) throws SQLException {
    int kind = row.getInt(4);
    boolean delegated = kind == EntryTable.DELEGATED;
    boolean directory = kind == EntryTable.DIRECTORY || delegated;
    long bytes = row.getLong(EntryTable.BYTES_COLUMN);
    Entry entry = bytes <= SMALL_BYTES ? EntryTable.read(row) : null;
    EntryName name = entry == null ? EntryName.ofUtf8(row.getBytes(2)) : entry.binding().name();
    return new ChildRow(row.getLong(1), name, row.getLong(3), directory, delegated, row.getLong(5) < 0, bytes, entry);
  }
}
