package io.rns.loadtest.jdbc;

import io.rns.loadtest.measure.Failure;
import io.rns.loadtest.measure.FailureKind;
import io.rns.loadtest.peer.Peer;
import io.rns.loadtest.work.Call;
import io.rns.loadtest.work.Session;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** A connection with a statement for each operation. */
final class TableSession implements Session {
  private static final String INSERT = "INSERT INTO rns_yardstick VALUES (?, ?, ?, ?, 1, ?, ?, ?)";
  private static final String PAGE =
      "SELECT kind, id, version, created, modified, content, name FROM rns_yardstick WHERE parent = ? ORDER BY name LIMIT "
          + Peer.PAGE;
  private static final int DIRECTORY = 1;
  private static final int JUNCTION = 2;
  private static final int CONTENT = 6;

  private final TablePeer table;
  private final Connection connection;
  private final PreparedStatement select;
  private final PreparedStatement page;
  private final PreparedStatement insert;
  private Request request = () -> true;

  /** Asks the database; false if there was nothing. */
  private interface Request {
    boolean ask() throws SQLException;
  }

  TableSession(TablePeer table, Connection connection) throws SQLException {
    this.table = table;
    this.connection = connection;
    select = connection.prepareStatement(YardstickTable.SELECT);
    page = connection.prepareStatement(PAGE);
    insert = connection.prepareStatement(INSERT);
  }

  @Override
  public void prepare(Call call) {
    request =
        switch (call.kind()) {
          case QUERY -> () -> query(call.path());
          case LIST -> () -> list(call.path());
          case ADD -> () -> add(call.path(), JUNCTION, table.takeNumber());
          case MKDIR -> () -> {
            long number = table.takeNumber();
            boolean added = add(call.path(), DIRECTORY, number);
            table.made(call.path(), number);
            return added;
          };
          case UPDATE, MOVE, REMOVE, WATCH -> throw Peer.unknown(call);
        };
  }

  private void bind(PreparedStatement statement, String path) throws SQLException {
    statement.setLong(1, table.directory(Call.directoryOf(path)));
    statement.setBytes(2, Call.nameOf(path).getBytes(StandardCharsets.UTF_8));
  }

  private boolean query(String path) throws SQLException {
    bind(select, path);
    return rows(select) > 0;
  }

  private boolean list(String path) throws SQLException {
    page.setLong(1, table.directory(path));
    return rows(page) > 0;
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

  private boolean add(String path, int kind, long number) throws SQLException {
    bind(insert, path);
    insert.setInt(3, kind);
    insert.setLong(4, number);
    insert.setLong(5, number);
    insert.setLong(6, number);
    insert.setBytes(7, kind == JUNCTION ? Call.addressOf(path).getBytes(StandardCharsets.UTF_8) : null);
    return insert.executeUpdate() == 1;
  }

  @Override
  public @Nullable Failure perform() {
    try {
      return request.ask() ? null : new Failure(FailureKind.UNEXPECTED_ANSWER, "nothing is there");
    } catch (SQLException e) {
      return JdbcConnections.failure(e);
    }
  }

  @Override
  public void cut() {
    JdbcConnections.cut(connection);
  }

  @Override
  public void close() {
    JdbcConnections.close(connection);
  }
}
