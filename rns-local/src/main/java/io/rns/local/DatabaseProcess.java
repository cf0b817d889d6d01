package io.rns.local;

import io.rns.replication.Topology;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A MariaDB or MySQL server: a child process with its own data directory that listens only on 127.0.0.1, with durable
 * settings: every commit reaches the disk in the InnoDB log and, if there is one, in the binary log.
 *
 * <p>A process may be killed, paused and restarted in any state, as tests do; the data directory survives. Thread-safe.
 */
public final class DatabaseProcess implements AutoCloseable {
  static final String NAME = "the database";

  private static final Duration START_BOUND = Duration.ofMinutes(5);
  private static final Duration STOP_BOUND = Duration.ofSeconds(60);
  static final String USER = "rns";
  static final String CONTROL_USER = "rns_control";

  private final Settings settings;
  private final DatabaseEngine engine;
  private final int port;
  private final JvmExit jvmExit = new JvmExit("kill database", this::kill);
  private volatile ChildProcess child;
  private volatile boolean closed;

  /**
   * How a database is run.
   *
   * @param directory its home: {@code data/} and its log; created if absent
   * @param port where it listens on 127.0.0.1; 0 for any free port
   * @param password of its user {@code rns}; MariaDB resets it at every start; letters, digits, {@code -} and {@code _}
   * @param bufferPool memory for pages, in MariaDB's notation: {@code 512M}
   * @param cache where its program is unpacked, once for all databases of this user (about 330 MB)
   * @param mySql where a MySQL is unpacked by docker/mysql-debian.sh; null for the embedded MariaDB
   * @param arguments additional arguments of {@code mariadbd} or {@code mysqld}, which override ours. For example, a
   *        table space that is full at 64 MB (error 1114):
   *        {@code --innodb-file-per-table=0 --innodb-data-file-path=ibdata1:12M:autoextend:max:64M}
   * @param binaryLog also without replication; MySQL always writes its binary log
   * @param replication as a member of a replicated set; null for a standalone database
   */
  public record Settings(
      Path directory,
      int port,
      String password,
      String bufferPool,
      Path cache,
      @Nullable Path mySql,
      List<String> arguments,
      boolean binaryLog,
      @Nullable Replication replication) {
    static final Pattern PASSWORD = Pattern.compile("[A-Za-z0-9_-]{1,64}");
    static final String PASSWORD_RULE = "a database password has 1 to 64 letters, digits, '-' and '_'";

    /** Validates the settings. */
    public Settings {
      directory = directory.toAbsolutePath().normalize();
      arguments = List.copyOf(arguments);
      if (!PASSWORD.matcher(password).matches()) {
        throw new IllegalArgumentException(PASSWORD_RULE);
      }
      MemorySize.BUFFER_POOL.check(bufferPool);
    }

    /**
     * A database under {@code directory} on a free port, with user and password {@code rns} and a buffer pool of 512
     * MB.
     */
    public static Settings in(Path directory) {
      return new Settings(directory, 0, "rns", "512M", LocalInstallation.find().cache(), null, List.of(), false,
          null);
    }

    /** With this port; 0 for any free one. */
    public Settings withPort(int other) {
      return new Settings(directory, other, password, bufferPool, cache, mySql, arguments, binaryLog, replication);
    }

    /** With this password. */
    public Settings withPassword(String other) {
      return new Settings(directory, port, other, bufferPool, cache, mySql, arguments, binaryLog, replication);
    }

    /** With this buffer pool. */
    public Settings withBufferPool(String other) {
      return new Settings(directory, port, password, other, cache, mySql, arguments, binaryLog, replication);
    }

    /** With these additional arguments. */
    public Settings withArguments(String... others) {
      return new Settings(directory, port, password, bufferPool, cache, mySql, List.of(others), binaryLog, replication);
    }

    /** With a binary log, or without; the members of a replicated set always write it. */
    public Settings withBinaryLog(boolean wanted) {
      return new Settings(directory, port, password, bufferPool, cache, mySql, arguments, wanted, replication);
    }

    /**
     * As a member of a replicated set: it starts read-only, with replication stopped, until its {@code rns_control}
     * account configures it. A formerly standalone database has transactions that no other member has.
     *
     * @param serverId from 1, unique in the set
     * @param controlPassword of the user {@code rns_control}; the same on all members, since replicas connect with it
     */
    public Settings withReplication(int serverId, String controlPassword) {
      return withReplication(new Replication(Topology.SOURCE_REPLICA, serverId, controlPassword));
    }

    /** With this replication, possibly of another topology. */
    Settings withReplication(Replication other) {
      return new Settings(directory, port, password, bufferPool, cache, mySql, arguments, binaryLog, other);
    }

    /** With the MySQL unpacked in this directory; null for the embedded MariaDB. */
    Settings withMySql(@Nullable Path root) {
      return new Settings(directory, port, password, bufferPool, cache, root, arguments, binaryLog, replication);
    }

    boolean writesBinaryLog() {
      return binaryLog || replication != null;
    }

    Path data() {
      return directory.resolve("data");
    }

    private DatabaseEngine engine(Consumer<String> progress) {
      return mySql == null ? MariaDbEngine.unpack(cache, progress) : MySqlEngine.in(mySql);
    }
  }

