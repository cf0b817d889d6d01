package io.rns.loadtest.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LoadtestEnvironmentTest {
  @Test
  void takesTheDataDirectoryOfTheEnvironment() {
    assertThat(LoadtestEnvironment.dataOf(Map.of("RNS_DATA", "/srv/rns"))).isEqualTo(Path.of("/srv/rns"));
    assertThat(LoadtestEnvironment.dataOf(Map.of())).endsWithRaw(Path.of(".rns"));
  }
}
