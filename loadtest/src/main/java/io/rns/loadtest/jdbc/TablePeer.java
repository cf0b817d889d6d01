package io.rns.loadtest.jdbc;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.measure.Failure;
import io.rns.loadtest.measure.FailureKind;
import io.rns.loadtest.peer.PeerService;
import io.rns.loadtest.work.Call;
import io.rns.loadtest.work.Kind;
import io.rns.loadtest.work.Session;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A table like that of entries, used by plain statements on a running database, one statement for each operation: its
 * clients know the numbers of directories. What RNS would be if a name service were nothing else.
 */
public final class TablePeer implements PeerService {
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

  /** Creates the table; one that a crashed run left behind is dropped first. */
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
    TableSession session = new TableSession(connection);
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
    return "prepared statements on the database of RNS, each in its own transaction: " + variables();
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
      return new TableSession(connect(url));
    } catch (SQLException e) {
      throw refused("open a connection", e);
    }
  }

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

  /** A connection with a prepared statement for each operation. */
  private final class TableSession implements Session {
    private static final String COLUMNS = "SELECT kind, id, version, created, modified, content FROM rns_yardstick ";
    private static final int CONTENT = 6;
    /** No directory has it. */
    private static final long NO_DIRECTORY = -1;

    private final Connection connection;
    private final PreparedStatement select;
    private final PreparedStatement page;
    private final PreparedStatement insert;
    private Call call = Call.of(Kind.QUERY, "/");

    TableSession(Connection connection) throws SQLException {
      this.connection = connection;
      select = connection.prepareStatement(COLUMNS + "WHERE parent = ? AND name = ?");
      page = connection.prepareStatement(
          COLUMNS.replace("content", "content, name") + "WHERE parent = ? ORDER BY name LIMIT " + PeerService.PAGE);
      insert = connection.prepareStatement("INSERT INTO rns_yardstick VALUES (?, ?, ?, ?, 1, ?, ?, ?)");
    }

    @Override
    public void prepare(Call next) {
      if (!operations().contains(next.kind())) {
        throw PeerService.unknown(next);
      }
      call = next;
    }

    private boolean ask() throws SQLException {
      return switch (call.kind()) {
        case QUERY -> {
          bind(select, call.path());
          yield rows(select) > 0;
        }
        case LIST -> {
          page.setLong(1, directories.getOrDefault(call.path(), NO_DIRECTORY));
          yield rows(page) > 0;
        }
        default -> add(call.path(), call.kind());
      };
    }

    private void bind(PreparedStatement statement, String path) throws SQLException {
      statement.setLong(1, directories.getOrDefault(Call.directoryOf(path), NO_DIRECTORY));
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
      long number = numbers.getAndIncrement();
      boolean junction = kind == Kind.ADD;
      bind(insert, path);
      insert.setInt(3, junction ? 2 : 1);
      for (int column = 4; column <= 6; column++) {
        insert.setLong(column, number);
      }
      insert.setBytes(7, junction ? Call.addressOf(path).getBytes(StandardCharsets.UTF_8) : null);
      boolean added = insert.executeUpdate() == 1;
      if (!junction) {
        directories.put(path, number);
      }
      return added;
    }

    @Override
    public @Nullable Failure perform() {
      try {
        return ask() ? null : PeerService.NOTHING;
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
        throw refused("cut a connection", e);
      }
    }

    @Override
    public void close() {
      try {
        connection.close();
      } catch (SQLException e) {
        throw refused("close a connection", e);
      }
    }
  }
}
