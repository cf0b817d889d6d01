package io.rns.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The MariaDB from the embedded jar.
 *
 * @param binaries its unpacked program
 */
record MariaDbEngine(DatabaseBinaries binaries) implements DatabaseEngine {
  private static final String RELAY_LOG = "--relay-log=relay";
  private static final String FORGET_REPLICATION =
      """
      STOP ALL SLAVES;
      RESET SLAVE ALL;
      RESET MASTER;
      SET GLOBAL gtid_slave_pos = '';
      SHUTDOWN;
      """;

  static MariaDbEngine unpack(Path cache, Consumer<String> progress) {
    return new MariaDbEngine(DatabaseBinaries.unpack(cache, progress));
  }

  @Override
  public List<String> program(Path home, Path data) {
    List<String> command = new ArrayList<>();
    command.add(binaries.program().toString());
    command.add("--no-defaults");
    command.add("--basedir=" + binaries.directory());
    command.add(DatabaseProcess.datadir(data));
    command.add("--lc-messages-dir=" + binaries.messages());
    command.add("--tmpdir=" + home);
    command.add("--innodb-log-file-size=256M");
    return command;
  }

  @Override
  public void initialize(DatabaseProcess.Settings settings, Path aside) throws IOException {
    Path statements = settings.directory().resolve("system-tables.sql");
    StringBuilder sql = new StringBuilder("CREATE DATABASE mysql;\nUSE mysql;\n");
    // The administrator is the operating system user, through a socket that is not opened: there is no password to
    // leak.
    sql.append("SET @auth_root_socket='root';\n");
    for (Path part : binaries.systemTables()) {
      sql.append(Files.readString(part)).append('\n');
    }
    Files.writeString(statements, sql);
    DatabaseProcess.runToEnd(
        settings,
        CREATE_SYSTEM_TABLES,
        program(settings.directory(), aside),
        List.of("--bootstrap", "--log-warnings=0", "--enforce-storage-engine=", "--max-allowed-packet=8M"),
        statements);
    Files.delete(statements);
  }

  /** The accounts are re-created at each start. */
  @Override
  public void prepare(DatabaseProcess.Settings settings) throws IOException {
    BinaryLogFiles log = new BinaryLogFiles(settings.data());
    if (settings.writesBinaryLog()) {
      log.begin();
    } else {
      if (log.exists()) {
        finishLog(settings);
      }
      log.delete();
    }
    FileTrees.writePrivate(script(settings), accounts(settings));
  }

  /**
   * Runs the server with its binary log once more: after a crash only the log shows which prepared transactions were
   * committed. Without it the server does not start. Its place in a replicated set is forgotten as well.
   */
  private void finishLog(DatabaseProcess.Settings settings) throws IOException {
    FileTrees.writePrivate(script(settings), FORGET_REPLICATION);
    List<String> arguments = arguments(settings.withBinaryLog(true), 0);
    arguments.addAll(List.of("--skip-networking", RELAY_LOG));
    DatabaseProcess.runToEnd(
        settings, "finish its binary log", program(settings.directory(), settings.data()), arguments, null);
  }

  @Override
  public List<String> arguments(DatabaseProcess.Settings settings, int port) {
    List<String> arguments =
        new ArrayList<>(
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
                "--skip-slave-start",
                "--server-id=1"));
    arguments.addAll(settings.writesBinaryLog() ? logged() : List.of("--skip-log-bin"));
    DatabaseProcess.@Nullable Replication replication = settings.replication();
    if (replication != null) {
      arguments.addAll(replicated(replication.serverId()));
    }
    return arguments;
  }

  private static List<String> logged() {
    return List.of(
        "--log-bin=" + BinaryLogFiles.NAME,
        "--sync-binlog=1",
        "--binlog-format=ROW",
        "--binlog-expire-logs-seconds=86400");
  }

  /** For one source whose commits wait for a replica; roles are assigned at run time. */
  private static List<String> replicated(int serverId) {
    return List.of(
        "--server-id=" + serverId,
        "--read-only=ON",
        "--log-slave-updates=ON",
        "--gtid-domain-id=0",
        "--gtid-strict-mode=ON",
        RELAY_LOG,
        "--relay-log-recovery=ON",
        "--master-retry-count=0",
        "--slave-net-timeout=5",
        "--rpl-semi-sync-slave-enabled=ON",
        "--rpl-semi-sync-slave-kill-conn-timeout=1",
        "--rpl-semi-sync-master-wait-point=AFTER_SYNC",
        "--rpl-semi-sync-master-wait-no-slave=ON");
  }

  /** Accounts stay out of the binary log of a replicated set: each member creates its own. */
  private static String accounts(DatabaseProcess.Settings settings) {
    List<String> statements = new ArrayList<>();
    DatabaseProcess.@Nullable Replication replication = settings.replication();
    if (replication != null) {
      statements.add("SET SESSION sql_log_bin = 0;");
    }
    String user = "'" + DatabaseProcess.USER + "'@'127.0.0.1'";
    statements.addAll(
        List.of(
            "CREATE DATABASE IF NOT EXISTS rns CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;",
            "CREATE USER IF NOT EXISTS " + user + ";",
            "ALTER USER " + user + " IDENTIFIED BY '" + settings.password() + "';",
            "GRANT ALL ON rns.* TO " + user + ";"));
    if (replication != null) {
      String control = "'" + DatabaseProcess.CONTROL_USER + "'@'127.0.0.1'";
      statements.addAll(
          List.of(
              "CREATE USER IF NOT EXISTS " + control + ";",
              "ALTER USER " + control + " IDENTIFIED BY '" + replication.controlPassword() + "';",
              "GRANT REPLICATION SLAVE, REPLICATION SLAVE ADMIN, REPLICATION MASTER ADMIN, SLAVE MONITOR, BINLOG MONITOR,"
                  + " BINLOG ADMIN, READ_ONLY ADMIN, CONNECTION ADMIN, PROCESS, RELOAD ON *.* TO " + control + ";",
              "GRANT ALL ON rns.* TO " + control + ";"));
    }
    return String.join("\n", statements) + "\n";
  }

  private static Path script(DatabaseProcess.Settings settings) {
    return settings.directory().resolve("account.sql");
  }

  @Override
  public String parameters() {
    return "?sslMode=DISABLED";
  }

  @Override
  public String log() {
    return "mariadb.log";
  }
}
