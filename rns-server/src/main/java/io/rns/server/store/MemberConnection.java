package io.rns.server.store;

import com.mysql.cj.jdbc.Driver;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** One connection to a member, opened when needed and reopened after an error. One task at a time uses it. */
final class MemberConnection implements AutoCloseable {
  private static final int SYNTAX_ERROR = 1064;

  private final ControlAccount account;
  private final Duration timeout;
  private @Nullable Connection connection;
  private boolean closed;
  private final AtomicInteger connects = new AtomicInteger();

  MemberConnection(ControlAccount account, Duration timeout) {
    this.account = account;
    this.timeout = timeout;
  }

  /**
   * Runs a task, which is restarted if the connection was lost since its last use.
   *
   * @param purpose goes on with "could not"
   */
  synchronized <T> T with(String purpose, Database.Work<T> work) {
    try {
      boolean used = connection != null;
      try {
        return work.with(connect());
      } catch (SQLException e) {
        drop(e);
        if (!used || !isLost(e)) {
          throw e;
        }
        return work.with(connect());
      }
    } catch (SQLException e) {
      drop(e);
      throw toException(purpose, e);
    } catch (RuntimeException e) {
      drop(e);
      throw e;
    }
  }

  /** How often it has connected. */
  int connects() {
    return connects.get();
  }

  /** Whether the other side is gone, as after a restart; not if it keeps silent. */
  private static boolean isLost(SQLException e) {
    return SqlErrors.toException(e).error() == RnsError.UNAVAILABLE && !SqlErrors.isTimeout(e);
  }

  /** The first column of the first row; the empty text for null. */
  String value(String purpose, String sql, Object... parameters) {
    return with(purpose, connection -> value(connection, sql, parameters));
  }

  static String value(Connection connection, String sql, Object... parameters) throws SQLException {
    try (PreparedStatement statement = prepare(connection, sql, parameters);
        ResultSet rows = statement.executeQuery()) {
      String value = rows.next() ? rows.getString(1) : null;
      return value == null ? "" : value;
    }
  }

  /** The columns of the first row, which there has to be; the empty text for null. */
  static List<String> row(Connection connection, String sql) throws SQLException {
    try (PreparedStatement statement = prepare(connection, sql); ResultSet row = statement.executeQuery()) {
      boolean unused = row.next();
      List<String> columns = new ArrayList<>();
      for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
        String column = row.getString(i);
        columns.add(column == null ? "" : column);
      }
      return columns;
    }
  }

  /** A name as it stands in statements. */
  static String quoted(String name) {
    return "`" + name.replace("`", "``") + "`";
  }

  static void execute(Connection connection, String sql, Object... parameters) throws SQLException {
    try (PreparedStatement statement = prepare(connection, sql, parameters)) {
      statement.execute();
    }
  }

  private static PreparedStatement prepare(Connection connection, String sql, Object... parameters)
      throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    for (int i = 0; i < parameters.length; i++) {
      statement.setObject(i + 1, parameters[i]);
    }
    return statement;
  }

  private Connection connect() throws SQLException {
    if (closed) {
      throw new RnsException(RnsError.UNAVAILABLE, "the connection to the database " + account + " was closed");
    }
    if (connection == null) {
      Properties properties = account.properties();
      properties.putAll(SystemStores.unlessIn(account.url()));
      // Rows of a copy go together.
      properties.setProperty("rewriteBatchedStatements", "true");
      properties.setProperty("connectTimeout", Long.toString(timeout.toMillis()));
      properties.setProperty("socketTimeout", Long.toString(timeout.toMillis()));
      // Not by the driver manager: in an application server it does not see drivers of every class loader.
      Connection made = new Driver().connect(account.url(), properties);
      if (made == null) {
        throw new SQLException("not an address of MySQL or MariaDB: " + account);
      }
      connection = made;
      var unused = connects.incrementAndGet();
    }
    return connection;
  }

  private void drop(Exception cause) {
    if (connection != null) {
      try {
        connection.close();
      } catch (SQLException e) {
        cause.addSuppressed(e);
      }
      connection = null;
    }
  }

  private RnsException toException(String purpose, SQLException e) {
    RnsException general = SqlErrors.toException(e);
    String message = "the database " + account + " could not " + purpose + ": ";
    if (general.error() == RnsError.INTERNAL && e.getErrorCode() != SYNTAX_ERROR) {
      message += "error " + e.getErrorCode() + ": " + e.getMessage();
    } else {
      // A message about syntax shows a part of the statement, which may have a password in it.
      message += general.getMessage();
    }
    return new RnsException(general.error() == RnsError.INTERNAL ? RnsError.INTERNAL : RnsError.UNAVAILABLE, message,
        e);
  }

  @Override
  public synchronized void close() {
    closed = true;
    drop(new IllegalStateException("closing"));
  }
}
