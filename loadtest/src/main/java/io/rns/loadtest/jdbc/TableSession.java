package io.rns.loadtest.jdbc;

import io.rns.loadtest.measure.Failure;
import io.rns.loadtest.measure.FailureKind;
import io.rns.loadtest.peer.Peer;
import io.rns.loadtest.work.Call;
import io.rns.loadtest.work.Kind;
import io.rns.loadtest.work.Session;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** A connection with a prepared statement for each operation. */
final class TableSession implements Session {
  private static final String COLUMNS = "SELECT kind, id, version, created, modified, content FROM rns_yardstick ";
  private static final int CONTENT = 6;

  private final TablePeer table;
  private final Connection connection;
  private final PreparedStatement select;
  private final PreparedStatement page;
  private final PreparedStatement insert;
  private Call call = Call.of(Kind.QUERY, "/");

  TableSession(TablePeer table, Connection connection) throws SQLException {
    this.table = table;
    this.connection = connection;
    select = connection.prepareStatement(COLUMNS + "WHERE parent = ? AND name = ?");
    page = connection.prepareStatement(
        COLUMNS.replace("content", "content, name") + "WHERE parent = ? ORDER BY name LIMIT " + Peer.PAGE);
    insert = connection.prepareStatement("INSERT INTO rns_yardstick VALUES (?, ?, ?, ?, 1, ?, ?, ?)");
  }

  @Override
  public void prepare(Call next) {
    if (!table.operations().contains(next.kind())) {
      throw Peer.unknown(next);
    }
    call = next;
  }

  private boolean found() throws SQLException {
    return switch (call.kind()) {
      case QUERY -> {
        bind(select, call.path());
        yield rows(select) > 0;
      }
      case LIST -> {
        page.setLong(1, table.directory(call.path()));
        yield rows(page) > 0;
      }
      default -> add(call.path(), call.kind());
    };
  }

  private void bind(PreparedStatement statement, String path) throws SQLException {
    statement.setLong(1, table.directory(Call.directoryOf(path)));
    statement.setBytes(2, Call.nameOf(path).getBytes(StandardCharsets.UTF_8));
  }

  /** How many rows with content there are. */
  private static int rows(PreparedStatement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery()) {
      int rows = 0;
      while (row.next() && row.getBytes(CONTENT) != null) {
        rows++;
      }
      return rows;
    }
  }

  /** Adds a row; whether there is one more. */
  boolean add(String path, Kind kind) throws SQLException {
    long number = table.takeNumber();
    boolean junction = kind == Kind.ADD;
    bind(insert, path);
    insert.setInt(3, junction ? 2 : 1);
    for (int column = 4; column <= 6; column++) {
      insert.setLong(column, number);
    }
    insert.setBytes(7, junction ? Call.addressOf(path).getBytes(StandardCharsets.UTF_8) : null);
    boolean added = insert.executeUpdate() == 1;
    if (!junction) {
      table.added(path, number);
    }
    return added;
  }

  @Override
  public @Nullable Failure perform() {
    try {
      return found() ? null : new Failure(FailureKind.UNEXPECTED_ANSWER, "nothing is there");
    } catch (SQLException e) {
      boolean broken = e.getSQLState() == null || e.getSQLState().startsWith("08");
      return new Failure(broken ? FailureKind.CONNECTION : FailureKind.DATABASE, String.valueOf(e.getMessage()));
    }
  }

  @Override
  public void cut() {
    try {
      connection.abort(Runnable::run);
    } catch (SQLException e) {
      throw TablePeer.refused("cut a connection", e);
    }
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw TablePeer.refused("close a connection", e);
    }
  }
}
