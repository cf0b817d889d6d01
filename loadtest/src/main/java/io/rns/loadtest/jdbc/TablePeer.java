package io.rns.loadtest.jdbc;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.peer.Peer;
import io.rns.loadtest.work.Kind;
import io.rns.loadtest.work.Session;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A table like that of entries, used by plain statements on a running database, one statement for each operation: its
 * clients know the numbers of directories. What RNS would be if a name service were nothing else.
 */
public final class TablePeer implements Peer {
  private static final String DROP = "DROP TABLE IF EXISTS rns_yardstick";
  private static final String CREATE =
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
  private static final String VARIABLES =
      "SHOW GLOBAL VARIABLES WHERE variable_name IN"
          + " ('version', 'log_bin', 'sync_binlog', 'innodb_flush_log_at_trx_commit')";

  private final String url;
  private final Connection connection;
  private final Map<String, Long> directories = new ConcurrentHashMap<>();
  private final AtomicLong numbers = new AtomicLong();

  private TablePeer(String url, Connection connection) {
    this.url = url;
    this.connection = connection;
    directories.put("/", numbers.getAndIncrement());
  }

  /**
   * Creates the table; one that a crashed run left behind is dropped first.
   *
   * @param url of the database, with user and password in it if they are needed
   * @param junctions paths of rows to begin with
   * @throws RnsException {@link RnsError#UNAVAILABLE} if the database cannot be reached or refuses
   */
  public static TablePeer create(String url, List<String> junctions) {
    try {
      Connection connection = connect(url);
      TablePeer table = new TablePeer(url, connection);
      try (Statement statement = connection.createStatement()) {
        statement.execute(DROP);
        statement.execute(CREATE);
        table.fill(junctions);
        return table;
      } catch (SQLException e) {
        connection.close();
        throw e;
      }
    } catch (SQLException e) {
      throw refused("create the table rns_yardstick", e);
    }
  }

  private void fill(List<String> junctions) throws SQLException {
    // Its statements are closed with the connection, which stays.
    TableSession session = new TableSession(this, connection);
    connection.setAutoCommit(false);
    for (String path : junctions) {
      session.add(path, Kind.ADD);
    }
    connection.commit();
    connection.setAutoCommit(true);
  }

  private static Connection connect(String url) throws SQLException {
    Properties properties = new Properties();
    // What a careful user of JDBC switches on: a yardstick must not be slow by neglect.
    properties.setProperty("useServerPrepStmts", "true");
    properties.setProperty("rewriteBatchedStatements", "true");
    properties.setProperty("useLocalSessionState", "true");
    return DriverManager.getConnection(url, properties);
  }

  @Override
  public String durability() {
    return "prepared statements on the database of RNS, each committed by itself: " + variables();
  }

  /** What the database is and how it makes commits durable: its variables. */
  public Map<String, String> variables() {
    Map<String, String> variables = new LinkedHashMap<>();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(VARIABLES)) {
      while (row.next()) {
        variables.put(row.getString(1), row.getString(2));
      }
      return variables;
    } catch (SQLException e) {
      throw refused("show variables", e);
    }
  }

  @Override
  public Session session() {
    try {
      return new TableSession(this, connect(url));
    } catch (SQLException e) {
      throw refused("open a connection", e);
    }
  }

  /** The number of a directory that was added; -1, which no directory has, if it was not. */
  long directory(String path) {
    return directories.getOrDefault(path, -1L);
  }

  /** The number of a new entry. */
  long takeNumber() {
    return numbers.getAndIncrement();
  }

  /** Remembers a directory. */
  void added(String path, long number) {
    directories.put(path, number);
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
