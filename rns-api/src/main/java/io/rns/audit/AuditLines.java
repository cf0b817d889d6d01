package io.rns.audit;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * The lines of a file, one after the other, in bounded memory: of a line that is longer than lines may be, the parts
 * are lines of their own. For one thread.
 */
public final class AuditLines implements AutoCloseable {
  private static final int PIECE = 1 << 16;

  private final InputStream in;
  private final byte[] piece = new byte[PIECE];
  private int next;
  private int filled;
  private byte[] line = new byte[PIECE];
  private int length;
  private boolean whole;
  private long from;
  private long end;

  /** Opens a file. */
  public AuditLines(Path file) throws IOException {
    this.in = Files.newInputStream(file);
  }

  /** Goes on to the next line; false at the end of the file. */
  public boolean advance() throws IOException {
    from = end;
    length = 0;
    whole = false;
    while (true) {
      if (next == filled && !fill()) {
        return length > 0;
      }
      int stop = next;
      int most = (int) Math.min(filled, next + (long) AuditLine.BYTES - length);
      while (stop < most && piece[stop] != '\n') {
        stop++;
      }
      take(stop - next);
      if (stop < filled && piece[stop] == '\n') {
        next = stop + 1;
        end++;
        whole = true;
        return true;
      }
      if (length >= AuditLine.BYTES) {
        return true;
      }
    }
  }

  private boolean fill() throws IOException {
    next = 0;
    filled = Math.max(0, in.read(piece));
    return filled > 0;
  }

  private void take(int count) {
    if (length + count > line.length) {
      line = Arrays.copyOf(line, Math.max(length + count, Math.min(2 * line.length, AuditLine.BYTES + PIECE)));
    }
    System.arraycopy(piece, next, line, length, count);
    length += count;
    next += count;
    end += count;
  }

  /** The bytes of the line, valid until the next one: its first {@link #length} ones. */
  public byte[] bytes() {
    return line;
  }

  /** How many bytes it has, without its end. */
  public int length() {
    return length;
  }

  /** Whether it has an end. */
  public boolean isWhole() {
    return whole;
  }

  /** Where in the file it begins. */
  public long from() {
    return from;
  }

  /** Where in the file the next one begins. */
  public long end() {
    return end;
  }

  /** Skips bytes at the beginning of the file. */
  public void skip(long bytes) throws IOException {
    if (end != 0) {
      throw new IllegalStateException("lines were read before");
    }
    try {
      in.skipNBytes(bytes);
    } catch (EOFException e) {
      throw new IOException("the file has fewer than " + bytes + " bytes", e);
    }
    end = bytes;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
