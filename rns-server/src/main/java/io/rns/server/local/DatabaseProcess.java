package io.rns.server.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A MariaDB server of our own: a child process on a data directory of its own, that listens on 127.0.0.1 only, with the
 * settings of a durable primary (every commit reaches the disk in the InnoDB log and in the binary log).
 *
 * <p>A process may be killed, paused and restarted in any state, as tests do to see what its clients make of it; the
 * data directory survives it. Safe to share between threads.
 */
public final class DatabaseProcess implements AutoCloseable {
  static final String NAME = "the database";

  private static final Duration START_BOUND = Duration.ofMinutes(5);
  private static final Duration STOP_BOUND = Duration.ofSeconds(60);
  private static final String USER = "rns";
  private static final String CONTROL_USER = "rns_control";

  private final Settings settings;
  private final DatabaseBinaries binaries;
  private final int port;
  private final JvmExit jvmExit = new JvmExit("kill database", this::kill);
  private volatile ChildProcess child;
  private volatile boolean closed;

  /**
   * How a database is run.
   *
   * @param directory its home: {@code data/}, {@code mariadb.log} and its start script; made when there is none
   * @param port where it listens on 127.0.0.1; 0 for any free port
   * @param password of its user {@code rns}; set anew at every start; letters, digits, {@code -} and {@code _}
   * @param bufferPool memory for pages, as MariaDB writes it: {@code 512M}
   * @param cache where its program is unpacked to, once, for all databases of this user (about 330 MB)
   * @param arguments further arguments of {@code mariadbd}, which win over ours. A table space that is full at 64 MB
   *     (error 1114), say: {@code --innodb-file-per-table=0 --innodb-data-file-path=ibdata1:12M:autoextend:max:64M}
   * @param replication as a member of a replicated set; null for a database of its own
   */
  public record Settings(
      Path directory,
      int port,
      String password,
      String bufferPool,
      Path cache,
      List<String> arguments,
      @Nullable Replication replication) {
    static final Pattern PASSWORD = Pattern.compile("[A-Za-z0-9_-]{1,64}");
    static final String PASSWORD_RULE = "a database password has 1 to 64 letters, digits, '-' and '_'";

    /** Refuses what the database would misunderstand. */
    public Settings {
      directory = directory.toAbsolutePath().normalize();
      arguments = List.copyOf(arguments);
      if (!PASSWORD.matcher(password).matches()) {
        throw new IllegalArgumentException(PASSWORD_RULE);
      }
      MemorySize.BUFFER_POOL.check(bufferPool);
    }

    /** A database under {@code directory} on a free port, user and password {@code rns}, with 512 MB for pages. */
    public static Settings in(Path directory) {
      return new Settings(directory, 0, "rns", "512M", LocalInstallation.find().cache(), List.of(), null);
    }

    /** The same on this port; 0 for any free one. */
    public Settings withPort(int other) {
      return new Settings(directory, other, password, bufferPool, cache, arguments, replication);
    }

    /** The same with this password. */
    public Settings withPassword(String other) {
      return new Settings(directory, port, other, bufferPool, cache, arguments, replication);
    }

    /** The same with this much memory for pages. */
    public Settings withBufferPool(String other) {
      return new Settings(directory, port, password, other, cache, arguments, replication);
    }

    /** The same with these further arguments of {@code mariadbd}. */
    public Settings withArguments(String... others) {
      return new Settings(directory, port, password, bufferPool, cache, List.of(others), replication);
    }

    /**
     * The same as a member of a replicated set: it starts read-only and receives nothing, until its {@code rns_control}
     * tells it. A directory whose database once was of its own has transactions that no other member has.
     *
     * @param serverId from 1 on, another one for each member
     * @param controlPassword of the user {@code rns_control}; the same on all members, since replicas fetch with it
     */
    public Settings withReplication(int serverId, String controlPassword) {
      return new Settings(
          directory, port, password, bufferPool, cache, arguments, new Replication(serverId, controlPassword));
    }
  }

  /** What makes it a member of a replicated set; see {@link Settings#withReplication}. */
  public record Replication(int serverId, String controlPassword) {
    /** Refuses what the database would misunderstand. */
    public Replication {
      if (serverId < 1) {
        throw new IllegalArgumentException("the number of a database in its set is 1 or more, not " + serverId);
      }
      if (!Settings.PASSWORD.matcher(controlPassword).matches()) {
        throw new IllegalArgumentException(Settings.PASSWORD_RULE);
      }
    }

