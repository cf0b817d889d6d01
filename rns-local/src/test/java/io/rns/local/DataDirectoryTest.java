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
    group.requireGroups(1, 2, LocalDatabases.EMBEDDED);
    group.requireGroups(1, 2, LocalDatabases.EMBEDDED);
    assertThat(group.replicas()).hasValue(2);
    assertThat(group.members()).isEmpty();
    DataDirectory third = group.member(3);
    assertThat(group.members()).containsExactly(third);
    assertThatThrownBy(() -> group.requireGroups(1, 1, LocalDatabases.EMBEDDED))
        .hasMessageContaining(
            "a group with 2 replicas, not 1; start it with: ./rns up --replicas 2 --data " + group.root());
    assertThatThrownBy(group::requireNoGroup).hasMessageContaining("./rns up --replicas 2 --data " + group.root());

  }

  @Test
  void groupsMayOnlyBeAdded() throws IOException {
    DataDirectory data = single("growing");
    assertThat(data.groups()).isEqualTo(1);
    assertThat(data.requireGroups(2, 0, LocalDatabases.EMBEDDED)).as("was a single server's").isTrue();
    assertThat(data.member(1).database().resolve("rows")).hasContent("all");
    assertThat(data.groups()).isEqualTo(2);
    DataDirectory second = data.member(2);
    assertThat(data.members()).containsExactly(data.member(1), second);
    assertThatThrownBy(data::requireNoGroup)
        .hasMessage(
            data.root() + " has the data of 2 groups of servers; start it with: ./rns up --groups 2 --data "
                + data.root());
    assertThat(data.requireGroups(3, 0, LocalDatabases.EMBEDDED)).isFalse();
    assertThatThrownBy(() -> data.requireGroups(2, 0, LocalDatabases.EMBEDDED))
        .hasMessage(
            data.root() + " has the data of 3 groups, not 2; start it with: ./rns up --groups 3 --data "
                + data.root());
    assertThatThrownBy(() -> data.requireGroups(3, 1, LocalDatabases.EMBEDDED))
        .hasMessage(
            data.root() + " has the data of groups with 0 replicas, not 1; start it with: ./rns up --groups 3 --data "
                + data.root());
  }

  @Test
  void aGroupWithReplicasGetsOthersOfItsSize() {
    DataDirectory data = DataDirectory.create(temporary.resolve("group"));
    data.requireGroups(1, 1, LocalDatabases.EMBEDDED);
    assertThatThrownBy(() -> data.requireGroups(2, 0, LocalDatabases.EMBEDDED))
        .hasMessageContaining(
            "a group with 1 replicas, not 0; start it with: ./rns up --groups 2 --replicas 1 --data " + data.root());
    assertThat(data.groups()).isEqualTo(1);
    data.requireGroups(2, 1, LocalDatabases.EMBEDDED);
    DataDirectory last = data.member(4);
    assertThat(data.members()).containsExactly(last);
  }

  /** The number of groups counts only once it is a group's: until then a single server may still start. */
  @Test
  void growingMayBeInterrupted() throws IOException {
    DataDirectory data = single("growing");
    Files.writeString(data.root().resolve("group.count"), "2\n");
    data.requireNoGroup();
    assertThat(data.requireGroups(1, 1, LocalDatabases.EMBEDDED)).isTrue();
    assertThat(data.groups()).isEqualTo(1);
  }

  @Test
  void ofASingleServerBecomesAGroups() throws IOException {
    DataDirectory single = single("single");
    assertThat(single.requireGroups(1, 2, LocalDatabases.EMBEDDED)).isTrue();
    assertThat(single.replicas()).hasValue(2);
    assertThat(single.database()).doesNotExist();
    assertThat(single.glassFish()).doesNotExist();
    assertThat(single.member(1).database().resolve("rows")).hasContent("all");
    assertThat(single.requireGroups(1, 2, LocalDatabases.EMBEDDED)).as("the second time").isFalse();
    assertThatThrownBy(single::requireNoGroup).hasMessageContaining("has the data of a group of servers");
  }

  /** Until the database is moved, the directory is neither one's: a single server would start with an empty one. */
  @Test
  void goesOnToBecomeAGroupsAfterAnInterruption() throws IOException {
    DataDirectory single = single("single");
    Files.writeString(single.root().resolve("group.replicas"), "2\n");
    assertThatThrownBy(single::requireNoGroup).hasMessageContaining("./rns up --replicas 2 --data");
    assertThatThrownBy(() -> single.requireGroups(1, 1, LocalDatabases.EMBEDDED))
        .hasMessageContaining("2 replicas, not 1");
    assertThat(single.requireGroups(1, 2, LocalDatabases.EMBEDDED)).isTrue();
    assertThat(single.member(1).database().resolve("rows")).hasContent("all");
  }

  @Test
  void ofASingleServerIsNotMixedWithOthers() throws IOException {
    DataDirectory single = single("single");
    assertThatThrownBy(() -> single.requireGroups(1, 2, new LocalDatabases(Path.of("/mysql"), Topology.GROUP)))
        .hasMessage(
            single.root() + " has the data of a single server in an embedded MariaDB, which cannot become a group with"
                + " --engine mysql --topology group; choose another directory with --data, and restore a backup there");
    assertThat(single.replicas()).isEmpty();
    Files.createDirectory(single.member(1).database());
    assertThatThrownBy(() -> single.requireGroups(1, 2, LocalDatabases.EMBEDDED))
        .hasMessageContaining("of a single server (" + single.database() + ") and of a group (");
    assertThat(single.database().resolve("rows")).hasContent("all");
  }

  private DataDirectory single(String name) throws IOException {
    DataDirectory single = DataDirectory.create(temporary.resolve(name));
    Files.createDirectory(single.database());
    Files.writeString(single.database().resolve("rows"), "all");
    Files.createDirectory(single.glassFish());
    single.requireNoGroup();
    return single;
  }

  @Test
  void keepsTheDatabasesOfAGroup() {
    LocalDatabases grouped = new LocalDatabases(Path.of("/mysql"), Topology.GROUP);
    DataDirectory group = DataDirectory.create(temporary.resolve("mysql"));
    group.requireGroups(1, 2, grouped);
    group.requireGroups(1, 2, new LocalDatabases(Path.of("/another/mysql"), Topology.GROUP));
    assertThatThrownBy(() -> group.requireGroups(1, 2, LocalDatabases.EMBEDDED))
        .hasMessageContaining(
            "other databases; start it with: ./rns up --replicas 2 --engine mysql --topology group --data "
                + group.root());
    assertThatThrownBy(() -> group.requireGroups(1, 1, grouped))
        .hasMessageContaining("--replicas 2 --engine mysql --topology group");
    DataDirectory embedded = DataDirectory.create(temporary.resolve("mariadb"));
    embedded.requireGroups(1, 1, LocalDatabases.EMBEDDED);
    assertThatThrownBy(() -> embedded.requireGroups(1, 1, grouped))
        .hasMessageContaining("start it with: ./rns up --replicas 1 --data " + embedded.root());
  }

  @Test
  void ofAClosedServiceHasTheAuditLogUnlessTheEnvironmentSaysWhereOrNone() {
    DataDirectory closed = DataDirectory.create(temporary.resolve("closed"));
    closed.secure();
    assertThat(closed.accessSettings(Map.of()))
        .containsEntry("RNS_AUDIT", closed.root().resolve("audit/{name}").toString());
    assertThat(closed.accessSettings(Map.of("RNS_AUDIT", "/elsewhere"))).containsEntry("RNS_AUDIT", "/elsewhere");
    assertThat(closed.accessSettings(Map.of("RNS_AUDIT", "", "RNS_ACCESS", "open")))
        .containsEntry("RNS_AUDIT", "")
        .containsEntry("RNS_ACCESS", "closed");
  }

  @Test
  void isOpenOnlyIfItWasNeverClosedAndTheEnvironmentDoesNotSayMore() {
    DataDirectory directory = DataDirectory.create(temporary.resolve("open"));
    Map<String, String> open = Map.of("RNS_ACCESS", "open");
    assertThat(directory.accessSettings(Map.of())).isEqualTo(open);
    assertThat(directory.accessSettings(Map.of("RNS_AUDIT", "/a", "RNS_CONFIG", ""))).isEqualTo(open);
    assertThat(directory.accessSettings(Map.of("RNS_ACCESS", ""))).isEmpty();
    assertThat(directory.accessSettings(Map.of("RNS_CONFIG", "/etc/rns.properties"))).isEmpty();
    directory.secure();
    assertThat(directory.accessSettings(open)).containsEntry("RNS_ACCESS", "closed");
  }

  @Test
  void isTakenFromTheEnvironment() {
    assertThat(DataDirectory.usual(Map.of("RNS_DATA", "/d"))).isEqualTo(Path.of("/d"));
    assertThat(DataDirectory.usual(Map.of())).isEqualTo(Path.of(System.getProperty("user.home"), ".rns"));
  }
}
