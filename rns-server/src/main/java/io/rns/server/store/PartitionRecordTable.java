package io.rns.server.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** The table {@code partition_record}: decisions about partitions, moves of directories, and tickets. */
public final class PartitionRecordTable {
  /** Records of a kind; older ones are deleted. */
  public static final int KEPT = 1_000;

  private static final String LATEST =
      "SELECT number, document FROM partition_record WHERE kind = ? ORDER BY number DESC LIMIT ?";
  private static final String FIND = "SELECT number, document FROM partition_record WHERE kind = ? AND number = ?";
  private static final String REPLACE = "REPLACE INTO partition_record (kind, number, document) VALUES (?, ?, ?)";
  private static final String DELETE = "DELETE FROM partition_record WHERE kind = ? AND number <= ?";

  private PartitionRecordTable() {}

  /** What a record is about. */
  public enum Kind {
    /** A decision, with what was measured. */
    DECISION(1),
    /** A move. */
    MOVE(2),
    /** The only one of its kind: the tickets of the service. */
    TICKETS(3);

    private final int column;

    Kind(int column) {
      this.column = column;
    }
  }

  /**
   * A record.
   *
   * @param number counts the records of a kind, from 1 on
   */
  @SuppressWarnings("ArrayRecordComponent") // compared nowhere
  public record Row(long number, byte[] document) {}

  /** The newest records of a kind, the newest first. */
  public static List<Row> latest(Connection connection, Kind kind, int most) throws SQLException {
    return select(connection, LATEST, kind, most);
  }

  /** The record with a number; none if there is none. */
  public static List<Row> find(Connection connection, Kind kind, long number) throws SQLException {
    return select(connection, FIND, kind, number);
  }

  private static List<Row> select(Connection connection, String sql, Kind kind, long value) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(sql)) {
      select.setInt(1, kind.column);
      select.setLong(2, value);
      try (ResultSet row = select.executeQuery()) {
        List<Row> rows = new ArrayList<>();
        while (row.next()) {
          rows.add(new Row(row.getLong(1), row.getBytes(2)));
        }
        return rows;
      }
    }
  }

  /**
   * Writes a record, in a transaction that holds the group's row.
   *
   * @param number of the record to be replaced; 0 for a new one
   * @return its number
   */
  public static long write(Connection connection, Kind kind, long number, byte[] document) throws SQLException {
    List<Row> last = number > 0 ? List.of() : latest(connection, kind, 1);
    long written = number > 0 ? number : last.isEmpty() ? 1 : last.getFirst().number() + 1;
    Statements statements = new Statements(connection);
    statements.add(REPLACE, kind.column, written, document);
    statements.add(DELETE, kind.column, written - KEPT);
    statements.execute();
    return written;
  }
}
