package io.rns.server.store;

import io.rns.replication.member.DatabaseMember;
import static io.rns.replication.Topology.GROUP;
import static io.rns.replication.Topology.SOURCE_REPLICA;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rns.local.DatabaseProcess;
import io.rns.replication.Topology;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * A database of its own process, as a member of a replicated set: an embedded MariaDB or, with {@code
 * -Drns.test.engine=mysql}, a MySQL that docker/mysql-debian.sh starts. New ones are read-only and have no
 * transactions.
 */
public interface TestMember extends AutoCloseable {
  /** Without account; the data account is {@code rns}, password {@code rns}. */
  String jdbcUrl();

  /** Port on 127.0.0.1; the same after a restart. */
  int port();

  void kill();

  /** Starts it again after {@link #kill}. */
  void restart();

  void pause();

  void resume();

  @Override
  void close();

  /** The account that controls replication. */
  String CONTROL_USER = "rns_control";

  /** Its password. */
  String CONTROL_PASSWORD = "rns_control";

  static boolean onMySql() {
    return System.getProperty("rns.test.engine", "mariadb").equals("mysql");
  }

  static TestMember start(Path directory, int serverId) {
    return onMySql() ? new MySql(directory, serverId, SOURCE_REPLICA) : new MariaDb(directory, serverId);
  }

  /** Of a database group, which is MySQL's; see {@link #assumeGroups}. */
  static TestMember startGrouped(Path directory, int serverId) {
    return new MySql(directory, serverId, GROUP);
  }

  /** Skips the tests of database groups where they are not asked for, or there is no MySQL. */
  static void assumeGroups() {
    assumeTrue(onMySql(), "database groups are MySQL's: -Drns.test.engine=mysql runs this test");
    assumeTrue(MySql.isInstalled(), "MySQL is not here: docker/mysql-debian.sh install gets it");
  }

  /** How it is kept like the others. */
  Topology topology();

  /** To control it. */
  default DatabaseMember member() {
    return DatabaseMembers.of(topology(), jdbcUrl(), CONTROL_USER, CONTROL_PASSWORD, Duration.ofSeconds(3));
  }

  /** The embedded one. */
  final class MariaDb implements TestMember {
    private final DatabaseProcess process;

    MariaDb(Path directory, int serverId) {
      this.process =
          DatabaseProcess.start(
              DatabaseProcess.Settings.in(directory)
                  .withBufferPool("64M")
                  .withReplication(serverId, CONTROL_PASSWORD));
    }

    @Override
    public Topology topology() {
      return SOURCE_REPLICA;
    }

    @Override
    public String jdbcUrl() {
      return process.jdbcUrl();
    }

    @Override
    public int port() {
      return process.port();
    }

    @Override
    public void kill() {
      process.kill();
    }

    @Override
    public void restart() {
      process.restart();
    }

    @Override
    public void pause() {
      process.pause();
    }

    @Override
    public void resume() {
      process.resume();
    }

    /** Nobody needs its data any more, and a clean stop takes longer. */
    @Override
    public void close() {
      process.kill();
      process.close();
    }
  }

  /** The one of Debian's packages. */
  final class MySql implements TestMember {
    private static final Path SCRIPT = Path.of("../docker/mysql-debian.sh").toAbsolutePath().normalize();

    private static final Path UNPACKED = Path.of(System.getProperty("user.home"), ".cache/rns/mysql-debian/VERSION");

    private static final int FIRST_PORT = 21_000;
    private static final Set<Integer> TAKEN = ConcurrentHashMap.newKeySet();

    private final Path directory;
    private final Topology topology;
    private final List<String> arguments = new ArrayList<>();
    private final String url;
    private final Thread atExit = new Thread(() -> run("kill", List.of()));

    MySql(Path directory, int serverId, Topology topology) {
      this.directory = directory;
      this.topology = topology;
      arguments.addAll(
          List.of(
              "--",
              "--server-id=" + serverId,
              "--super-read-only=ON",
              "--gtid-mode=ON",
              "--enforce-gtid-consistency=ON",
              "--innodb-buffer-pool-size=64M"));
      arguments.addAll(topology == GROUP ? grouped() : replicated());
      Runtime.getRuntime().addShutdownHook(atExit);
      this.url = run("start", arguments).strip();
    }

    static boolean isInstalled() {
      return Files.exists(UNPACKED);
    }

    private static List<String> replicated() {
      return List.of(
          "--skip-replica-start=ON",
          "--relay-log=relay",
          "--relay-log-recovery=OFF",
          "--sync-relay-log=1",
          "--binlog-transaction-compression=ON",
          "--replica-net-timeout=5",
          "--plugin-load-add=semisync_source.so;semisync_replica.so",
          "--rpl-semi-sync-replica-enabled=ON");
    }

    /** Its port has to be known before it starts, so that it can tell the others. */
    private List<String> grouped() {
      int port = freePort();
      arguments.addAll(0, List.of("--port", Integer.toString(port)));
      return List.of(
          "--report-host=127.0.0.1",
          "--report-port=" + port,
          "--plugin-load-add=group_replication.so",
          "--loose-group-replication-start-on-boot=OFF",
          "--loose-group-replication-message-cache-size=134217728");
    }

    /**
     * Below the range from which the kernel takes ports of outgoing connections: it has to be free after a restart,
     * too.
     */
    private static int freePort() {
      int first = FIRST_PORT + (int) (ProcessHandle.current().pid() % 100) * 50;
      for (int port = first; port < first + 1_000; port++) {
        if (TAKEN.add(port) && isFree(port)) {
          return port;
        }
      }
      throw new AssertionError("no free port from " + first + " on");
    }

    private static boolean isFree(int port) {
      try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return socket.isBound();
      } catch (IOException e) {
        return false;
      }
    }

    private String run(String verb, List<String> more) {
      List<String> command = new ArrayList<>(List.of(SCRIPT.toString(), verb, "--data", directory.toString()));
      command.addAll(more);
      Supplier<String> what = () -> String.join(" ", command);
      try {
        Path errors = Files.createTempFile("mysql-debian", ".log");
        Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int code = process.onExit().join().exitValue();
        String trouble = Files.readString(errors);
        Files.delete(errors);
        if (code != 0) {
          throw new AssertionError(what.get() + " ended with " + code + ": " + trouble);
        }
        return said;
      } catch (IOException e) {
        throw new AssertionError(what.get(), e);
      }
    }

    @Override
    public Topology topology() {
      return topology;
    }

    @Override
    public String jdbcUrl() {
      return url.replaceAll("user=[^&]*&password=[^&]*&", "");
    }

    @Override
    public int port() {
      return Integer.parseInt(url.replaceAll("jdbc:mysql://[^:]+:|/.*", ""));
    }

    @Override
    public void kill() {
      run("kill", List.of());
    }

    @Override
    public void restart() {
      run("start", arguments);
    }

    @Override
    public void pause() {
      run("pause", List.of());
    }

    @Override
    public void resume() {
      run("resume", List.of());
    }

    @Override
    public void close() {
      Runtime.getRuntime().removeShutdownHook(atExit);
      run("stop", List.of());
    }
  }
}
