package io.rns.server.store;

import com.mysql.cj.conf.PropertyDefinitions;
import com.mysql.cj.jdbc.Driver;
import com.mysql.cj.jdbc.JdbcConnection;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import io.rns.api.Position;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections: a pool for reads and one connection for the writer, so that neither starves the other. Reads run
 * statement by statement or in one snapshot, writes at READ COMMITTED.
 *
 * <p>Every method reports trouble of the database as {@link RnsException}: see {@link SqlErrors}.
 */
public final class Database implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Database.class);

  static {
    // The driver's thread for forgotten connections would outlive the WAR; the pools forget none.
    System.setProperty(PropertyDefinitions.SYSP_disableAbandonedConnectionCleanup, "true");
  }

  private static final int ANY = -1;

  private static final int MOST_TAKE_OVERS = 5;

  /** Between two runs of a read. */
  private static final Duration PAUSE = Duration.ofMillis(5);

  private final DatabaseSettings settings;
  private final Reachability reachability;
  private final HikariDataSource reads;
  private final HikariDataSource writes;

  /** The connection whose session is marked as the writer's; used under the pool's one connection only. */
  private volatile @Nullable Connection marked;

  /** The epoch in which this server is the primary, as far as it knows; {@link #ANY} before. */
  private volatile int epoch = ANY;

  private volatile DiskSpace space = DiskSpace.UNKNOWN;

  /** Prepares the pools; connects when first used. */
  public Database(DatabaseSettings settings) {
    this.settings = settings;
    this.reachability = new Reachability(settings);
    SessionTimes times = new SessionTimes(settings.socketTimeout(), settings.keepalive());
    HikariConfig readPool = pool("rns-read", settings.readConnections());
    readPool.addDataSourceProperty("useServerPrepStmts", "true");
    // The same as READ COMMITTED for statements without a transaction, and spares each snapshot two round trips.
    readPool.setTransactionIsolation("TRANSACTION_REPEATABLE_READ");
    readPool.setConnectionInitSql(times.forReads());
    this.reads = new HikariDataSource(readPool);
    HikariConfig writePool = pool("rns-write", 1);
    // A transaction's statements go together, and are other ones each time: see Statements.
    writePool.addDataSourceProperty("useServerPrepStmts", "false");
    writePool.addDataSourceProperty("allowMultiQueries", "true");
    writePool.setAutoCommit(false);
    writePool.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
    writePool.setConnectionInitSql(times.forWrites());
    this.writes = new HikariDataSource(writePool);
  }

  private HikariConfig pool(String name, int size) {
    HikariConfig config = new HikariConfig();
    config.setPoolName(name);
    // By name: in an application server the driver's own registration is not seen by every class loader.
    config.setDriverClassName(Driver.class.getName());
    config.setJdbcUrl(settings.url());
    config.setUsername(settings.user());
    config.setPassword(settings.password());
    config.setMaximumPoolSize(size);
    config.setConnectionTimeout(settings.connectionTimeout().toMillis());
    config.setValidationTimeout(Math.min(settings.connectionTimeout().toMillis(), Duration.ofSeconds(5).toMillis()));
    config.setMaxLifetime(settings.maxLifetime().toMillis());
    config.setKeepaliveTime(settings.keepalive().toMillis());
    // The database may come later than the service.
    config.setInitializationFailTimeout(-1);
    SystemStores.unlessIn(settings.url()).forEach(config::addDataSourceProperty);
    config.addDataSourceProperty("connectTimeout", Long.toString(settings.connectionTimeout().toMillis()));
    config.addDataSourceProperty("socketTimeout", Long.toString(settings.socketTimeout().toMillis()));
    config.addDataSourceProperty("cachePrepStmts", "true");
    config.addDataSourceProperty("prepStmtCacheSize", "200");
    config.addDataSourceProperty("prepStmtCacheSqlLimit", "4096");
    // Without these every transaction asks the server for what the driver already knows.
    config.addDataSourceProperty("useLocalSessionState", "true");
    config.addDataSourceProperty("cacheServerConfiguration", "true");
    config.addDataSourceProperty("maintainTimeStats", "false");
    return config;
  }

  /**
   * Connects once, without the pools, which would wait and repeat the attempt before they say what is wrong.
   *
   * @throws RnsException {@link RnsError#UNAVAILABLE} if the database cannot be reached or refuses the account
   */
  public static void probe(DatabaseSettings settings) {
    Properties properties = new Properties();
    properties.setProperty("user", settings.user());
    properties.setProperty("password", settings.password());
    properties.setProperty("connectTimeout", Long.toString(settings.connectionTimeout().toMillis()));
    properties.setProperty("socketTimeout", Long.toString(settings.socketTimeout().toMillis()));
    properties.putAll(SystemStores.unlessIn(settings.url()));
    try (Connection connection = new Driver().connect(settings.url(), properties)) {
      if (connection == null) {
        throw new RnsException(RnsError.UNAVAILABLE, "RNS_DB_URL is not the address of a MySQL or MariaDB database");
      }
    } catch (SQLException e) {
      throw SqlErrors.toException(e);
    }
  }

  /** The innermost cause of an error of the database, for the log; empty if there is none. */
  public static String detail(RnsException e) {
    return e.getCause() instanceof SQLException cause ? SqlErrors.detail(cause) : "";
  }

  /** The address as it was given. */
  public String url() {
    return settings.url();
  }

  /**
   * Brings the schema up to date, and gives a new database its server group. Takes two statements if there is nothing
   * to do: a server that becomes the primary does it while writes wait.
   *
   * @throws RnsException {@link RnsError#UNAVAILABLE} if the database cannot be reached, {@link RnsError#INTERNAL} if
   *         the schema cannot be made, {@link RnsError#INVALID_REQUEST} if the database belongs to another group
   */
  public void migrate() {
    // Flyway wraps what it meets in exceptions of its own; a first plain statement keeps "not reachable" apart.
    SchemaState state = read(SchemaState::of);
    if (state.isCurrent() && group().position().group() == settings.group()) {
      return;
    }
    HikariConfig patient = patientPool("rns-schema", 2);
    read(TransactionTag::statement).ifPresent(patient::setConnectionInitSql);
    try (HikariDataSource connections = new HikariDataSource(patient)) {
      Flyway.configure(Database.class.getClassLoader())
          .dataSource(connections)
          .locations("classpath:io/rns/server/store/schema")
          .table(SchemaState.HISTORY)
          // It takes a schema with tables that it did not create for another program's.
          .baselineOnMigrate(state.empty())
          .baselineVersion("0")
          .load()
          .migrate();
      claim(connections);
    } catch (FlywayException e) {
      throw new RnsException(RnsError.INTERNAL, "the schema cannot be brought up to date: " + e.getMessage(), e);
    }
  }

  private void claim(HikariDataSource connections) {
    int group = settings.group();
    GroupTable.GroupRow owner =
        with(
            connection(connections),
            connection -> {
              GroupTable.GroupRow found = GroupTable.find(connection);
              if (found.isNew() && found.position().group() != group) {
                GroupTable.claim(connection, group);
                return GroupTable.find(connection);
              }
              return found;
            });
    checkGroup(owner.position());
  }

  /** The state of the server group; of a new database also if it has no group yet. */
  public GroupTable.GroupRow group() {
    GroupTable.GroupRow found = read(GroupTable::find);
    if (!found.isNew()) {
      checkGroup(found.position());
    }
    return found;
  }

  private void checkGroup(Position position) {
    if (position.group() != settings.group()) {
      throw new RnsException(
          RnsError.INVALID_REQUEST,
          "the database belongs to server group " + position.group() + ", but RNS_GROUP is " + settings.group());
    }
  }

  /** Work with a connection. */
  @FunctionalInterface
  public interface Work<T> {
    /** Does the work; the connection is taken back afterwards. */
    T with(Connection connection) throws SQLException;
  }

  /**
   * Runs single reads, each seeing what is committed when it starts. The work runs again when the database ends its
   * connection or holds it back, as it does while another one becomes the primary; for as long as it may wait for a
   * free connection.
   */
  public <T> T read(Work<T> work) {
    long deadline = System.nanoTime() + settings.connectionTimeout().toNanos();
    while (true) {
      RnsException failed;
      try {
        return with(connection(reads), work);
      } catch (RnsException e) {
        failed = e;
      }
      if (!SqlErrors.passes(failed) || System.nanoTime() > deadline) {
        throw failed;
      }
      pauseAfter(failed);
    }
  }

  private static void pauseAfter(RnsException failed) {
    try {
      Thread.sleep(PAUSE.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failed;
    }
  }

  /** Runs work with a connection and gives it back; trouble in giving it back does not change what came of the work. */
  private static <T> T with(Connection connection, Work<T> work) {
    try {
      return work.with(connection);
    } catch (SQLException e) {
      throw isClosed(connection) ? SqlErrors.ofClosed(e) : SqlErrors.toException(e);
    } finally {
      giveBack(connection);
    }
  }

  /** Whether driver or pool have given a connection up; asks nobody. */
  private static boolean isClosed(Connection connection) {
    try {
      return connection.isClosed();
    } catch (SQLException e) {
      return true;
    }
  }

  private static void giveBack(Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      LOG.debug("a connection could not be returned to the pool: {}", e.getMessage());
    }
  }

  private Connection connection(HikariDataSource pool) {
    try {
      Connection taken = pool.getConnection();
      reachability.reached();
      return taken;
    } catch (SQLException e) {
      throw reachability.failed(e);
    }
  }

  /** Runs reads that all see one state, again as {@link #read} does. */
  public <T> T readSnapshot(Work<T> work) {
    return read(
        connection -> {
          try {
            connection.setAutoCommit(false);
            return work.with(connection);
          } finally {
            endSnapshot(connection);
          }
        });
  }

  /**
   * Not left to the pool: if the database refuses that, as MySQL may while it changes its primary, the pool would hand
   * out the connection as it is, and whoever reads with it would see this snapshot.
   */
  private void endSnapshot(Connection connection) {
    try {
      connection.rollback();
      connection.setAutoCommit(true);
    } catch (SQLException e) {
      giveUp(reads, connection, e);
    }
  }

  private static void giveUp(HikariDataSource pool, Connection connection, SQLException e) {
    LOG.debug("a connection is given up: {}", e.getMessage());
    pool.evictConnection(connection);
  }

  /**
   * Runs a transaction on the writer's connection. The work commits; what it did not commit is rolled back. On a new
   * connection a session that was the writer's before is ended first, unless another server has become the primary.
   */
  public <T> T write(Work<T> work) {
    return with(
        connection(writes),
        connection -> {
          try {
            mark(connection);
            return work.with(connection);
          } catch (SQLException | RuntimeException | Error e) {
            rollBack(connection, connection);
            throw e;
          }
        });
  }

  private JdbcConnection mark(Connection connection) throws SQLException {
    JdbcConnection session = connection.unwrap(JdbcConnection.class);
    if (!session.equals(marked) && begin(connection)) {
      marked = session;
    }
    return session;
  }

  /**
   * The same for work whose last statement ends its transaction, so that nothing more is sent. What is left of it is
   * rolled back if the work fails; a connection that cannot do that is not used again.
   */
  public <T> T writeToTheEnd(Work<T> work) {
    return with(
        connection(writes),
        connection -> {
          JdbcConnection session = mark(connection);
          try {
            // Not the pool's own: that one would roll back once more when it is given back.
            return work.with(session);
          } catch (SQLException | RuntimeException | Error e) {
            rollBack(connection, session);
            throw e;
          }
        });
  }

  private void rollBack(Connection connection, Connection session) {
    try {
      session.rollback();
    } catch (SQLException e) {
      giveUp(writes, connection, e);
    }
  }

  /**
   * The same for a server that becomes the primary: ends the session of the former writer. That one does not know yet
   * that it is not the primary any more, and may end this session in turn; so it is tried a few times.
   */
  public <T> T takeOver(Work<T> work) {
    for (int attempt = 1;; attempt++) {
      epoch = ANY;
      try {
        return write(work);
      } catch (RnsException e) {
        if (attempt == MOST_TAKE_OVERS || !SqlErrors.passes(e)) {
          throw e;
        }
        LOG.warn("the session of the new writer was ended, and is opened again: {}", e.getMessage());
      }
    }
  }

  /** Has the next {@link #takeOver} find its session: connects if need be, and ends that of the former writer. */
  public void prepareTakeOver() {
    boolean unused = takeOver(connection -> true);
  }

  /** From now on this server writes as the primary of an epoch. */
  public void writeAs(int primaryOf) {
    epoch = primaryOf;
  }

  /** Runs reads of one state for as long as they take, on a connection of their own. */
  public <T> T readAll(Work<T> work) {
    return patiently("rns-backup", "TRANSACTION_REPEATABLE_READ", Optional.empty(), work);
  }

  /** Runs a transaction for as long as it takes, on a connection of its own. The work commits. */
  public <T> T writeAll(Work<T> work) {
    return patiently("rns-restore", "TRANSACTION_READ_COMMITTED", read(TransactionTag::statement), work);
  }

  /** For what may take longer than any statement of a request. */
  private HikariConfig patientPool(String name, int size) {
    HikariConfig config = pool(name, size);
    config.addDataSourceProperty("socketTimeout", "0");
    return config;
  }

  private <T> T patiently(String name, String isolation, Optional<String> first, Work<T> work) {
    HikariConfig patient = patientPool(name, 1);
    patient.addDataSourceProperty("useServerPrepStmts", "false");
    patient.addDataSourceProperty("allowMultiQueries", "true");
    patient.setAutoCommit(false);
    patient.setTransactionIsolation(isolation);
    first.ifPresent(patient::setConnectionInitSql);
    try (HikariDataSource connections = new HikariDataSource(patient)) {
      return with(connection(connections), work);
    }
  }

  private boolean begin(Connection connection) throws SQLException {
    boolean primary = epoch == ANY || GroupTable.find(connection).position().epoch() == epoch;
    // Asked before: a former writer whose session is ended may connect again, and write until this one does.
    Optional<String> tagging = TransactionTag.statement(connection);
    boolean taken = primary && WriterSession.take(connection);
    space = DiskSpace.of(connection, settings.url());
    connection.rollback();
    if (tagging.isPresent()) {
      MemberConnection.execute(connection, tagging.get());
    }
    return taken;
  }

  /**
   * Checks that the database has space to write, as far as that can be seen from here: if it runs on this machine.
   *
   * @throws RnsException {@link RnsError#STORAGE_FULL}
   */
  public void checkSpace() {
    if (space.isUsedUp()) {
      throw new RnsException(
          RnsError.STORAGE_FULL,
          SqlErrors.NO_SPACE + ": its disk has less than " + (DiskSpace.RESERVE_BYTES >> 20) + " MiB");
    }
  }

  /** The error of a statement run on a connection handed out here, as callers are to see it. */
  public static RnsException error(SQLException e) {
    return SqlErrors.toException(e);
  }

  /** Connections in use now; 0 when no work is running. */
  public int connectionsInUse() {
    return reads.getHikariPoolMXBean().getActiveConnections() + writes.getHikariPoolMXBean().getActiveConnections();
  }

  /** Numbers about the connections. */
  public Map<String, Number> statistics() {
    HikariPoolMXBean reading = reads.getHikariPoolMXBean();
    return Map.of(
        "readConnectionsInUse", reading.getActiveConnections(),
        "readConnectionsIdle", reading.getIdleConnections(),
        "readsWaitingForConnection", reading.getThreadsAwaitingConnection(),
        "writeConnectionsInUse", writes.getHikariPoolMXBean().getActiveConnections());
  }

  @Override
  public void close() {
    reads.close();
    writes.close();
  }
}