    /** For one source at a time, whose commits wait for a replica; who is it is said when they run. */
    List<String> arguments() {
      return List.of(
          "--server-id=" + serverId,
          "--read-only=ON",
          "--skip-slave-start",
          "--log-slave-updates=ON",
          "--gtid-domain-id=0",
          "--gtid-strict-mode=ON",
          "--relay-log=relay",
          "--relay-log-recovery=ON",
          "--master-retry-count=0",
          "--slave-net-timeout=5",
          "--rpl-semi-sync-slave-enabled=ON",
          "--rpl-semi-sync-slave-kill-conn-timeout=1",
          "--rpl-semi-sync-master-wait-point=AFTER_SYNC",
          "--rpl-semi-sync-master-wait-no-slave=ON");
    }

    /** Not in the binary log: each member makes the account for itself. */
    List<String> account() {
      String user = "'" + CONTROL_USER + "'@'127.0.0.1'";
      return List.of(
          "CREATE USER IF NOT EXISTS " + user + ";",
          "ALTER USER " + user + " IDENTIFIED BY '" + controlPassword + "';",
          "GRANT REPLICATION SLAVE, REPLICATION SLAVE ADMIN, REPLICATION MASTER ADMIN, SLAVE MONITOR, BINLOG MONITOR, BINLOG ADMIN,"
              + " READ_ONLY ADMIN, CONNECTION ADMIN, PROCESS, RELOAD ON *.* TO " + user + ";",
          "GRANT ALL ON rns.* TO " + user + ";");
    }
  }

  private DatabaseProcess(Settings settings, DatabaseBinaries binaries) {
    this.settings = settings;
    this.binaries = binaries;
    this.port = settings.port() == 0 ? Ports.free() : settings.port();
    this.child = launch();
  }

  /**
   * Starts a database and waits until it takes connections; the first start on a directory also makes its system tables
   * and an empty database {@code rns}. It ends with this JVM at the latest.
   *
   * @throws LocalServiceException if it cannot be started: a library is missing, the port is taken, another process has
   *     the data directory
   */
  public static DatabaseProcess start(Settings settings) {
    DatabaseProcess process = start(settings, line -> {});
    process.jvmExit.register();
    return process;
  }

  /** Starts a database whose end the caller sees to. */
  static DatabaseProcess start(Settings settings, Consumer<String> progress) {
    DatabaseBinaries binaries = DatabaseBinaries.unpack(settings.cache(), progress);
    progress.accept("starting the database");
    try {
      FileTrees.createPrivate(settings.directory());
      if (!Files.exists(data(settings))) {
        initialize(settings, binaries);
      }
      FileTrees.writePrivate(script(settings), account(settings));
    } catch (IOException e) {
      throw new LocalServiceException(
          "the database's directory " + settings.directory() + " cannot be made: " + e.getMessage(), e);
    }
    return new DatabaseProcess(settings, binaries);
  }

  /** The address for MySQL Connector/J; the database is {@code rns}. */
  public String jdbcUrl() {
    return "jdbc:mysql://127.0.0.1:" + port + "/rns?sslMode=DISABLED";
  }

  /** The user that owns the database {@code rns}. */
  public String user() {
    return USER;
  }

  /** The password of {@link #user()}. */
  public String password() {
    return settings.password();
  }

  /** The user that controls replication, of a member of a replicated set. */
  public String controlUser() {
    return CONTROL_USER;
  }

  /** The port on 127.0.0.1; the same after a restart. */
  public int port() {
    return port;
  }

  /** What the server has to say, of this and former runs. */
  public Path logFile() {
    return log(settings);
  }

  /** Whether its process runs, be it paused or not. */
  public boolean isAlive() {
    return child.isAlive();
  }

  /** Ends the process as a loss of power would (SIGKILL). Returns when it is gone; no harm if it was already. */
  public void kill() {
    child.kill();
  }

  /** Stops it in mid-work (SIGSTOP): connections stay open, nothing is answered. */
  public void pause() {
    child.pause();
  }

  /** Goes on after {@link #pause()}. */
  public void resume() {
    child.resume();
  }

  /**
   * Starts it again on the same port and data, after killing it if it still runs.
   *
   * @throws LocalServiceException if it does not come up, or was closed
   */
  public synchronized void restart() {
    failIfClosed();
    child.kill();
    child = launch();
  }

  /** Stops it: orderly, and by force when that takes longer than 60 s. The data stays. */
  @Override
  public void close() {
    // A restart that is under way gives up, and is waited for.
    closed = true;
    jvmExit.unregister();
    synchronized (this) {
      child.stop(STOP_BOUND);
    }
  }

  /** False; or ends a start that is no longer wanted. */
  private boolean failIfClosed() {
    if (closed) {
      throw new LocalServiceException("the database was closed");
    }
    return false;
  }

  ProcessIdentity identity() {
    return child.identity();
  }

  /** Completes with the exit code when the process that runs now has ended. */
  CompletableFuture<Integer> onExit() {
    return child.onExit();
  }

  String logTail(int lines) {
    return child.log().tail(lines);
  }

