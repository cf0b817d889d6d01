package io.rns.server.backup;

import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rns.operator.OperatorKey;
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
  private static final ObjectMapper JSON = new ObjectMapper(new JsonFactoryBuilder().rootValueSeparator("").build());
  private static final int BUFFER_BYTES = 65_536;

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
    this.out = JSON.createGenerator(digested);
  }

  @Override
  public void begin(TableRows.Head head) throws IOException {
    ObjectNode line = JSON.createObjectNode();
    line.put("format", BackupFile.FORMAT).put("number", BackupFile.NUMBER);
    line.put("version", version).put("time", time.toString());
    line.put("schema", head.schema()).put("group", head.position().group());
    line.put("epoch", head.position().epoch()).put("sequence", head.position().sequence());
    line.put("lastEntry", head.lastEntry()).put("lastAnswers", head.lastAnswers()).put("entries", head.entries());
    out.writeTree(line);
    endLine();
  }

  @Override
  public void table(String name, List<String> columns) throws IOException {
    out.writeStartObject();
    out.writeStringField("table", name);
    out.writeArrayFieldStart("columns");
    for (String column : columns) {
      out.writeString(column);
    }
    out.writeEndArray();
    out.writeEndObject();
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
    ObjectNode line = JSON.createObjectNode().put("rows", rows).put("sha256", digest);
    zip.write(JSON.writeValueAsBytes(line));
    zip.write('\n');
    zip.finish();
  }
}
