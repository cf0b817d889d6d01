package io.rns.server.store;

import io.rns.api.Position;
import io.rns.api.Positions;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;

/** The table {@code server_group}: one row, locked by every write transaction, that makes writes follow one another. */
public final class GroupTable {
  private static final String SELECT =
      "SELECT group_id, epoch, last_sequence, last_entry, last_answers, beat_at, reflected, confirmed FROM server_group";
  private static final String UPDATE =
      """
      UPDATE server_group
      SET epoch = ?, last_sequence = ?, last_entry = ?, last_answers = ?, beat_at = ?, reflected = ?, confirmed = ?
      WHERE group_id = ?""";
  /** Compares all columns before it assigns one. A column that may not be null refuses the mismatch. */
  private static final String REPLACE =
      """
      UPDATE server_group
      SET epoch = IF(epoch = ? AND last_sequence = ? AND last_entry = ? AND last_answers = ?, ?, NULL),
        last_sequence = ?, last_entry = ?, last_answers = ?, beat_at = ?, reflected = ?, confirmed = ?
      WHERE group_id = ?""";
  /** Of a database that no primary has written yet. */
  private static final String CLAIM =
      """
      UPDATE server_group SET group_id = ?
      WHERE group_id = 0 AND epoch = 0 AND last_sequence = 1 AND last_entry = 1 AND last_answers = 0""";
  private static final String BEAT = "UPDATE server_group SET beat_at = ?, confirmed = ? WHERE group_id = ?";

  /** Where one replica suffices that has received a change, all that one has is confirmed. */
  public static final long ALL = Long.MAX_VALUE;

  private GroupTable() {}

  /**
   * The state of the server group.
   *
   * @param position group, epoch and the number of the last change
   * @param lastEntry the number of the last entry made by this group
   * @param lastAnswers the number of the last row of answers to requests with an id
   * @param beat when the primary last committed something, by its clock
   * @param reflected positions of other server groups that the tree reflects, and {@link Positions#cuts} of its own
   * @param confirmed the number of the last change of which the primary knew before this that enough replicas have it;
   *        {@link GroupTable#ALL} where one suffices
   */
  public record GroupRow(
      Position position, long lastEntry, long lastAnswers, Instant beat, Positions reflected, long confirmed) {
    /** Whether enough replicas have all that was changed, so that it stays, whoever leads. */
    public boolean isConfirmed() {
      return confirmed >= position.sequence();
    }

    /** This state with another last change that is known to be confirmed. */
    public GroupRow with(long otherConfirmed) {
      return new GroupRow(position, lastEntry, lastAnswers, beat, reflected, otherConfirmed);
    }

    /**
     * What the tree reflects when another epoch begins. A map of the partitions from an earlier one may have changes
     * that were lost or replaced.
     */
    public Positions reflectedFrom(Position begin) {
      return reflected.cutsOf(begin.group()).isPresent() ? reflected.withCuts(begin) : reflected;
    }

    /** Whether no primary has written yet. */
    boolean isNew() {
      return position.epoch() == 0 && position.sequence() == 1;
    }

    /** Whether nothing was written between the two but beats. */
    public boolean isSameState(GroupRow other) {
      return position.equals(other.position) && lastEntry == other.lastEntry && lastAnswers == other.lastAnswers;
    }
  }

  /** Gives a database that no primary has written yet its group. */
  static void claim(Connection connection, int group) throws SQLException {
    try (PreparedStatement update = connection.prepareStatement(CLAIM)) {
      update.setInt(1, group);
      update.executeUpdate();
    }
  }

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
      Position position = new Position(row.getInt(1), row.getInt(2), row.getLong(3));
      return new GroupRow(
          position, row.getLong(4), row.getLong(5), EntryTable.instant(row.getLong(6)), reflected(row.getBytes(7)),
          row.getLong(8));
    }
  }

  /** As many positions as were written, unlike those of a caller. */
  private static Positions reflected(byte[] column) {
    return column.length == 0 ? Positions.NONE : Positions.ofStored(new String(column, StandardCharsets.US_ASCII));
  }

  private static byte[] reflected(Positions positions) {
    return positions.toString().getBytes(StandardCharsets.US_ASCII);
  }

  /** Replaces the state. */
  public static void update(Statements statements, GroupRow state) throws SQLException {
    Position position = state.position();
    statements.add(
        UPDATE,
        position.epoch(),
        position.sequence(),
        state.lastEntry(),
        state.lastAnswers(),
        EntryTable.micros(state.beat()),
        reflected(state.reflected()),
        state.confirmed(),
        position.group());
  }

  /**
   * Replaces one state by another; fails as {@link SqlErrors#isGuard} tells if the state is not that one. The session
   * has to be strict, as {@link Database}'s are.
   *
   * @param before compared without its time
   */
  public static void replace(Statements statements, GroupRow before, GroupRow after) throws SQLException {
    Position old = before.position();
    Position position = after.position();
    statements.add(
        REPLACE,
        old.epoch(),
        old.sequence(),
        before.lastEntry(),
        before.lastAnswers(),
        position.epoch(),
        position.sequence(),
        after.lastEntry(),
        after.lastAnswers(),
        EntryTable.micros(after.beat()),
        reflected(after.reflected()),
        after.confirmed(),
        position.group());
  }

  /** Tells that the primary is there, and what is confirmed, though nothing changes. */
  public static void beat(Connection connection, int group, Instant now, long confirmed) throws SQLException {
    try (PreparedStatement update = connection.prepareStatement(BEAT)) {
      update.setLong(1, EntryTable.micros(now));
      update.setLong(2, confirmed);
      update.setInt(3, group);
      update.executeUpdate();
    }
  }
}
