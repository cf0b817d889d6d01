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
  private static final String SELECT = "SELECT group_id, epoch, last_sequence, last_entry, last_answers FROM server_group";
  private static final String UPDATE =
      "UPDATE server_group SET epoch = ?, last_sequence = ?, last_entry = ?, last_answers = ? WHERE group_id = ?";

  private GroupTable() {}

  /**
   * The state of the server group.
   *
   * @param position group, epoch and the number of the last change
   * @param lastEntry the number of the last entry made by this group
   * @param lastAnswers the number of the last row of answers to requests with an id
   */
  public record GroupRow(Position position, long lastEntry, long lastAnswers) {}

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
      return new GroupRow(new Position(row.getInt(1), row.getInt(2), row.getLong(3)), row.getLong(4), row.getLong(5));
    }
  }

  /** Replaces the state. */
  public static void update(Statements statements, GroupRow state) throws SQLException {
    Position position = state.position();
    statements.add(
        UPDATE, position.epoch(), position.sequence(), state.lastEntry(), state.lastAnswers(), position.group());
  }
}
