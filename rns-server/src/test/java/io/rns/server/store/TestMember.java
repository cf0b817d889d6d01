package io.rns.server.store;

import io.rns.server.local.DatabaseProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * A database of its own process, as a member of a replicated set: an embedded MariaDB or, with {@code
 * -Drns.test.engine=mysql}, a MySQL that docker/mysql-debian.sh starts. New ones are read-only and have no transactions.
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
    return onMySql() ? new MySql(directory, serverId) : new MariaDb(directory, serverId);
  }

  /** To control it. */
  default DatabaseMember member() {
    return DatabaseMembers.of(jdbcUrl(), CONTROL_USER, CONTROL_PASSWORD, Duration.ofSeconds(3));
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

    @Override
    public void close() {
      process.close();
    }
  }

  /** The one of Debian's packages. */
  final class MySql implements TestMember {
    private static final Path SCRIPT = Path.of("../docker/mysql-debian.sh").toAbsolutePath().normalize();

    private final Path directory;
    private final List<String> arguments;
    private final String url;
    private final Thread atExit = new Thread(() -> run("kill", List.of()));

    MySql(Path directory, int serverId) {
      this.directory = directory;
      this.arguments =
          List.of(
              "--",
              "--server-id=" + serverId,
              "--super-read-only=ON",
              "--skip-replica-start=ON",
              "--gtid-mode=ON",
              "--enforce-gtid-consistency=ON",
              "--relay-log=relay",
              "--relay-log-recovery=ON",
              "--replica-net-timeout=5",
              "--plugin-load-add=semisync_source.so;semisync_replica.so",
              "--rpl-semi-sync-replica-enabled=ON",
              "--innodb-buffer-pool-size=64M");
      Runtime.getRuntime().addShutdownHook(atExit);
      this.url = run("start", arguments).strip();
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