  private ChildProcess launch() {
    List<String> command = common(settings, binaries, data(settings));
    command.addAll(
        List.of(
            "--init-file=" + script(settings),
            "--bind-address=127.0.0.1",
            "--port=" + port,
            "--socket=",
            "--skip-ssl",
            "--skip-name-resolve",
            "--max-connections=300",
            "--max-allowed-packet=64M",
            "--character-set-server=utf8mb4",
            "--collation-server=utf8mb4_bin",
            "--transaction-isolation=READ-COMMITTED",
            "--innodb-buffer-pool-size=" + settings.bufferPool(),
            "--innodb-flush-log-at-trx-commit=1",
            "--sync-binlog=1",
            "--log-bin=binlog",
            "--binlog-format=ROW",
            "--binlog-expire-logs-seconds=86400",
            "--server-id=1"));
    if (settings.replication() != null) {
      command.addAll(settings.replication().arguments());
    }
    command.addAll(settings.arguments());
    ChildProcess started =
        ChildProcess.start(
            new ChildProcess.Plan(
                NAME, command, marker(settings.directory()), Map.of(), settings.directory(), log(settings)));
    try {
      started.await(
          "the database took connections",
          () -> failIfClosed() || started.log().contains("ready for connections"),
          START_BOUND,
          () -> started.log().tail(ChildProcess.TAIL_LINES));
      return started;
    } catch (LocalServiceException e) {
      started.kill();
      throw MissingLibrary.explain(e.getMessage()).map(text -> new LocalServiceException(text, e)).orElse(e);
    }
  }

  /** Makes the system tables aside, so that a start that is cut off leaves no half of them. */
  private static void initialize(Settings settings, DatabaseBinaries binaries) throws IOException {
    Path aside = settings.directory().resolve("data.new");
    FileTrees.delete(aside);
    Files.createDirectory(aside);
    Path statements = settings.directory().resolve("system-tables.sql");
    StringBuilder sql = new StringBuilder("CREATE DATABASE mysql;\nUSE mysql;\n");
    // The administrator is the user of the operating system, over a socket that is not opened: no password to know.
    sql.append("SET @auth_root_socket='root';\n");
    for (Path part : binaries.systemTables()) {
      sql.append(Files.readString(part)).append('\n');
    }
    Files.writeString(statements, sql);
    List<String> command = common(settings, binaries, aside);
    command.addAll(List.of("--bootstrap", "--log-warnings=0", "--enforce-storage-engine=", "--max-allowed-packet=8M"));
    command.addAll(settings.arguments());
    Path output = settings.directory().resolve("system-tables.log");
    int code =
        new ProcessBuilder(command)
            .redirectInput(statements.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start()
            .onExit()
            .join()
            .exitValue();
    if (code != 0) {
      String said = Files.readString(output);
      throw new LocalServiceException(
          MissingLibrary.explain(said).orElse("the database could not make its system tables:\n" + said));
    }
    Files.delete(statements);
    Files.move(aside, data(settings), StandardCopyOption.ATOMIC_MOVE);
  }

  private static List<String> common(Settings settings, DatabaseBinaries binaries, Path data) {
    List<String> command = new ArrayList<>();
    command.add(binaries.program().toString());
    command.add("--no-defaults");
    command.add("--basedir=" + binaries.directory());
    command.add(datadir(data));
    command.add("--lc-messages-dir=" + binaries.messages());
    command.add("--tmpdir=" + settings.directory());
    command.add("--innodb-log-file-size=256M");
    if (System.getProperty("user.name").equals("root")) {
      // It refuses to run as root unless told so.
      command.add("--user=root");
    }
    return command;
  }

  /** An argument that only the database of this directory has. */
  static String marker(Path directory) {
    return datadir(directory.resolve("data"));
  }

  private static String datadir(Path data) {
    return "--datadir=" + data;
  }

  private static String account(Settings settings) {
    String user = "'" + USER + "'@'127.0.0.1'";
    List<String> statements = new ArrayList<>();
    if (settings.replication() != null) {
      statements.add("SET SESSION sql_log_bin = 0;");
    }
    statements.addAll(
        List.of(
            "CREATE DATABASE IF NOT EXISTS rns CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;",
            "CREATE USER IF NOT EXISTS " + user + ";",
            "ALTER USER " + user + " IDENTIFIED BY '" + settings.password() + "';",
            "GRANT ALL ON rns.* TO " + user + ";"));
    if (settings.replication() != null) {
      statements.addAll(settings.replication().account());
    }
    return String.join("\n", statements) + "\n";
  }

  private static Path data(Settings settings) {
    return settings.directory().resolve("data");
  }

  private static Path script(Settings settings) {
    return settings.directory().resolve("account.sql");
  }

  private static Path log(Settings settings) {
    return settings.directory().resolve("mariadb.log");
  }
}
