package io.rns.front.message;

import io.netty.buffer.ByteBuf;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Finds where a body ends, while it arrives in pieces of any size. Chunks are read strictly: every line ends in CR LF,
 * sizes are hexadecimal numbers, trailers are fields. Not thread-safe.
 */
public final class BodyEnd {
  private static final int MOST_DIGITS = 15;
  /** Maximum length of a line of chunks, with extensions, and of all trailers together. */
  private static final int MOST_LINE_BYTES = 8_192;

  private enum Phase {
    /** Bytes that {@code remaining} counts. */
    LENGTH, UNTIL_CLOSE, DONE, SIZE, EXTENSION, SIZE_LF, DATA, DATA_CR, DATA_LF, TRAILER_START, TRAILER_NAME, TRAILER, TRAILER_LF, END_LF
  }

  private static final Phase[] PHASES = Phase.values();

  private Phase phase;
  private long remaining;
  private int digits;
  private int lineBytes;

  private BodyEnd(Phase phase, long remaining) {
    this.phase = phase;
    this.remaining = remaining;
  }

  /** A message without a body. */
  public static BodyEnd none() {
    return new BodyEnd(Phase.DONE, 0);
  }

  /** A body of a known length. */
  public static BodyEnd after(long bytes) {
    return new BodyEnd(bytes == 0 ? Phase.DONE : Phase.LENGTH, bytes);
  }

  /** A chunked body. */
  public static BodyEnd chunks() {
    return new BodyEnd(Phase.SIZE, 0);
  }

  /** A body that ends with the connection. */
  public static BodyEnd untilClose() {
    return new BodyEnd(Phase.UNTIL_CLOSE, 0);
  }

  /** Whether all of it has been seen. */
  public boolean isDone() {
    return phase == Phase.DONE;
  }

  /** Whether it ends with the connection. */
  public boolean isUntilClose() {
    return phase == Phase.UNTIL_CLOSE;
  }

  /**
   * Goes on behind the bytes of a buffer, without changing its indexes.
   *
   * @param from index of the first byte
   * @param data receives the content without the framing; null if it is not needed
   * @return index behind the last byte that belongs to the body
   * @throws RefusedMessage if a chunk is malformed
   */
  public int advance(ByteBuf in, int from, @Nullable ByteBuf data) throws RefusedMessage {
    int to = in.writerIndex();
    int at = from;
    while (at < to && phase != Phase.DONE) {
      switch (phase) {
        case UNTIL_CLOSE -> at = content(in, at, to - at, data);
        case LENGTH, DATA -> {
          int taken = (int) Math.min(remaining, to - at);
          at = content(in, at, taken, data);
          remaining -= taken;
          if (remaining == 0) {
            phase = phase == Phase.LENGTH ? Phase.DONE : Phase.DATA_CR;
          }
        }
        default -> phase = next(in.getByte(at++));
      }
    }
    return at;
  }

  private static int content(ByteBuf in, int at, int length, @Nullable ByteBuf data) {
    if (data != null) {
      data.writeBytes(in, at, length);
    }
    return at + length;
  }

  private Phase next(byte octet) throws RefusedMessage {
    if (++lineBytes > MOST_LINE_BYTES) {
      throw RefusedMessage.malformed("a line between chunks is longer than " + MOST_LINE_BYTES + " bytes");
    }
    return switch (phase) {
      case SIZE -> size(octet);
      case EXTENSION -> octet == '\r' ? Phase.SIZE_LF : text(octet, Phase.EXTENSION);
      case SIZE_LF -> {
        require(octet, '\n');
        lineBytes = 0;
        yield remaining == 0 ? Phase.TRAILER_START : Phase.DATA;
      }
      case DATA_CR -> require(octet, '\r', Phase.DATA_LF);
      case DATA_LF -> {
        require(octet, '\n');
        digits = 0;
        lineBytes = 0;
        yield Phase.SIZE;
      }
      case TRAILER_START -> octet == '\r' ? Phase.END_LF : name(octet);
      case TRAILER_NAME -> octet == ':' ? Phase.TRAILER : name(octet);
      case TRAILER -> octet == '\r' ? Phase.TRAILER_LF : text(octet, Phase.TRAILER);
      case TRAILER_LF -> require(octet, '\n', Phase.TRAILER_START);
      case END_LF -> require(octet, '\n', Phase.DONE);
      case LENGTH, UNTIL_CLOSE, DATA, DONE -> throw new IllegalStateException("no line here");
    };
  }

  private Phase size(byte octet) throws RefusedMessage {
    int digit = Character.digit(octet, 16);
    if (digit >= 0 && digits < MOST_DIGITS) {
      digits++;
      remaining = (remaining << 4) + digit;
      return Phase.SIZE;
    }
    if (digits > 0 && octet == '\r') {
      return Phase.SIZE_LF;
    }
    if (digits > 0 && octet == ';') {
      return Phase.EXTENSION;
    }
    if (digits > 0 && (octet == ' ' || octet == '\t')) {
      // No digit may follow: who skips blanks would read another size.
      digits = MOST_DIGITS;
      return Phase.SIZE;
    }
    throw RefusedMessage.malformed("a chunk has no size, or something else behind it");
  }

  /** Else it might be the next request to who takes the last chunk for the end. */
  private static Phase name(byte octet) throws RefusedMessage {
    if (!HeadLines.isToken(octet)) {
      throw RefusedMessage.malformed("a line behind the chunks is no header field");
    }
    return Phase.TRAILER_NAME;
  }

  private static Phase text(byte octet, Phase same) throws RefusedMessage {
    if ((octet >= 0 && octet < ' ' && octet != '\t') || octet == 127) {
      throw RefusedMessage.malformed("a line between chunks does not end in CR LF, or has a control character");
    }
    return same;
  }

  private static Phase require(byte octet, char expected, Phase next) throws RefusedMessage {
    require(octet, expected);
    return next;
  }

  private static void require(byte octet, char expected) throws RefusedMessage {
    if (octet != expected) {
      throw RefusedMessage.malformed("a line between chunks does not end in CR LF");
    }
  }

  /** Writes the state for another process. */
  public void write(DataOutputStream out) throws IOException {
    out.writeUTF(phase.name());
    out.writeLong(remaining);
    out.writeInt(digits);
    out.writeInt(lineBytes);
  }

  /** Reads a state that {@link #write} wrote. */
  public static BodyEnd read(DataInputStream in) throws IOException {
    BodyEnd end = new BodyEnd(phase(in.readUTF()), in.readLong());
    end.digits = in.readInt();
    end.lineBytes = in.readInt();
    return end;
  }

  private static Phase phase(String name) throws IOException {
    for (Phase phase : PHASES) {
      if (phase.name().equals(name)) {
        return phase;
      }
    }
    throw new IOException("no state of a body: " + name);
  }
}
