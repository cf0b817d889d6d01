package io.rns.server.store;

import io.rns.api.EntryId;
import io.rns.api.Position;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All rows that make up a tree, as the database has them: read in one snapshot, written in one transaction. The change
 * log is not among them, since watchers have to start over with another tree.
 */
public final class TableRows {
  private static final List<String> TABLES =
      List.of("entry", "directory_count", "answer_log", "request_log", "delegated_directory", "departure",
          "removed_directory");
  private static final String CHANGES = "change_log";
  private static final int DELETED_ROWS = 10_000;

  /** What was written after the backup is lost, but clients remember it: none of its numbers is given a second time. */
  private static final int EPOCHS_APART = 1_000;

  private static final long NUMBERS_APART = 1_000_000_000;

  private TableRows() {}

  /**
   * What belongs to all rows.
   *
   * @param schema the version of the tables' form
   * @param entries below the root
   */
  public record Head(int schema, Position position, long lastEntry, long lastAnswers, long entries) {}

  /** Takes rows. Values are {@link Long}s, byte arrays and nulls. */
  public interface Sink {
    /** First of all. */
    void begin(Head head) throws IOException;

    /** The following rows are of this table. */
    void table(String name, List<String> columns) throws IOException;

    /** A row of the table. */
    void row(@Nullable Object[] values) throws IOException;
  }

  /** Gives rows, in the order of {@link Sink}. */
  public interface Source {
    /** The head; before all else. */
    Head head();

    /** Gives all tables and rows to a sink; its {@link Sink#begin} is not called. */
    void to(Sink sink) throws IOException;
  }

  /**
   * Reads all rows as they are at one moment, whatever is written meanwhile.
   *
   * @throws UncheckedIOException if the sink does not take them
   */
  public static Head read(Database database, Sink sink) {
    return database.readAll(
        connection -> {
          try {
            Head head = head(connection, GroupTable.find(connection));
            sink.begin(head);
            for (String table : TABLES) {
              read(connection, table, sink);
            }
            return head;
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  private static Head head(Connection connection, GroupTable.GroupRow group) throws SQLException {
    int schema = SchemaState.version(connection);
    // Of each directory of the tree and of those whose removal is not complete.
    long entries = number(connection, "SELECT COUNT(*) FROM entry") - 1;
    return new Head(schema, group.position(), group.lastEntry(), group.lastAnswers(), entries);
  }

  private static long number(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      row.next();
      return row.getLong(1);
    }
  }

  private static void read(Connection connection, String table, Sink sink) throws SQLException, IOException {
    try (Statement statement = connection.createStatement(ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_READ_ONLY)) {
      // Row by row, however many there are.
      statement.setFetchSize(Integer.MIN_VALUE);
      try (ResultSet rows = statement.executeQuery("SELECT * FROM " + table)) {
        ResultSetMetaData form = rows.getMetaData();
        List<String> columns = new ArrayList<>();
        for (int i = 1; i <= form.getColumnCount(); i++) {
          columns.add(form.getColumnName(i));
        }
        sink.table(table, columns);
        while (rows.next()) {
          sink.row(values(rows, form));
        }
      }
    }
  }

  private static @Nullable Object[] values(ResultSet row, ResultSetMetaData form) throws SQLException {
    @Nullable
    Object[] values = new Object[form.getColumnCount()];
    for (int i = 0; i < values.length; i++) {
      values[i] = isBinary(form.getColumnType(i + 1)) ? row.getBytes(i + 1) : (Object) row.getLong(i + 1);
      if (row.wasNull()) {
        values[i] = null;
      }
    }
    return values;
  }

  private static boolean isBinary(int type) {
    return switch (type) {
      case Types.BINARY, Types.VARBINARY, Types.LONGVARBINARY, Types.BLOB -> true;
      default -> false;
    };
  }

  /**
   * Replaces all rows in one transaction, and begins an epoch that is later than both.
   *
   * @param force also if there are entries below the root
   * @return the position at which it begins
   * @throws RnsException {@link RnsError#NOT_EMPTY} unless forced, {@link RnsError#INVALID_REQUEST} if the rows have
   *         another form or are of another group; nothing has changed then
   * @throws UncheckedIOException if the source fails; the same
   */
  public static Position replace(Database database, Source source, boolean force, Instant now) {
    return database.writeAll(
        connection -> {
          GroupTable.GroupRow here = GroupTable.lock(connection);
          Head present = head(connection, here);
          boolean used = number(connection, "SELECT COUNT(*) FROM entry WHERE parent_id = " + EntryId.ROOT.value()) > 0;
          check(source.head(), present, used, force);
          for (String table : TABLES) {
            delete(connection, table);
          }
          delete(connection, CHANGES);
          Inserts inserts = new Inserts(new Statements(connection));
          try {
            source.to(inserts);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
          Position position = after(source.head().position(), present.position());
          GroupTable.update(
              inserts.statements,
              new GroupTable.GroupRow(
                  position,
                  Math.max(source.head().lastEntry(), here.lastEntry()) + NUMBERS_APART,
                  Math.max(source.head().lastAnswers(), here.lastAnswers()),
                  now,
                  here.reflectedFrom(position),
                  here.confirmed()));
          inserts.statements.execute();
          connection.commit();
          return position;
        });
  }

  private static Position after(Position one, Position other) {
    return new Position(
        one.group(),
        Math.max(one.epoch(), other.epoch()) + EPOCHS_APART,
        Math.max(one.sequence(), other.sequence()) + NUMBERS_APART);
  }

  private static void check(Head given, Head present, boolean used, boolean force) {
    if (given.schema() != present.schema()) {
      throw new RnsException(
          RnsError.INVALID_REQUEST,
          "the backup has tables of version " + given.schema() + ", this server of version " + present.schema()
              + "; restore it with the RNS that made it, and update that");
    }
    if (given.position().group() != present.position().group()) {
      throw new RnsException(
          RnsError.INVALID_REQUEST,
          "the backup is of group " + given.position().group() + ", this server of group "
              + present.position().group());
    }
    if (!force && used) {
      throw new RnsException(
          RnsError.NOT_EMPTY,
          "the service has " + present.entries() + " entries, which a restore would remove; --force does so");
    }
  }

  private static void delete(Connection connection, String table) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      int deleted = DELETED_ROWS;
      while (deleted == DELETED_ROWS) {
        deleted = statement.executeUpdate("DELETE FROM " + table + " LIMIT " + DELETED_ROWS);
      }
    }
  }

  /** Inserts what it is given. */
  private static final class Inserts implements Sink {
    private final Statements statements;
    private Statements.@Nullable Rows rows;

    Inserts(Statements statements) {
      this.statements = statements;
    }

    @Override
    public void begin(Head head) {
      throw new IllegalStateException("the head is known");
    }

    @Override
    public void table(String name, List<String> columns) {
      if (!TABLES.contains(name) || columns.stream().anyMatch(column -> !column.matches("[a-z_]+"))) {
        throw new RnsException(RnsError.INVALID_REQUEST, "the backup has a table '" + name + "', which is none of RNS");
      }
      rows = statements.insert("INSERT INTO " + name + " (" + String.join(", ", columns) + ") VALUES ");
    }

    @Override
    public void row(@Nullable Object[] values) throws IOException {
      if (rows == null) {
        throw new IOException("the backup has a row of no table");
      }
      try {
        rows.add(values);
      } catch (SQLException e) {
        throw Database.error(e);
      }
    }
  }
}
