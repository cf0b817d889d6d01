package io.rns.server.access;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rns.access.AccessLine;
import io.rns.api.Caller;
import io.rns.api.RnsPath;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of lines on their way to the disk. */
@Timeout(120)
class AccessLogTest {
  private static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-01-02T03:04:05Z"));

  @TempDir private Path directory;

  private AccessLog start(Path file, long bytes, int files) throws IOException {
    return AccessLog.start(new LineLogSettings(file, bytes, files), CLOCK, () -> 0);
  }

  private static void watch(AccessLog log, int number) {
    log.watched(RnsPath.parse("/e" + number), "s", Caller.ANONYMOUS, AccessLine.OK);
  }

  private static List<String> paths(Path file) throws IOException {
    return Files.readAllLines(file).stream()
        .filter(line -> !line.startsWith("#"))
        .map(line -> AccessLine.parse(line).path())
        .toList();
  }

  @Test
  void aLogBeginsWithItsHeadAndIsContinued() throws IOException {
    Path file = directory.resolve("access.log");
    for (int run = 0; run < 2; run++) {
      try (AccessLog log = start(file, 1 << 20, 4)) {
        watch(log, run);
      }
    }
    String line = "2026-01-02T03:04:05.000000Z\ts\t-\twatch\t/e%d\t-\tok\t0";
    assertThat(Files.readAllLines(file))
        .containsExactly(AccessLine.HEADER, AccessLine.COLUMNS, String.format(line, 0), String.format(line, 1));
  }

  @Test
  void whatAKilledServerLeftHalfIsALineOfItsOwn() throws IOException {
    Path file = Files.writeString(directory.resolve("access.log"), AccessLine.HEADER + "\n2026-01-02T0");
    try (AccessLog log = start(file, 1 << 20, 4)) {
      watch(log, 7);
    }
    assertThat(Files.readAllLines(file)).hasSize(3).contains("2026-01-02T0");
  }

  @Test
  void fullFilesArePutAsideAndTheOldestGoes() throws IOException {
    Path file = directory.resolve("access.log");
    for (int run = 0; run < 40; run++) {
      try (AccessLog log = start(file, 300, 3)) {
        watch(log, run);
      }
    }
    List<String> kept = new ArrayList<>();
    for (String name : List.of("access.log.2", "access.log.1", "access.log")) {
      assertThat(Files.readString(directory.resolve(name))).startsWith(AccessLine.HEADER + "\n")
          .hasSizeLessThanOrEqualTo(300);
      kept.addAll(paths(directory.resolve(name)));
    }
    assertThat(kept).hasSizeGreaterThan(5).endsWith("/e37", "/e38", "/e39");
    assertThat(kept.get(0)).isEqualTo("/e" + (40 - kept.size()));
    assertThat(directory.toFile().list()).hasSize(3);
  }

  @Test
  void oneFileBeginsAnew() throws IOException {
    Path file = directory.resolve("access.log");
    for (int run = 0; run < 10; run++) {
      try (AccessLog log = start(file, 200, 1)) {
        watch(log, run);
      }
    }
    assertThat(paths(file)).contains("/e9").hasSizeLessThan(3);
    assertThat(directory.toFile().list()).containsExactly("access.log");
  }

  @Test
  void aPlaceThatCannotBeWrittenIsRefusedAtOnce() throws IOException {
    assertThatThrownBy(() -> start(directory.resolve("no/access.log"), 1 << 20, 4))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("there is no directory " + directory.resolve("no"));
    assertThatThrownBy(() -> start(directory, 1 << 20, 4)).isInstanceOf(IOException.class);
    Path file = directory.resolve("access.log");
    try (AccessLog log = start(file, 1 << 20, 4)) {
      watch(log, 1);
      assertThatThrownBy(() -> start(file, 1 << 20, 4)).hasMessageContaining("another server writes " + file);
    }
  }

  @Test
  void aFullDiskCostsLinesAndNothingElse() throws IOException {
    Path full = Path.of("/dev/full");
    assumeTrue(Files.isWritable(full));
    AccessLog log = start(full, 1 << 20, 4);
    try (log) {
      for (int number = 0; number < 10; number++) {
        watch(log, number);
      }
    }
    assertThat(log.statistics()).containsEntry("accessLogDropped", 10L);
  }

  @Test
  void itGoesOnWhenThePlaceIsBack() throws IOException {
    Path place = Files.createDirectory(directory.resolve("place"));
    LineLogSettings settings = new LineLogSettings(place.resolve("access.log"), 100, 1);
    try (RotatedFile file = RotatedFile.open(settings, AccessLine.HEADER, AccessLine.COLUMNS)) {
      file.append(bytes("first"));
      Files.delete(settings.file());
      Files.delete(place);
      for (int time = 0; time < 2; time++) {
        assertThatThrownBy(() -> file.append(bytes("lost"))).hasMessageContaining("there is no directory " + place);
      }
      Files.createDirectory(place);
      file.append(bytes("last"));
      assertThat(Files.readAllLines(settings.file())).startsWith(AccessLine.HEADER).endsWith("last")
          .doesNotContain("lost");
    }
  }

  private static ByteBuffer bytes(String line) {
    return ByteBuffer.wrap((line + "\n").getBytes(UTF_8));
  }

  @Test
  void whatComesFasterThanItIsWrittenIsDroppedAndCounted() throws InterruptedException {
    CountDownLatch gate = new CountDownLatch(1);
    CollectedLines slow = new CollectedLines(gate);
    AccessLog log = AccessLog.start(slow, CLOCK, () -> 0, 2);
    try (log) {
      watch(log, 0);
      slow.awaitAsked();
      for (int number = 1; number < 7; number++) {
        watch(log, number);
      }
      assertThat(log.statistics()).containsEntry("accessLogDropped", 4L);
      gate.countDown();
    }
    assertThat(slow.lines().stream().map(line -> AccessLine.parse(line).path())).containsExactly("/e0", "/e1", "/e2");
  }
}
