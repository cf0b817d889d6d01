package io.rns.server.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.Position;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.server.store.TableRows;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file gives back what was put into it, or is refused. */
class BackupFileTest {
  private static final TableRows.Head HEAD = new TableRows.Head(4, new Position(0, 3, 17), 9, 5, 2);

  @TempDir private Path temporary;

  /** Everything that it is given, as text. */
  private static final class Told implements TableRows.Sink {
    final List<String> lines = new ArrayList<>();

    @Override
    public void begin(TableRows.Head head) {
      lines.add(head.toString());
    }

    @Override
    public void table(String name, List<String> columns) {
      lines.add(name + columns);
    }

    @Override
    public void row(@Nullable Object[] values) {
      lines.add(Arrays.deepToString(values));
    }
  }

  private static void fill(TableRows.Sink sink) throws IOException {
    Random random = new Random(7);
    sink.begin(HEAD);
    sink.table("entry", List.of("id", "name", "epr"));
    for (int i = 0; i < 20; i++) {
      byte[] bytes = new byte[random.nextInt(300)];
      random.nextBytes(bytes);
      sink.row(new @Nullable Object[]{random.nextLong(), bytes,
          i % 3 == 0 ? null : "\n\r\0é".getBytes(StandardCharsets.UTF_8)});
    }
    sink.table("removed_directory", List.of("id"));
    sink.row(new Object[]{Long.MIN_VALUE});
  }

  private Path backup() throws IOException {
    Path file = temporary.resolve("backup");
    try (OutputStream out = Files.newOutputStream(file)) {
      BackupWriter writer = new BackupWriter(out, "1", Instant.EPOCH);
      fill(writer);
      writer.end();
    }
    return file;
  }

  private static byte[] unzipped(Path file) throws IOException {
    try (GZIPInputStream in = new GZIPInputStream(Files.newInputStream(file))) {
      return in.readAllBytes();
    }
  }

  private static byte[] zipped(byte[] plain) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream zip = new GZIPOutputStream(out)) {
      new ByteArrayInputStream(plain).transferTo(zip);
    }
    return out.toByteArray();
  }

  private void refused(byte[] content, String as) throws IOException {
    Path file = Files.write(temporary.resolve("bad"), content);
    assertThatThrownBy(() -> new BackupFile(file))
        .as(as)
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.INVALID_REQUEST))
        .hasMessageContaining("backup");
  }

  @Test
  void whatWasWrittenIsRead() throws IOException {
    Told written = new Told();
    fill(written);
    BackupFile file = new BackupFile(backup());
    assertThat(file.head()).isEqualTo(HEAD);
    Told read = new Told();
    file.to(read);
    assertThat(read.lines).isEqualTo(written.lines.subList(1, written.lines.size()));
  }

  @Test
  void partsOfAFileAreRefused() throws IOException {
    byte[] whole = Files.readAllBytes(backup());
    byte[] plain = unzipped(backup());
    for (int length = 0; length < whole.length; length += 1 + length / 100) {
      refused(Arrays.copyOf(whole, length), "the first " + length + " bytes");
    }
    for (int length = 0; length < plain.length; length += 1 + length / 100) {
      refused(zipped(Arrays.copyOf(plain, length)), "the first " + length + " bytes of the content");
    }
  }

  @Test
  void changedFilesAreRefused() throws IOException {
    byte[] plain = unzipped(backup());
    for (int at = 0; at < plain.length - 1; at += 3) {
      byte[] changed = plain.clone();
      changed[at] ^= 1;
      refused(zipped(changed), "byte " + at + " of the content");
    }
    byte[] longer = Arrays.copyOf(plain, plain.length + 1);
    refused(zipped(longer), "with something behind it");
    refused("text".getBytes(StandardCharsets.UTF_8), "text");
  }

  @Test
  void otherFormatsAreTold() throws IOException {
    String newer = new String(unzipped(backup()), StandardCharsets.UTF_8).replace("\"number\":1,\"version\":\"1\"",
        "\"number\":2,\"version\":\"9\"");
    Path file = Files.write(temporary.resolve("newer"), zipped(newer.getBytes(StandardCharsets.UTF_8)));
    assertThatThrownBy(() -> new BackupFile(file))
        .hasMessageContaining("format 2, of RNS 9; this server reads format 1");
  }
}
