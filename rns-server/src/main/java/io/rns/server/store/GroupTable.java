package io.rns.server.store;

import io.rns.api.Position;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** The table {@code server_group}: one row, locked by every write transaction, that makes writes follow one another. */
public final class GroupTable {
  private static final String SELECT = "SELECT group_id, epoch, last_sequence, last_entry FROM server_group";
  private static final String UPDATE =
      "UPDATE server_group SET epoch = ?, last_sequence = ?, last_entry = ? WHERE group_id = ?";

  private GroupTable() {}

  /**
   * The state of the server group.
   *
   * @param position group, epoch and the number of the last change
   * @param lastEntry the number of the last entry made by this group
   */
  public record GroupRow(Position position, long lastEntry) {}

  /** The state as last committed. */
  public static GroupRow find(Connection connection) throws SQLException {
    return find(connection, SELECT);
  }

  /** The state, locked until the transaction ends. */
  public static GroupRow lock(Connection connection) throws SQLException {
    return find(connection, SELECT + " FOR UPDATE");
  }

  private static GroupRow find(Connection connection, String sql) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(sql);
        ResultSet row = select.executeQuery()) {
      if (!row.next()) {
        throw new RnsException(RnsError.INTERNAL, "the table server_group has no row");
      }
      return new GroupRow(new Position(row.getInt(1), row.getInt(2), row.getLong(3)), row.getLong(4));
    }
  }

  /** Replaces the state. */
  public static void update(Connection connection, GroupRow state) throws SQLException {
    try (PreparedStatement update = connection.prepareStatement(UPDATE)) {
      update.setInt(1, state.position().epoch());
      update.setLong(2, state.position().sequence());
      update.setLong(3, state.lastEntry());
      update.setInt(4, state.position().group());
      update.executeUpdate();
    }
  }
}
