package io.rns.server.store;

import static io.rns.server.store.MemberConnection.execute;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;

/**
 * Copies all tables of a schema from one database to another, as they are in the snapshot that the source's connection
 * has open. The target's ones are dropped first; what is done there is not in its binary log. What each member has
 * promised ({@link PromiseTable}) stays its own.
 */
final class TableCopy {
  /**
   * Bytes that are sent and committed together; well below what databases accept (max_allowed_packet, from 16 MiB on).
   */
  private static final long BATCH_BYTES = 2 << 20;

  private static final int BATCH_ROWS = 5_000;

  private final Connection source;
  private final Connection target;
  private final String schema;

  TableCopy(Connection source, Connection target, String schema) {
    this.source = source;
    this.target = target;
    this.schema = MemberConnection.quoted(schema);
  }

  void run() throws SQLException {
    for (Connection each : List.of(source, target)) {
      execute(each, "SET SESSION time_zone = '+00:00'");
    }
    execute(target, "SET SESSION sql_log_bin = 0");
    execute(target, "SET SESSION foreign_key_checks = 0");
    for (String table : tables(target)) {
      execute(target, "DROP TABLE " + table);
    }
    for (String table : tables(source)) {
      create(table);
      copy(table);
    }
  }

  private List<String> tables(Connection connection) throws SQLException {
    List<String> tables = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery("SHOW FULL TABLES FROM " + schema + " WHERE Table_type = 'BASE TABLE'")) {
      while (rows.next()) {
        String name = rows.getString(1);
        if (!name.equals(PromiseTable.NAME)) {
          tables.add(schema + "." + MemberConnection.quoted(name));
        }
      }
    }
    return tables;
  }

  private void create(String table) throws SQLException {
    try (Statement statement = source.createStatement();
        ResultSet row = statement.executeQuery("SHOW CREATE TABLE " + table)) {
      row.next();
      execute(target, "USE " + schema);
      execute(target, row.getString(2));
    }
  }

  private void copy(String table) throws SQLException {
    target.setAutoCommit(false);
    try (Statement statement = source.createStatement(ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_READ_ONLY)) {
      // Row by row, however many there are.
      statement.setFetchSize(Integer.MIN_VALUE);
      try (ResultSet rows = statement.executeQuery("SELECT * FROM " + table)) {
        int columns = rows.getMetaData().getColumnCount();
        try (PreparedStatement insert =
            target.prepareStatement("INSERT INTO " + table + " VALUES (?" + ", ?".repeat(columns - 1) + ")")) {
          copy(rows, columns, insert);
        }
      }
    } finally {
      target.setAutoCommit(true);
    }
  }

  private void copy(ResultSet rows, int columns, PreparedStatement insert) throws SQLException {
    long bytes = 0;
    int waiting = 0;
    while (rows.next()) {
      for (int i = 1; i <= columns; i++) {
        byte[] value = rows.getBytes(i);
        if (value == null || isBinary(rows.getMetaData().getColumnType(i))) {
          insert.setBytes(i, value);
        } else {
          // Numbers and times as the source wrote them: as bytes a MySQL would take them for other numbers.
          insert.setString(i, new String(value, StandardCharsets.UTF_8));
        }
        bytes += value == null ? 1 : value.length;
      }
      insert.addBatch();
      waiting++;
      if (bytes >= BATCH_BYTES || waiting >= BATCH_ROWS) {
        insert.executeBatch();
        target.commit();
        bytes = 0;
        waiting = 0;
      }
    }
    insert.executeBatch();
    target.commit();
  }

  private static boolean isBinary(int type) {
    return switch (type) {
      case Types.BINARY, Types.VARBINARY, Types.LONGVARBINARY, Types.BLOB -> true;
      default -> false;
    };
  }
}
