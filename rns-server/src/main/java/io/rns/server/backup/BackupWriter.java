package io.rns.server.backup;

import com.fasterxml.jackson.core.JsonGenerator;
import io.rns.api.Position;
import io.rns.operator.OperatorKey;
import io.rns.server.http.ServerJson;
import io.rns.server.store.TableRows;
import java.io.IOException;
import java.io.OutputStream;
import java.security.DigestOutputStream;
import java.time.Instant;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** Writes a file of the form of {@link BackupFile}. It is a backup only when {@link #end} has been called. */
final class BackupWriter implements TableRows.Sink {
  private static final int BUFFER_BYTES = 65_536;

  private record FirstLine(
      String format,
      int number,
      String version,
      String time,
      int schema,
      int group,
      int epoch,
      long sequence,
      long lastEntry,
      long lastAnswers,
      long entries) {}

  private record TableLine(String table, List<String> columns) {}

  private record LastLine(long rows, String sha256) {}

  private final String version;
  private final Instant time;
  private final GZIPOutputStream zip;
  private final DigestOutputStream digested;
  private final JsonGenerator out;
  private long rows;

  /**
   * Writes to {@code file}, which the caller closes.
   *
   * @param version of this server
   */
  BackupWriter(OutputStream file, String version, Instant time) throws IOException {
    this.version = version;
    this.time = time;
    this.zip = new GZIPOutputStream(file, BUFFER_BYTES);
    this.digested = new DigestOutputStream(zip, OperatorKey.sha256());
    // A line for each value; the trailer is not digested.
    this.out = ServerJson.MAPPER.writer().withRootValueSeparator("").createGenerator(digested);
  }

  @Override
  public void begin(TableRows.Head head) throws IOException {
    Position position = head.position();
    out.writePOJO(
        new FirstLine(
            BackupFile.FORMAT,
            BackupFile.NUMBER,
            version,
            time.toString(),
            head.schema(),
            position.group(),
            position.epoch(),
            position.sequence(),
            head.lastEntry(),
            head.lastAnswers(),
            head.entries()));
    endLine();
  }

  @Override
  public void table(String name, List<String> columns) throws IOException {
    out.writePOJO(new TableLine(name, columns));
    endLine();
  }

  @Override
  public void row(@Nullable Object[] values) throws IOException {
    out.writeStartArray();
    for (Object value : values) {
      switch (value) {
        case null -> out.writeNull();
        case byte[] bytes -> out.writeBinary(bytes);
        case Long number -> out.writeNumber(number);
        default -> throw new IOException("a row has a " + value.getClass().getName());
      }
    }
    out.writeEndArray();
    endLine();
    rows++;
  }

  private void endLine() throws IOException {
    out.writeRaw('\n');
  }

  /** Completes the file. */
  void end() throws IOException {
    out.flush();
    String digest = OperatorKey.hex(digested.getMessageDigest().digest());
    zip.write(ServerJson.MAPPER.writeValueAsBytes(new LastLine(rows, digest)));
    zip.write('\n');
    zip.finish();
  }
}
