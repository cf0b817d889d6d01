package io.rns.cli;

import io.rns.error.Limits;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads lines of UTF-8. A line that is not UTF-8 or too long is reported as a fault and does not stop the next; memory
 * is bounded for input of any size and content.
 */
final class LineReader implements Closeable {
  /** The largest entry, with room for escapes. */
  static final int LINE_BYTES = 2 * Limits.ENTRY_BYTES;

  private static final int BUFFER_BYTES = 65_536;

  private final InputStream in;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private final ByteArrayOutputStream line = new ByteArrayOutputStream(512);
  private int at;
  private int end;
  private long bytes;
  private long number;

  LineReader(InputStream in) {
    this.in = in;
  }

  /**
   * A line.
   *
   * @param number its number, from 1
   * @param text the line without its end; empty if it has a fault
   * @param fault why it cannot be read, or null
   */
  record Line(long number, String text, @Nullable String fault) {}

  /** The next line, or null at the end of the input. */
  @Nullable
  Line next() throws IOException {
    line.reset();
    long length = 0;
    boolean any = false;
    while (true) {
      if (at == end && !fill()) {
        return any ? line(length) : null;
      }
      any = true;
      int stop = at;
      while (stop < end && buffer[stop] != '\n') {
        stop++;
      }
      length += stop - at;
      if (length <= LINE_BYTES) {
        line.write(buffer, at, stop - at);
      }
      at = stop;
      if (stop < end) {
        at++;
        return line(length);
      }
    }
  }

  private boolean fill() throws IOException {
    int count = in.read(buffer);
    at = 0;
    end = Math.max(0, count);
    bytes += end;
    return count > 0;
  }

  private Line line(long length) {
    number++;
    if (length > LINE_BYTES) {
      return new Line(number, "", "the line has " + length + " bytes; the limit is " + LINE_BYTES + " bytes");
    }
    String text = line.toString(StandardCharsets.UTF_8);
    // The decoder substitutes U+FFFD where it fails; only a line that has one needs strict decoding.
    if (text.indexOf('\ufffd') >= 0 && !isUtf8()) {
      return new Line(number, "", "the line is not UTF-8");
    }
    int from = number == 1 && text.startsWith("\ufeff") ? 1 : 0;
    int to = text.endsWith("\r") ? text.length() - 1 : text.length();
    return new Line(number, text.substring(Math.min(from, to), to), null);
  }

  private boolean isUtf8() {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(line.toByteArray())).hasArray();
    } catch (CharacterCodingException e) {
      return false;
    }
  }

  /** The number of bytes read so far. */
  long bytes() {
    return bytes;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
