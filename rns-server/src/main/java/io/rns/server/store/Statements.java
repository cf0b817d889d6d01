package io.rns.server.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Statements of one transaction, sent together: each trip to the database is a wait of the writer, and of all who wait
 * for it. Only for the writer's connection, where the driver takes several statements at once.
 *
 * <p>Values are written into the text, numbers as digits and bytes as hexadecimal digits: so nothing depends on the
 * session's character set or on how it reads backslashes. The driver would write the same at more than twice the cost.
 *
 * <p>What is added may be sent at any time from then on, at the latest by {@link #execute}; an error of one shows then.
 */
public final class Statements {
  /** Characters that are sent together; well below what databases accept (max_allowed_packet, from 16 MiB on). */
  private static final int FLUSH_CHARS = 2 << 20;

  private static final String MARIADB = "MariaDB";

  private static final HexFormat HEX = HexFormat.of();

  private final Connection connection;
  private final StringBuilder sql = new StringBuilder();

  /** Nothing yet, to be run on this connection. */
  public Statements(Connection connection) {
    this.connection = connection;
  }

  /** Adds a statement; its parameters are {@link Number}s, byte arrays and nulls. */
  void add(String statement, @Nullable Object... values) throws SQLException {
    begin();
    int from = 0;
    for (Object value : values) {
      int mark = statement.indexOf('?', from);
      sql.append(statement, from, mark);
      append(value);
      from = mark + 1;
    }
    sql.append(statement, from, statement.length());
  }

  /** Rows of an {@code INSERT} whose text is {@code head (...), (...)}. */
  final class Rows {
    private final String head;
    private boolean open;

    private Rows(String head) {
      this.head = head;
    }

    /** Adds a row; nothing else may have been added since the row before. */
    void add(@Nullable Object... values) throws SQLException {
      if (open && sql.length() < FLUSH_CHARS) {
        sql.append(", ");
      } else {
        begin();
        sql.append(head);
        open = true;
      }
      char before = '(';
      for (Object value : values) {
        sql.append(before);
        append(value);
        before = ',';
      }
      sql.append(')');
    }
  }

  /** Question marks for so many parameters of a list. */
  static String marks(int count) {
    return "?" + ", ?".repeat(count - 1);
  }

  /** Begins an {@code INSERT}; without rows there is none. */
  Rows insert(String head) {
    return new Rows(head);
  }

  private void begin() throws SQLException {
    if (sql.length() >= FLUSH_CHARS) {
      execute();
    }
    if (!sql.isEmpty()) {
      sql.append("; ");
    }
  }

  private void append(@Nullable Object value) {
    switch (value) {
      case null -> sql.append("NULL");
      case byte[] array -> sql.append("x'").append(HEX.formatHex(array)).append('\'');
      case Number number -> sql.append(number.longValue());
      default -> throw new IllegalArgumentException("not a parameter: " + value.getClass());
    }
  }

  /** Sends what has not been sent, and the commit with it, and waits until all of it has been done. */
  public void commit() throws SQLException {
    add("COMMIT");
    if (connection.getMetaData().getDatabaseProductVersion().contains(MARIADB)) {
      // One answer, where each of many wakes the writer. MySQL knows such a block in stored programs only.
      sql.insert(0, "BEGIN NOT ATOMIC ").append("; END");
    }
    execute();
  }

  /** Sends what has not been sent and waits until all of it has been done. */
  public void execute() throws SQLException {
    if (sql.isEmpty()) {
      return;
    }
    try (Statement statement = connection.createStatement()) {
      statement.setEscapeProcessing(false);
      boolean rows = statement.execute(sql.toString());
      while (rows || statement.getUpdateCount() >= 0) {
        // An error of a later statement comes with its result.
        rows = statement.getMoreResults();
      }
    }
    sql.setLength(0);
  }
}