  /** Membership in a replicated set; see {@link Settings#withReplication}. */
  public record Replication(Topology topology, int serverId, String controlPassword) {
    /** Validates the settings. */
    public Replication {
      if (serverId < 1) {
        throw new IllegalArgumentException("the server id of a database must be 1 or more, not " + serverId);
      }
      if (!Settings.PASSWORD.matcher(controlPassword).matches()) {
        throw new IllegalArgumentException(Settings.PASSWORD_RULE);
      }
    }
  }

  private DatabaseProcess(Settings settings, DatabaseEngine engine) {
    this.settings = settings;
    this.engine = engine;
    this.port = settings.port() == 0 ? Ports.free() : settings.port();
    this.child = launch();
  }

  /**
   * Starts a database and waits until it accepts connections. The first start in a directory also creates its system
   * tables and an empty database {@code rns}. The process ends with this JVM at the latest.
   *
   * @throws LocalServiceException if it cannot be started: a library is missing, the port is in use, or another process
   *         uses the data directory
   */
  public static DatabaseProcess start(Settings settings) {
    DatabaseProcess process = start(settings, line -> {});
    process.jvmExit.register();
    return process;
  }

  /** Starts a database that the caller must stop. */
  static DatabaseProcess start(Settings settings, Consumer<String> progress) {
    DatabaseEngine engine = settings.engine(progress);
    progress.accept("starting the database");
    try {
      FileTrees.createPrivate(settings.directory());
      if (!Files.exists(settings.data())) {
        initialize(settings, engine);
      }
      engine.prepare(settings);
    } catch (IOException e) {
      throw new LocalServiceException(
          "the database's directory " + settings.directory() + " cannot be created: " + e.getMessage(), e);
    }
    return new DatabaseProcess(settings, engine);
  }

  /** The URL for MySQL Connector/J; the database is {@code rns}. */
  public String jdbcUrl() {
    return "jdbc:mysql://127.0.0.1:" + port + "/rns" + engine.parameters();
  }

  /** The user that owns the database {@code rns}. */
  public String user() {
    return USER;
  }

  /** The password of {@link #user()}. */
  public String password() {
    return settings.password();
  }

  /** The user that controls replication in a replicated set. */
  public String controlUser() {
    return CONTROL_USER;
  }

  /** The port on 127.0.0.1; unchanged by restarts. */
  public int port() {
    return port;
  }

  /** The server's log, of this and earlier runs. */
  public Path logFile() {
    return settings.directory().resolve(engine.log());
  }

  /** Whether its process exists, paused or not. */
  public boolean isAlive() {
    return child.isAlive();
  }

  /** Kills the process as a power failure would (SIGKILL). Returns when it is gone; no effect if it already was. */
  public void kill() {
    child.kill();
  }

  /** Pauses the process (SIGSTOP): connections stay open, nothing is answered. */
  public void pause() {
    child.pause();
  }

  /** Continues after {@link #pause()}. */
  public void resume() {
    child.resume();
  }

