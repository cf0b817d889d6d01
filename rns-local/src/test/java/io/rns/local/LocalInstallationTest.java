package io.rns.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalInstallationTest {
  @Test
  void isFoundFromAnyLocationOfTheClasses() {
    Path staged = Path.of("/r/rns-local/target/local");
    assertThat(LocalInstallation.staged(staged.resolve("lib/rns-local.jar"))).isEqualTo(staged);
    assertThat(LocalInstallation.staged(Path.of("/r/rns-local/target/classes"))).isEqualTo(staged);
    assertThat(LocalInstallation.staged(Path.of("/r/rns-local/target/rns-local.jar"))).isEqualTo(staged);
  }

  @Test
  void cachesInTheConfiguredDirectory() {
    assertThat(LocalInstallation.cache(Map.of("RNS_CACHE", "/c", "XDG_CACHE_HOME", "/x"))).isEqualTo(Path.of("/c"));
    assertThat(LocalInstallation.cache(Map.of("RNS_CACHE", " ", "XDG_CACHE_HOME", "/x"))).isEqualTo(Path.of("/x/rns"));
    assertThat(LocalInstallation.cache(Map.of())).endsWithRaw(Path.of(".cache/rns"));
  }

  @Test
  void errorsSayHowToBuild(@TempDir Path empty) {
    LocalInstallation installation = new LocalInstallation(empty.resolve("local"), empty);
    assertThatThrownBy(installation::glassFish)
        .isInstanceOf(LocalServiceException.class)
        .hasMessageContaining("local/glassfish8")
        .hasMessageContaining("mvn");
  }
}
