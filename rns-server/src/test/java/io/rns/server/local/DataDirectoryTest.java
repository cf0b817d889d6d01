package io.rns.server.local;

import static org.assertj.core.api.Assertions.assertThat;

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
  void isTheOwnersOnly() throws IOException {
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
  void isForOneSupervisor() {
    DataDirectory data = DataDirectory.create(temporary);
    try (DataDirectory.Lock lock = data.tryLock().orElseThrow()) {
      assertThat(lock.channel().isOpen()).isTrue();
      assertThat(data.tryLock()).isEmpty();
    }
    data.tryLock().orElseThrow().close();
  }

  @Test
  void isAskedForInTheEnvironment() {
    assertThat(DataDirectory.usual(Map.of("RNS_DATA", "/d"))).isEqualTo(Path.of("/d"));
    assertThat(DataDirectory.usual(Map.of())).isEqualTo(Path.of(System.getProperty("user.home"), ".rns"));
  }
}
