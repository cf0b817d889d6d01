package io.rns.server.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Statements of one transaction, sent together: each trip to the database is a wait of the writer, and of all who wait
 * for it. Only for the writer's connection, where the driver takes several statements at once.
 *
 * <p>What is added may be sent at any time from then on, at the latest by {@link #execute}; an error of one shows then.
 */
public final class Statements {
  /** Bytes that are sent together; well below what databases accept (max_allowed_packet, from 16 MiB on). */
  private static final int FLUSH_BYTES = 1 << 20;

  private static final int NUMBER_BYTES = 12;

  private final Connection connection;
  private final StringBuilder sql = new StringBuilder();
  private final List<@Nullable Object> parameters = new ArrayList<>();
  private long bytes;

  /** Nothing yet, to be run on this connection. */
  public Statements(Connection connection) {
    this.connection = connection;
  }

  /** Adds a statement; its parameters are {@link Number}s, byte arrays and nulls. */
  void add(String statement, @Nullable Object... values) throws SQLException {
    begin(statement);
    for (Object value : values) {
      parameter(value);
    }
  }

  /** Rows of an {@code INSERT} whose text is {@code head (?, ...), (?, ...)}. */
  final class Rows {
    private final String head;
    private final String row;
    private boolean open;

    private Rows(String head, int columns) {
      this.head = head;
      this.row = "(?" + ", ?".repeat(columns - 1) + ")";
    }

    /** Adds a row; nothing else may have been added since the row before. */
    void add(@Nullable Object... values) throws SQLException {
      if (open && bytes < FLUSH_BYTES) {
        sql.append(", ").append(row);
      } else {
        begin(head + row);
        open = true;
      }
      for (Object value : values) {
        parameter(value);
      }
    }
  }

  /** Question marks for so many parameters of a list. */
  static String marks(int count) {
    return "?" + ", ?".repeat(count - 1);
  }

  /** Begins an {@code INSERT}; without rows there is none. */
  Rows insert(String head, int columns) {
    return new Rows(head, columns);
  }

  private void begin(String statement) throws SQLException {
    if (bytes >= FLUSH_BYTES) {
      execute();
    }
    if (!sql.isEmpty()) {
      sql.append("; ");
    }
    sql.append(statement);
    bytes += statement.length();
  }

  private void parameter(@Nullable Object value) {
    parameters.add(value);
    bytes += value instanceof byte[] array ? array.length : NUMBER_BYTES;
  }

  /** Sends what has not been sent, and the commit with it, and waits until all of it has been done. */
  public void commit() throws SQLException {
    add("COMMIT");
    execute();
  }

  /** Sends what has not been sent and waits until all of it has been done. */
  public void execute() throws SQLException {
    if (sql.isEmpty()) {
      return;
    }
    try (PreparedStatement statement = connection.prepareStatement(sql.toString())) {
      for (int i = 0; i < parameters.size(); i++) {
        set(statement, i + 1, parameters.get(i));
      }
      statement.execute();
      while (statement.getMoreResults() || statement.getUpdateCount() >= 0) {
        // An error of a later statement comes with its result.
      }
    }
    sql.setLength(0);
    parameters.clear();
    bytes = 0;
  }

  private static void set(PreparedStatement statement, int index, @Nullable Object value) throws SQLException {
    switch (value) {
      case null -> statement.setNull(index, Types.NULL);
      case byte[] array -> statement.setBytes(index, array);
      case Number number -> statement.setLong(index, number.longValue());
      default -> throw new IllegalArgumentException("not a parameter: " + value.getClass());
    }
  }
}
