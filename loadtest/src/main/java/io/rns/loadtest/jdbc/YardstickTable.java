package io.rns.loadtest.jdbc;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.http.Template;
import io.rns.loadtest.measure.LoadClient;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/** A table with rows like those of entries, made for a measurement and dropped at its end. */
public final class YardstickTable implements AutoCloseable {
  private static final int PARENT = 1;
  private static final int ROWS_TO_READ = 10_000;
  private static final int ROWS_PER_BATCH = 1_000;

  static final String DROP = "DROP TABLE IF EXISTS rns_yardstick";

  static final String CREATE =
      """
      CREATE TABLE rns_yardstick (
        parent   BIGINT          NOT NULL,
        name     VARBINARY(1024) NOT NULL,
        kind     TINYINT         NOT NULL,
        id       BIGINT          NOT NULL,
        version  BIGINT          NOT NULL,
        created  BIGINT          NOT NULL,
        modified BIGINT          NOT NULL,
        content  MEDIUMBLOB      NULL,
        PRIMARY KEY (parent, name)
      ) ENGINE = InnoDB ROW_FORMAT = DYNAMIC
      """;

  private static final String INSERT = "INSERT INTO rns_yardstick VALUES (?, ?, 2, ?, ?, ?, ?, ?)";

  static final String SELECT =
      "SELECT kind, id, version, created, modified, content FROM rns_yardstick WHERE parent = ? AND name = ?";

  private static final String DURABILITY =
      "SHOW GLOBAL VARIABLES WHERE variable_name IN"
          + " ('version', 'log_bin', 'sync_binlog', 'innodb_flush_log_at_trx_commit')";

  private final String url;
  private final byte[] content;
  private final AtomicLong next = new AtomicLong();
  private final Connection connection;

  private YardstickTable(String url, byte[] content, Connection connection) {
    this.url = url;
    this.content = content.clone();
    this.connection = connection;
  }

  /**
   * Makes the table, with some rows to read; one that a crashed run left is dropped before.
   *
   * @param url of the database, with user and password in it if they are needed
   * @param content what stands in each row instead of endpoint reference and metadata
   * @throws RnsException {@link RnsError#UNAVAILABLE} if the database cannot be reached or refuses
   */
  public static YardstickTable create(String url, byte[] content) {
    try {
      Connection connection = connect(url);
      try {
        YardstickTable table = new YardstickTable(url, content, connection);
        table.fill();
        return table;
      } catch (SQLException e) {
        connection.close();
        throw e;
      }
    } catch (SQLException e) {
      throw refused("make the table rns_yardstick", e);
    }
  }

  static Connection connect(String url) throws SQLException {
    Properties properties = new Properties();
    // what a careful user of JDBC would switch on: a yardstick must not be slow by neglect
    properties.setProperty("useServerPrepStmts", "true");
    properties.setProperty("rewriteBatchedStatements", "true");
    properties.setProperty("useLocalSessionState", "true");
    return DriverManager.getConnection(url, properties);
  }

  private void fill() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(DROP);
      statement.execute(CREATE);
    }
    connection.setAutoCommit(false);
    try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
      for (int i = 1; i <= ROWS_TO_READ; i++) {
        bind(insert, next.getAndIncrement());
        insert.addBatch();
        if (i % ROWS_PER_BATCH == 0) {
          insert.executeBatch();
        }
      }
    }
    connection.commit();
    connection.setAutoCommit(true);
  }

  private void bind(PreparedStatement insert, long number) throws SQLException {
    insert.setLong(1, PARENT);
    insert.setBytes(2, name(number));
    for (int parameter = 3; parameter <= 6; parameter++) {
      insert.setLong(parameter, number);
    }
    insert.setBytes(7, content);
  }

  private static byte[] name(long number) {
    return ("e" + Template.digits(number)).getBytes(StandardCharsets.US_ASCII);
  }

  /** Clients that insert one row per request and commit it. */
  public List<LoadClient> inserts(int count) {
    return clients(count, INSERT, (client, insert) -> bind(insert, next.getAndIncrement()),
        insert -> insert.executeUpdate());
  }

  /** Clients that read one row by its key per request. */
  public List<LoadClient> selects(int count) {
    List<SplittableRandom> randoms = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      randoms.add(new SplittableRandom(i));
    }
    return clients(
        count,
        SELECT,
        (client, select) -> {
          select.setLong(1, PARENT);
          select.setBytes(2, name(randoms.get(client).nextInt(ROWS_TO_READ)));
        },
        YardstickTable::readRow);
  }

  private static void readRow(PreparedStatement select) throws SQLException {
    try (ResultSet row = select.executeQuery()) {
      if (!row.next()) {
        throw new SQLException("the row is missing");
      }
      row.getBytes(6);
    }
  }

  private List<LoadClient> clients(
      int count, String sql, JdbcClient.Binding binding, JdbcClient.Execution execution) {
    List<LoadClient> clients = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        clients.add(new JdbcClient(i, connect(url), sql, binding, execution));
      }
      return clients;
    } catch (SQLException e) {
      clients.forEach(LoadClient::close);
      throw refused("open " + count + " connections", e);
    }
  }

  /** What the database is and how it makes commits durable: its variables. */
  public Map<String, String> durability() {
    return durability(connection);
  }

  static Map<String, String> durability(Connection connection) {
    Map<String, String> variables = new LinkedHashMap<>();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(DURABILITY)) {
      while (row.next()) {
        variables.put(row.getString(1), row.getString(2));
      }
      return variables;
    } catch (SQLException e) {
      throw refused("show variables", e);
    }
  }

  /** Drops the table. */
  @Override
  public void close() {
    try (connection;
        Statement statement = connection.createStatement()) {
      statement.execute(DROP);
    } catch (SQLException e) {
      throw refused("drop the table rns_yardstick", e);
    }
  }

  static RnsException refused(String what, SQLException cause) {
    return new RnsException(
        RnsError.UNAVAILABLE, "the database of the yardstick could not " + what + ": " + cause.getMessage(), cause);
  }
}
