package io.rns.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogFileTest {
  @TempDir Path temporary;

  @Test
  void showsOnlyThisRun() throws IOException {
    Path file = Files.writeString(temporary.resolve("x.log"), "former: ready\n");
    LogFile log = LogFile.open(file);
    assertThat(log.isEmpty()).isTrue();
    assertThat(log.contains("ready")).isFalse();
    Files.writeString(file, "one\n\ntwo\nready\n", StandardOpenOption.APPEND);
    assertThat(log.contains("ready")).isTrue();
    assertThat(log.tail(2)).isEqualTo("\nEnd of " + file + ":\n  two\n  ready");
  }

  @Test
  void showsATruncatedFile() throws IOException {
    Path file = Files.writeString(temporary.resolve("x.log"), "a long line of an earlier run\n");
    LogFile log = LogFile.open(file);
    Files.writeString(file, "anew\n");
    assertThat(log.lines()).containsExactly("anew");
  }

  @Test
  void rotatesALargeFile() throws IOException {
    Path file = temporary.resolve("x.log");
    Files.write(file, new byte[(16 << 20) + 1]);
    LogFile.open(file);
    assertThat(file).doesNotExist();
    assertThat(temporary.resolve("x.log.1")).exists();
  }
}
