package io.rns.server.store;

import io.rns.api.Position;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The table {@code change_log}: every committed change, numbered without gaps in the order of commits. */
public final class ChangeLogTable {
  private static final String INSERT =
      """
      INSERT INTO change_log
        (sequence, epoch, committed_at, kind, entry_id, parent_id, name, old_parent_id, old_name)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;
  private static final String OLDEST = "SELECT sequence, committed_at FROM change_log ORDER BY sequence LIMIT 1 OFFSET ?";
  private static final String DELETE = "DELETE FROM change_log WHERE sequence <= ?";

  private ChangeLogTable() {}

  /** What happened to an entry. */
  public enum Kind {
    /** It was made. */
    ADDED(1),
    /** Its references or metadata were replaced. */
    CHANGED(2),
    /** It got another name or directory, perhaps other content too. */
    MOVED(3),
    /** It was taken out of the tree, with all below it. */
    REMOVED(4);

    private final int code;

    Kind(int code) {
      this.code = code;
    }
  }

  /**
   * One change.
   *
   * @param sequence its number
   * @param kind what happened
   * @param entryId the entry it happened to
   * @param key where the entry is; of a removed one, where it was
   * @param oldKey where a moved entry was
   */
  public record Change(long sequence, Kind kind, long entryId, EntryKey key, @Nullable EntryKey oldKey) {}

  /** Appends changes. */
  public static void append(Connection connection, Position position, Instant time, List<Change> changes)
      throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
      for (Change change : changes) {
        insert.setLong(1, change.sequence());
        insert.setInt(2, position.epoch());
        insert.setLong(3, EntryTable.micros(time));
        insert.setInt(4, change.kind().code);
        insert.setLong(5, change.entryId());
        insert.setLong(6, change.key().parent());
        insert.setBytes(7, change.key().nameBytes());
        EntryKey oldKey = change.oldKey();
        if (oldKey == null) {
          insert.setNull(8, Types.BIGINT);
          insert.setNull(9, Types.VARBINARY);
        } else {
          insert.setLong(8, oldKey.parent());
          insert.setBytes(9, oldKey.nameBytes());
        }
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  /**
   * Deletes the oldest {@code step} changes if all of them are older than {@code time}.
   *
   * @return whether it deleted
   */
  public static boolean sweep(Connection connection, Instant time, int step) throws SQLException {
    long last;
    try (PreparedStatement select = connection.prepareStatement(OLDEST)) {
      select.setInt(1, step - 1);
      try (ResultSet row = select.executeQuery()) {
        if (!row.next() || row.getLong(2) >= EntryTable.micros(time)) {
          return false;
        }
        last = row.getLong(1);
      }
    }
    try (PreparedStatement delete = connection.prepareStatement(DELETE)) {
      delete.setLong(1, last);
      delete.executeUpdate();
    }
    return true;
  }
}
