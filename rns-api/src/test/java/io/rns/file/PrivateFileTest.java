package io.rns.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class PrivateFileTest {
  @TempDir private Path directory;
  private PrivateFile file = new PrivateFile(Path.of(""));

  @BeforeEach
  void name() {
    file = new PrivateFile(directory.resolve("secret"));
  }

  private String permissions() throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file.path()));
  }

  @Test
  void isReadableByItsOwnerOnly() throws IOException {
    assertThat(file.isOwn()).isFalse();
    file.write("one");
    assertThat(permissions()).isEqualTo("rw-------");
    assertThat(file.isOwn()).isTrue();
    Files.setPosixFilePermissions(file.path(), PosixFilePermissions.fromString("rw-r--r--"));
    file.write("two");
    assertThat(permissions()).isEqualTo("rw-------");
    assertThat(file.path()).hasContent("two");
    try (var files = Files.list(directory)) {
      assertThat(files).containsExactly(file.path());
    }
  }

  @Test
  void replacingKeepsWhatOwnerAndGroupMay() throws IOException {
    file.createIfAbsent();
    assertThat(permissions()).isEqualTo("rw-------");
    Files.setPosixFilePermissions(file.path(), PosixFilePermissions.fromString("rw-r--rw-"));
    try (PrivateFile.Lock lock = file.lock(Duration.ZERO).orElseThrow()) {
      lock.replace("two");
    }
    assertThat(permissions()).isEqualTo("rw-r-----");
    assertThat(file.path()).hasContent("two");
  }

  @Test
  void linksAreNotFollowed() throws IOException {
    Path target = Files.writeString(directory.resolve("target"), "kept");
    Path unused = Files.createSymbolicLink(file.path(), target);
    assertThat(file.isOwn()).isFalse();
    assertThatThrownBy(() -> file.lock(Duration.ZERO)).isInstanceOf(IOException.class);
    file.createIfAbsent();
    assertThat(Files.isSymbolicLink(file.path())).isTrue();
    file.write("one");
    assertThat(target).hasContent("kept");
    assertThat(file.isOwn()).isTrue();
  }

  @Test
  void whatCannotBeWrittenStaysAsItWas() throws IOException {
    Path unused = Files.createDirectories(file.path().resolve("full"));
    assertThatThrownBy(() -> file.write("one")).isInstanceOf(IOException.class);
    try (var files = Files.list(directory)) {
      assertThat(files).containsExactly(file.path());
    }
    assertThatThrownBy(() -> new PrivateFile(directory.resolve("none/secret")).write("one"))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void oneAtATimeChangesIt() throws Exception {
    assertThatThrownBy(() -> file.lock(Duration.ZERO)).isInstanceOf(NoSuchFileException.class);
    file.write("0");
    ExecutorService threads = Executors.newFixedThreadPool(4);
    List<Future<?>> changes = new ArrayList<>();
    try {
      for (int i = 0; i < 4; i++) {
        changes.add(threads.submit(() -> {
          for (int n = 0; n < 25; n++) {
            try (PrivateFile.Lock lock = file.lock(Duration.ofSeconds(50)).orElseThrow()) {
              lock.write(Integer.toString(Integer.parseInt(lock.read(9)) + 1));
            }
          }
          return null;
        }));
      }
      for (Future<?> change : changes) {
        change.get(50, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(file.path()).hasContent("100");
  }

  @Test
  void whatIsReadReplacedOrTriedTwiceStaysLockedForOtherProcesses() throws Exception {
    file.write("one");
    try (PrivateFile.Lock lock = file.lock(Duration.ZERO).orElseThrow()) {
      assertThat(lock.read(3)).isEqualTo("one");
      assertThat(file.lock(Duration.ofMillis(40))).isEmpty();
      assertThat(isFreeForOthers()).isFalse();
      lock.write("another");
      assertThat(isFreeForOthers()).isFalse();
      assertThatThrownBy(() -> lock.read(6)).hasMessageContaining("has 7 bytes; allowed are 6");
    }
    assertThat(isFreeForOthers()).isTrue();
  }

  private boolean isFreeForOthers() throws IOException, InterruptedException {
    Process other =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
            System.getProperty("java.class.path"), Other.class.getName(), file.path().toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String free = new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(other.waitFor()).isZero();
    return Boolean.parseBoolean(free);
  }

  /** Another process, which says whether it can lock a file. */
  static final class Other {
    public static void main(String[] arguments) throws IOException {
      try (PrivateFile.Lock lock = new PrivateFile(Path.of(arguments[0])).lock(Duration.ZERO).orElse(null)) {
        System.out.print(lock != null);
      }
    }
  }
}
