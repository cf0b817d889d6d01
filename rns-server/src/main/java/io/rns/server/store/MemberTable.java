package io.rns.server.store;

import io.rns.replication.MemberList;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The table {@code group_member}: the members of the server group. Each row repeats what holds for the list: in which
 * epoch and how often it was changed, and how many acknowledge; so that one statement reads all of it.
 */
public final class MemberTable {
  /** Before a primary of this version has led. */
  private static final int NO_SUCH_TABLE = 1146;

  /** Of a version in which one replica acknowledged, until a primary of this one has led. */
  private static final int NO_SUCH_COLUMN = 1054;

  private static final String COLUMNS = "SELECT url, since, epoch, version, acknowledgements FROM ";
  private static final String FORMER_COLUMNS = "SELECT url, since, epoch, version, 1 FROM ";
  private static final String DELETE = "DELETE FROM group_member";
  private static final String INSERT =
      "INSERT INTO group_member (url, since, epoch, version, acknowledgements) VALUES ";

  private final String table;

  /** The table of a schema, for connections that have selected none. */
  MemberTable(String schema) {
    this.table = MemberConnection.quoted(schema) + ".group_member";
  }

  /** The list as last committed; {@link MemberList#NONE} if there is none. */
  MemberList find(Connection connection) throws SQLException {
    try {
      return find(connection, COLUMNS + table);
    } catch (SQLException e) {
      if (e.getErrorCode() == NO_SUCH_TABLE) {
        return MemberList.NONE;
      }
      if (e.getErrorCode() == NO_SUCH_COLUMN) {
        return find(connection, FORMER_COLUMNS + table);
      }
      throw e;
    }
  }

  private static MemberList find(Connection connection, String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql); ResultSet row = statement.executeQuery()) {
      List<MemberList.Member> members = new ArrayList<>();
      int epoch = 0;
      long version = 0;
      int acknowledgements = 1;
      while (row.next()) {
        String url = new String(row.getBytes(1), StandardCharsets.UTF_8);
        members.add(new MemberList.Member(url, EntryTable.instant(row.getLong(2)).toEpochMilli()));
        epoch = row.getInt(3);
        version = row.getLong(4);
        acknowledgements = row.getInt(5);
      }
      return new MemberList(epoch, version, members, acknowledgements);
    }
  }

  /**
   * Writes the list that follows the present one, in a transaction that holds the group's row.
   *
   * @param epoch in which it is written
   * @param urls the members; empty for the same as before
   * @param now since when new ones are members
   * @param most of how many replicas the commits of the database can wait
   * @return the list; {@link MemberList#NONE} if there still is none
   */
  public static MemberList write(Connection connection, int epoch, List<String> urls, Instant now, int most)
      throws SQLException {
    MemberList before = find(connection, COLUMNS + "group_member");
    if (urls.isEmpty() && !before.exists()) {
      return before;
    }
    MemberList next = before.next(epoch, urls.isEmpty() ? before.urls() : urls, now.toEpochMilli(), most);
    Statements statements = new Statements(connection);
    statements.add(DELETE);
    Statements.Rows rows = statements.insert(INSERT);
    for (MemberList.Member member : next.members()) {
      Instant since = Instant.ofEpochMilli(member.sinceMillis());
      rows.add(member.url().getBytes(StandardCharsets.UTF_8), EntryTable.micros(since), epoch, next.version(),
          next.acknowledgements());
    }
    statements.execute();
    return next;
  }
}
