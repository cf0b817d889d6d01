package io.rns.server.backup;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.rns.api.Position;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.operator.OperatorKey;
import io.rns.server.http.ServerJson;
import io.rns.server.store.TableRows;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * A backup in a file: lines of JSON, compressed by gzip.
 *
 * <pre> {"format":"rns-backup","number":1,"version":...,"schema":4,"group":0,"epoch":3,"sequence":17,...}
 * {"table":"entry","columns":["parent_id","name",...]} [1,"cGFwZXJz",2,...] binary values in base64 ...
 * {"rows":1234,"sha256":"..."} over all bytes before this line </pre>
 */
final class BackupFile implements TableRows.Source {
  static final String FORMAT = "rns-backup";
  static final int NUMBER = 1;

  /** An answer log's row has at most 16 MiB, a third more in base64. */
  private static final int LINE_BYTES = 32 << 20;

  private static final int BUFFER_BYTES = 65_536;

  private final Path file;
  private final TableRows.Head head;

  /**
   * Reads and checks all of a file.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST} if it is not a whole, unchanged backup that this version can
   *         read
   */
  BackupFile(Path file) throws IOException {
    this.file = file;
    this.head = read(file, new Ignored());
  }

  @Override
  public TableRows.Head head() {
    return head;
  }

  @Override
  public void to(TableRows.Sink sink) throws IOException {
    TableRows.Head unused = read(file, sink);
  }

  private static final class Ignored implements TableRows.Sink {
    @Override
    public void begin(TableRows.Head head) {}

    @Override
    public void table(String name, List<String> columns) {}

    @Override
    public void row(@Nullable Object[] values) {}
  }

  private static TableRows.Head read(Path file, TableRows.Sink sink) throws IOException {
    try (InputStream in = Files.newInputStream(file);
        InputStream zipped = new BufferedInputStream(new GZIPInputStream(in, BUFFER_BYTES), BUFFER_BYTES)) {
      return read(new Lines(zipped), sink);
    } catch (ZipException | EOFException | JsonProcessingException e) {
      throw damaged(String.valueOf(e.getMessage()), e);
    }
  }

  private static TableRows.Head read(Lines lines, TableRows.Sink sink) throws IOException {
    TableRows.Head head = head(ServerJson.MAPPER.readTree(lines.next()));
    int columns = 0;
    long rows = 0;
    while (true) {
      JsonNode line = ServerJson.MAPPER.readTree(lines.next());
      if (line.has("sha256")) {
        check(line.path("sha256").asText().equals(lines.digestBefore()), "its checksum is not that of its content");
        check(line.path("rows").asLong(-1) == rows, "it has " + rows + " rows, not " + line.path("rows"));
        check(lines.isAtEnd(), "something follows its end");
        return head;
      }
      if (line.has("table")) {
        List<String> names = new ArrayList<>();
        line.path("columns").forEach(name -> names.add(name.asText()));
        columns = names.size();
        sink.table(line.path("table").asText(), names);
      } else {
        check(line.isArray() && line.size() == columns, "line " + lines.number() + " is no row of its table");
        sink.row(values(line));
        rows++;
      }
    }
  }

  private static TableRows.Head head(JsonNode line) {
    check(line.path("format").asText().equals(FORMAT), "it does not begin as a backup of RNS");
    if (line.path("number").asInt() != NUMBER) {
      throw new RnsException(
          RnsError.INVALID_REQUEST,
          "the backup has format " + line.path("number") + ", of RNS " + line.path("version").asText()
              + "; this server reads format " + NUMBER);
    }
    Position position =
        new Position(line.path("group").asInt(), line.path("epoch").asInt(), line.path("sequence").asLong());
    return new TableRows.Head(
        line.path("schema").asInt(),
        position,
        line.path("lastEntry").asLong(),
        line.path("lastAnswers").asLong(),
        line.path("entries").asLong());
  }

  private static @Nullable Object[] values(JsonNode row) throws IOException {
    @Nullable
    Object[] values = new Object[row.size()];
    for (int i = 0; i < values.length; i++) {
      JsonNode value = row.get(i);
      values[i] = value.isNull() ? null : value.isTextual() ? value.binaryValue() : (Object) value.asLong();
    }
    return values;
  }

  private static void check(boolean holds, String otherwise) {
    if (!holds) {
      throw damaged(otherwise, null);
    }
  }

  private static RnsException damaged(String why, @Nullable Throwable cause) {
    return new RnsException(RnsError.INVALID_REQUEST, "the file is not a whole backup: " + why, cause);
  }

  /** The lines of a file, and the digest of those that were read. */
  private static final class Lines {
    private final InputStream in;
    private final MessageDigest digest = OperatorKey.sha256();
    private byte[] last = new byte[0];
    private long number;

    Lines(InputStream in) {
      this.in = in;
    }

    /** The next line, without what ends it. */
    byte[] next() throws IOException {
      digest.update(last);
      ByteArrayOutputStream line = new ByteArrayOutputStream();
      number++;
      for (int next = in.read(); next != '\n'; next = in.read()) {
        check(next >= 0, "it ends in line " + number);
        check(line.size() < LINE_BYTES, "line " + number + " is longer than " + LINE_BYTES + " bytes");
        line.write(next);
      }
      line.write('\n');
      last = line.toByteArray();
      return last;
    }

    /** The digest of all lines before the last that was read; to be asked for once. */
    String digestBefore() {
      return OperatorKey.hex(digest.digest());
    }

    boolean isAtEnd() throws IOException {
      return in.read() < 0;
    }

    long number() {
      return number;
    }
  }
}
