package io.rns.loadtest.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThatCode;

import io.rns.loadtest.group.FaultyDisks.State;
import io.rns.loadtest.group.ServerGroup.Member;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** With a small program that writes like a database. */
@Timeout(60)
class FaultyDisksTest {
  private static final Member MEMBER = new Member(0, "server-1", URI.create("http://127.0.0.1:8080/rns"), 0, 0);

  @TempDir private Path group;
  private FaultyDisks disks;
  private Path data;
  private Process writer;
  private BufferedReader steps;

  @BeforeEach
  void start() throws IOException {
    assumeThatCode(() -> new ProcessBuilder("gcc", "--version").start().onExit().join()).doesNotThrowAnyException();
    disks = new FaultyDisks(group);
    data = Files.createDirectories(group.resolve("server-1/database/data"));
    Map<String, String> environment = disks.install();
    try (InputStream source = Objects.requireNonNull(getClass().getResourceAsStream("disk-writer.c"))) {
      Files.copy(source, group.resolve("disk-writer.c"));
    }
    Process gcc =
        new ProcessBuilder("gcc", "-w", "-o", "disk-writer", "disk-writer.c").directory(group.toFile()).inheritIO()
            .start();
    assertThat(gcc.onExit().join().exitValue()).isZero();
    disks.set(MEMBER, State.OFF, true);
    ProcessBuilder builder =
        new ProcessBuilder(group.resolve("disk-writer").toString(), data.toString(),
            "--datadir=" + group.toRealPath().resolve("server-1/database/data"));
    builder.environment().putAll(environment);
    writer = builder.start();
    steps = writer.inputReader();
  }

  @AfterEach
  void kill() {
    if (writer != null) {
      writer.destroyForcibly().onExit().join();
    }
  }

  private String next() {
    try {
      writer.outputWriter().write("\n");
      writer.outputWriter().flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return line();
  }

  private String line() {
    try {
      return steps.readLine();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void whatWasNotSyncedIsGoneAndWhatWasIsThere() {
    disks.set(MEMBER, State.OFF, false);
    assertThat(line()).isEqualTo("written");
    kill();
    assertThat(disks.lose(MEMBER)).isEqualTo(4 + 3 + 7 + 6);
    assertThat(
        List.of("binlog.000001", "relay.000001", "relay.000002", "relay.000003", "relay.000004", "ibdata1").stream()
            .map(name -> read(data.resolve(name))))
        .containsExactly("1234", "123456", "12", "123456", "", "123456");
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aFullDiskTakesNoMoreButIsOverwritten() throws IOException {
    disks.set(MEMBER, State.OFF, false);
    assertThat(line()).isEqualTo("written");
    disks.set(MEMBER, State.FULL, true);
    assertThat(next()).isEqualTo("No space left on device");
    assertThat(next()).isEqualTo("done");
    assertThat(Files.size(data.resolve("binlog.000001"))).isEqualTo(8);
  }

  @Test
  void nothingIsSyncedDuringAStall() {
    disks.set(MEMBER, State.OFF, false);
    assertThat(line()).isEqualTo("written");
    assertThat(next()).isEqualTo("done");
    assertThat(next()).isEqualTo("done");
    disks.set(MEMBER, State.STALL, true);
    CompletableFuture<String> synced = CompletableFuture.supplyAsync(this::next);
    assertThat(synced).failsWithin(200, TimeUnit.MILLISECONDS);
    disks.set(MEMBER, State.STALL, false);
    assertThat(synced).succeedsWithin(10, TimeUnit.SECONDS).isEqualTo("done");
  }

  @Test
  void nothingStartsWithoutPower() {
    CompletableFuture<String> first = CompletableFuture.supplyAsync(this::line);
    assertThat(first).failsWithin(200, TimeUnit.MILLISECONDS);
    disks.set(MEMBER, State.OFF, false);
    assertThat(first).succeedsWithin(10, TimeUnit.SECONDS).isEqualTo("written");
  }
}
