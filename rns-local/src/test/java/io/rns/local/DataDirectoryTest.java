package io.rns.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.replication.Topology;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataDirectoryTest {
  @TempDir Path temporary;

  @Test
  void isAccessibleOnlyToItsOwner() throws IOException {
    DataDirectory data = DataDirectory.create(temporary.resolve("a/data"));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data.root()))).isEqualTo("rwx------");
    data.password();
    Path file = data.root().resolve("database.password");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-------");
  }

  @Test
  void keepsItsPassword() {
    DataDirectory data = DataDirectory.create(temporary);
    assertThat(data.password()).hasSize(24).isEqualTo(data.password());
    assertThat(DataDirectory.create(temporary.resolve("b")).password()).isNotEqualTo(data.password());
  }

  @Test
  void isLockedByOneSupervisor() {
    DataDirectory data = DataDirectory.create(temporary);
    try (DataDirectory.Lock lock = data.tryLock().orElseThrow()) {
      assertThat(lock.channel().isOpen()).isTrue();
      assertThat(data.tryLock()).isEmpty();
    }
    data.tryLock().orElseThrow().close();
  }

  @Test
  void belongsToOneServerOrToAGroupOfFixedSize() throws IOException {
    DataDirectory group = DataDirectory.create(temporary.resolve("group"));
    group.requireNoGroup();
    assertThat(group.replicas()).isEmpty();
    group.requireGroup(2, LocalDatabases.EMBEDDED);
    group.requireGroup(2, LocalDatabases.EMBEDDED);
    assertThat(group.replicas()).hasValue(2);
    assertThat(group.members()).isEmpty();
    DataDirectory third = group.member(3);
    assertThat(group.members()).containsExactly(third);
    assertThatThrownBy(() -> group.requireGroup(1, LocalDatabases.EMBEDDED))
        .hasMessageContaining(
            "a group with 2 replicas, not 1; start it with: ./rns up --replicas 2 --data " + group.root());
    assertThatThrownBy(group::requireNoGroup).hasMessageContaining("./rns up --replicas 2 --data " + group.root());

    DataDirectory single = DataDirectory.create(temporary.resolve("single"));
    Files.createDirectory(single.database());
    single.requireNoGroup();
    assertThatThrownBy(() -> single.requireGroup(2, LocalDatabases.EMBEDDED))
        .hasMessageContaining("has the data of a single server");
    assertThat(single.replicas()).isEmpty();
  }

  @Test
  void keepsTheDatabasesOfAGroup() {
    LocalDatabases grouped = new LocalDatabases(Path.of("/mysql"), Topology.GROUP);
    DataDirectory group = DataDirectory.create(temporary.resolve("mysql"));
    group.requireGroup(2, grouped);
    group.requireGroup(2, new LocalDatabases(Path.of("/another/mysql"), Topology.GROUP));
    assertThatThrownBy(() -> group.requireGroup(2, LocalDatabases.EMBEDDED))
        .hasMessageContaining(
            "other databases; start it with: ./rns up --replicas 2 --engine mysql --topology group --data "
                + group.root());
    assertThatThrownBy(() -> group.requireGroup(1, grouped))
        .hasMessageContaining("--replicas 2 --engine mysql --topology group");
    DataDirectory embedded = DataDirectory.create(temporary.resolve("mariadb"));
    embedded.requireGroup(1, LocalDatabases.EMBEDDED);
    assertThatThrownBy(() -> embedded.requireGroup(1, grouped))
        .hasMessageContaining("start it with: ./rns up --replicas 1 --data " + embedded.root());
  }

  @Test
  void isTakenFromTheEnvironment() {
    assertThat(DataDirectory.usual(Map.of("RNS_DATA", "/d"))).isEqualTo(Path.of("/d"));
    assertThat(DataDirectory.usual(Map.of())).isEqualTo(Path.of(System.getProperty("user.home"), ".rns"));
  }
}
