package io.rns.local;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A MySQL whose packages, with all required libraries, were unpacked into a directory by
 * {@code docker/mysql-debian.sh}.
 *
 * @param root that directory
 * @param loader its dynamic loader, beside its libraries
 */
record MySqlEngine(Path root, Path loader) implements DatabaseEngine {
  private static final String LOADERS = "*-linux-gnu*";

  /**
   * Finds it.
   *
   * @throws LocalServiceException if it is not there
   */
  static MySqlEngine in(Path root) {
    Path libraries = root.resolve("usr/lib");
    if (Files.isExecutable(root.resolve("usr/sbin/mysqld")) && Files.isDirectory(libraries)) {
      try (DirectoryStream<Path> machines = Files.newDirectoryStream(libraries, LOADERS)) {
        for (Path machine : machines) {
          try (DirectoryStream<Path> found = Files.newDirectoryStream(machine, "ld-linux*.so.*")) {
            for (Path loader : found) {
              return new MySqlEngine(root.toAbsolutePath(), loader.toAbsolutePath());
            }
          }
        }
      } catch (IOException e) {
        throw new LocalServiceException("MySQL in " + root + " cannot be read: " + e.getMessage(), e);
      }
    }
    throw new LocalServiceException(
        "there is no MySQL in " + root
            + ". On Debian install it with: docker/mysql-debian.sh install (about 60 MB, nothing is "
            + "installed into the system); RNS_MYSQL names another directory that this script has filled");
  }

  @Override
  public List<String> program(Path home, Path data) {
    Path program = root.resolve("usr/sbin/mysqld");
    return new ArrayList<>(
        List.of(
            loader.toString(),
            "--argv0",
            program.toString(),
            "--library-path",
            String.valueOf(loader.getParent()),
            program.toString(),
            "--no-defaults",
            "--basedir=" + root.resolve("usr"),
            "--lc-messages-dir=" + root.resolve("usr/share/mysql"),
            "--character-sets-dir=" + root.resolve("usr/share/mysql/charsets"),
            "--plugin-dir=" + root.resolve("usr/lib/mysql/plugin"),
            "--secure-file-priv=NULL",
            "--tmpdir=" + home,
            DatabaseProcess.datadir(data)));
  }

  /** The accounts are created once, with the system tables, and thus are in no binary log. */
  @Override
  public void initialize(DatabaseProcess.Settings settings, Path aside) throws IOException {
    Path script = settings.directory().resolve("account.sql");
    FileTrees.writePrivate(script, accounts(settings));
    DatabaseProcess.runToEnd(
        settings,
        CREATE_SYSTEM_TABLES,
        program(settings.directory(), aside),
        List.of("--initialize-insecure", "--init-file=" + script),
        null);
    Files.delete(script);
  }

  @Override
  public void prepare(DatabaseProcess.Settings settings) {
    // Everything is created with the system tables.
  }

  @Override
  public List<String> arguments(DatabaseProcess.Settings settings, int port) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--bind-address=127.0.0.1",
                "--port=" + port,
                "--socket=",
                "--mysqlx=OFF",
                "--skip-name-resolve",
                "--max-connections=300",
                "--max-allowed-packet=64M",
                "--transaction-isolation=READ-COMMITTED",
                "--innodb-buffer-pool-size=" + settings.bufferPool(),
                "--innodb-redo-log-capacity=256M",
                "--innodb-flush-log-at-trx-commit=1",
                "--sync-binlog=1",
                "--log-bin=binlog",
                "--binlog-expire-logs-seconds=86400"));
    DatabaseProcess.@Nullable Replication replication = settings.replication();
    if (replication == null) {
      arguments.add("--server-id=1");
      return arguments;
    }
    arguments.addAll(
        List.of(
            "--server-id=" + replication.serverId(),
            "--gtid-mode=ON",
            "--enforce-gtid-consistency=ON",
            "--super-read-only=ON",
            "--report-host=127.0.0.1",
            "--report-port=" + port));
    arguments.addAll(
        switch (replication.topology()) {
          case SOURCE_REPLICA -> replicated();
          case GROUP -> grouped();
        });
    return arguments;
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

  private static List<String> grouped() {
    return List.of(
        "--plugin-load-add=group_replication.so",
        "--loose-group-replication-start-on-boot=OFF",
        "--loose-group-replication-message-cache-size=" + (128 << 20));
  }

  private static String accounts(DatabaseProcess.Settings settings) {
    String user = "'" + DatabaseProcess.USER + "'@'127.0.0.1'";
    List<String> statements =
        new ArrayList<>(
            List.of(
                "CREATE DATABASE rns;",
                "CREATE USER " + user + " IDENTIFIED BY '" + settings.password() + "';",
                "GRANT ALL ON rns.* TO " + user + ";"));
    DatabaseProcess.@Nullable Replication replication = settings.replication();
    if (replication != null) {
      String control = "'" + DatabaseProcess.CONTROL_USER + "'@'127.0.0.1'";
      statements.addAll(
          List.of(
              "CREATE USER " + control + " IDENTIFIED BY '" + replication.controlPassword() + "';",
              "GRANT REPLICATION SLAVE, REPLICATION CLIENT, REPLICATION_SLAVE_ADMIN, GROUP_REPLICATION_ADMIN,"
                  + " GROUP_REPLICATION_STREAM, SYSTEM_VARIABLES_ADMIN, TRANSACTION_GTID_TAG, CONNECTION_ADMIN,"
                  + " SYSTEM_USER, PROCESS, RELOAD ON *.* TO " + control + ";",
              "GRANT SELECT ON performance_schema.* TO " + control + ";",
              "GRANT ALL ON rns.* TO " + control + ";"));
    }
    return String.join("\n", statements) + "\n";
  }

  @Override
  public String parameters() {
    return "?sslMode=DISABLED&allowPublicKeyRetrieval=true";
  }

  @Override
  public String log() {
    return "mysqld.log";
  }
}
