package io.rns.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ServerConfigTest {
  @Test
  void theTableOfSettingsInTheDocumentationIsTheOneInTheCode() throws IOException {
    List<String> documented = new ArrayList<>();
    for (String line : Files.readAllLines(Path.of("..", "docs", "operations.md"))) {
      if (line.startsWith("| `RNS_")) {
        documented.add(line.substring(0, line.lastIndexOf('|', line.length() - 2)).trim());
      }
    }
    List<String> coded = new ArrayList<>();
    for (Knob knob : Knob.values()) {
      String initial = knob.initial().isEmpty() ? "" : "`" + knob.initial() + "` ";
      coded.add(
          String.format(
              "| `%s` | %s | %s| %d to %d",
              knob, knob.unit().name().toLowerCase(Locale.ROOT), initial, knob.minimum(), knob.maximum()));
    }
    assertThat(documented).isEqualTo(coded);
  }

  @ParameterizedTest
  @EnumSource(Knob.class)
  void aValueAtItsBoundsIsTakenAndOneBeyondIsRefused(Knob knob) {
    if (knob.unit() == Knob.Unit.TEXT) {
      String longest = "jdbc:mysql:".concat("x".repeat((int) knob.maximum())).substring(0, (int) knob.maximum());
      ServerConfig.read(Map.of(knob.name(), longest));
      refused(knob, longest + "x");
    } else {
      ServerConfig.read(Map.of(knob.name(), Long.toString(knob.minimum())));
      ServerConfig.read(Map.of(knob.name(), Long.toString(knob.maximum())));
      refused(knob, Long.toString(knob.minimum() - 1));
      refused(knob, Long.toString(knob.maximum() + 1));
      refused(knob, "many");
    }
  }

  private static void refused(Knob knob, String value) {
    assertThatThrownBy(() -> ServerConfig.read(Map.of(knob.name(), value)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(knob.name());
  }

  @Test
  void aVariableWinsOverTheFile(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("rns.properties");
    Files.writeString(file, "RNS_DB_USER=filed\nRNS_WRITE_BATCH=7\n");
    ServerConfig config = ServerConfig.read(Map.of("RNS_CONFIG", file.toString(), "RNS_DB_USER", "set"));
    assertThat(config.database().user()).isEqualTo("set");
    assertThat(config.writer().batchRequests()).isEqualTo(7);
  }

  @Test
  void anUnknownNameInTheFileIsRefused(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("rns.properties");
    Files.writeString(file, "RNS_DB_USR=x\n");
    assertThatThrownBy(() -> ServerConfig.read(Map.of("RNS_CONFIG", file.toString())))
        .hasMessageContaining("RNS_DB_USR");
  }

  @Test
  void thePasswordIsNotShown() {
    ServerConfig config =
        ServerConfig.read(Map.of("RNS_DB_PASSWORD", "secret", "RNS_DB_URL", "jdbc:mysql://h/d?password=secret"));
    assertThat(config.database().toString()).doesNotContain("secret");
  }
}
