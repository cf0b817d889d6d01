package io.rns.loadtest.jdbc;

import io.rns.loadtest.measure.Failure;
import io.rns.loadtest.measure.LoadClient;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Executes one prepared statement again and again on a connection of its own. */
final class JdbcClient implements LoadClient {
  private final int number;
  private final Connection connection;
  private final PreparedStatement statement;
  private final Binding binding;
  private final Execution execution;
  private @Nullable SQLException unbound;

  /** Sets the parameters of the next execution. */
  interface Binding {
    void bind(int client, PreparedStatement statement) throws SQLException;
  }

  /** Executes it and reads what comes back. */
  interface Execution {
    void execute(PreparedStatement statement) throws SQLException;
  }

  JdbcClient(int number, Connection connection, String sql, Binding binding, Execution execution) throws SQLException {
    this.number = number;
    this.connection = connection;
    this.statement = connection.prepareStatement(sql);
    this.binding = binding;
    this.execution = execution;
  }

  @Override
  public boolean prepare() {
    try {
      binding.bind(number, statement);
      unbound = null;
    } catch (SQLException e) {
      unbound = e;
    }
    return true;
  }

  @Override
  public @Nullable Failure perform() {
    try {
      if (unbound != null) {
        throw unbound;
      }
      execution.execute(statement);
      return null;
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
