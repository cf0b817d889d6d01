package io.rns.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.replication.Topology;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** MySQL as unpacked by docker/mysql-debian.sh. */
class MySqlEngineTest {
  @TempDir Path root;

  private MySqlEngine unpacked() throws IOException {
    Path program = Files.createDirectories(root.resolve("usr/sbin")).resolve("mysqld");
    Files.writeString(program, "");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.writeString(Files.createDirectories(root.resolve("usr/lib/x86_64-linux-gnu")).resolve("ld-linux-x86-64.so.2"),
        "");
    return MySqlEngine.in(root);
  }

  @Test
  void errorsSayHowToInstallIt() {
    assertThatThrownBy(() -> MySqlEngine.in(root))
        .isInstanceOf(LocalServiceException.class)
        .hasMessageContaining(root.toString())
        .hasMessageContaining("docker/mysql-debian.sh install")
        .hasMessageContaining("RNS_MYSQL");
  }

  @Test
  void runsWithItsOwnLoaderAndOnlyOurSettings() throws IOException {
    Path data = root.resolve("data");
    assertThat(unpacked().program(root, data))
        .startsWith(root.resolve("usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2").toString())
        .containsSubsequence(root.resolve("usr/sbin/mysqld").toString(), "--no-defaults", "--datadir=" + data);
  }

  @Test
  void startsReadOnlyAndStandaloneInEitherTopology() throws IOException {
    assertThat(arguments(Topology.SOURCE_REPLICA))
        .contains("--super-read-only=ON", "--server-id=3", "--skip-replica-start=ON", "--report-port=3307",
            "--sync-relay-log=1", "--relay-log-recovery=OFF", "--binlog-transaction-compression=ON")
        .noneMatch(argument -> argument.contains("group_replication"));
    assertThat(arguments(Topology.GROUP))
        .contains("--super-read-only=ON", "--server-id=3", "--loose-group-replication-start-on-boot=OFF",
            "--report-port=3307")
        .noneMatch(argument -> argument.contains("semisync"));
  }

  private List<String> arguments(Topology topology) throws IOException {
    DatabaseProcess.Settings settings =
        DatabaseProcess.Settings.in(root.resolve("home"))
            .withReplication(new DatabaseProcess.Replication(topology, 3, "control"));
    return unpacked().arguments(settings, 3_307);
  }

  @Test
  void isFoundInTheScriptsDirectory() {
    assertThat(LocalInstallation.mySql(Map.of("RNS_MYSQL", "/mysql", "XDG_CACHE_HOME", "/x")))
        .isEqualTo(Path.of("/mysql"));
    assertThat(LocalInstallation.mySql(Map.of("XDG_CACHE_HOME", "/x"))).isEqualTo(Path.of("/x/rns/mysql-debian"));
    assertThat(LocalInstallation.mySql(Map.of()))
        .isEqualTo(Path.of(System.getProperty("user.home"), ".cache/rns/mysql-debian"));
  }
}