  /**
   * Restarts it on the same port and data; kills it first if it still runs.
   *
   * @throws LocalServiceException if it does not start, or was closed
   */
  public synchronized void restart() {
    failIfClosed();
    child.kill();
    child = launch();
  }

  /** Stops it gracefully; kills it after 60 s. The data stays. */
  @Override
  public void close() {
    // A restart in progress gives up; wait for it.
    closed = true;
    jvmExit.unregister();
    synchronized (this) {
      child.stop(STOP_BOUND);
    }
  }

  /** Aborts a start that is no longer wanted by throwing; otherwise returns false. */
  private boolean failIfClosed() {
    if (closed) {
      throw new LocalServiceException("the database was closed");
    }
    return false;
  }

  ProcessIdentity identity() {
    return child.identity();
  }

  /** Completes with the exit code when the current process ends. */
  CompletableFuture<Integer> onExit() {
    return child.onExit();
  }

  String logTail(int lines) {
    return child.log().tail(lines);
  }

  private ChildProcess launch() {
    List<String> command = withUser(engine.program(settings.directory(), settings.data()));
    command.addAll(engine.arguments(settings, port));
    command.addAll(settings.arguments());
    ChildProcess started =
        ChildProcess.start(
            new ChildProcess.Plan(
                NAME, command, marker(settings.directory()), Map.of(), settings.directory(), logFile()));
    try {
      started.await(
          "it accepted connections",
          () -> failIfClosed() || started.log().contains("ready for connections"),
          START_BOUND,
          () -> started.log().tail(ChildProcess.TAIL_LINES));
      return started;
    } catch (LocalServiceException e) {
      started.kill();
      throw MissingLibrary.explain(e.getMessage()).map(text -> new LocalServiceException(text, e)).orElse(e);
    }
  }

  /** Creates the system tables aside, so that an interrupted start leaves no partial data directory. */
  private static void initialize(Settings settings, DatabaseEngine engine) throws IOException {
    Path aside = settings.directory().resolve("data.new");
    FileTrees.delete(aside);
    Files.createDirectory(aside);
    engine.initialize(settings, aside);
    Files.move(aside, settings.data(), StandardCopyOption.ATOMIC_MOVE);
  }

  /**
   * Runs the program until it ends.
   *
   * @param purpose goes on with "could not"
   * @param input its standard input; null for none
   * @throws LocalServiceException if it fails, or has not ended within 5 minutes
   */
  static void runToEnd(
      Settings settings, String purpose, List<String> program, List<String> arguments, @Nullable Path input)
      throws IOException {
    runToEnd(settings, purpose, program, arguments, input, START_BOUND);
  }

  /** The same, within another time. */
  static void runToEnd(
      Settings settings, String purpose, List<String> program, List<String> arguments, @Nullable Path input,
      Duration bound)
      throws IOException {
    List<String> command = withUser(program);
    command.addAll(arguments);
    command.addAll(settings.arguments());
    Path output = settings.directory().resolve("system-tables.log");
    Process process =
        new ProcessBuilder(command)
            .redirectInput(input == null ? Path.of("/dev/null").toFile() : input.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    String failure = failure(process, bound);
    if (failure != null) {
      String said = Files.readString(output);
      throw new LocalServiceException(
          MissingLibrary.explain(said).orElse("the database could not " + purpose + ": " + failure + "\n" + said));
    }
  }

  /** Waits until a process ends, at most for so long; what went wrong, or null. */
  private static @Nullable String failure(Process process, Duration bound) {
    try {
      if (!process.waitFor(bound.toMillis(), TimeUnit.MILLISECONDS)) {
        return "killed after " + bound.toMillis() + " ms";
      }
      return process.exitValue() == 0 ? null : "exit code " + process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "interrupted";
    } finally {
      process.destroyForcibly();
    }
  }

  /** As root, the database needs an explicit {@code --user}. */
  private static List<String> withUser(List<String> program) {
    List<String> command = new ArrayList<>(program);
    if (LocalEnvironment.isRoot()) {
      command.add("--user=root");
    }
    return command;
  }

  /** An argument unique to the database of this directory. */
  static String marker(Path directory) {
    return datadir(directory.resolve("data"));
  }

  static String datadir(Path data) {
    return "--datadir=" + data;
  }
}
