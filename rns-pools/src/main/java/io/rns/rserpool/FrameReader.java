package io.rns.rserpool;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Cuts a stream of bytes into messages, by the lengths in their heads. Holds at most one message that is not complete.
 * For one thread at a time.
 */
public final class FrameReader {
  private final int maxBytes;
  private byte[] held = new byte[WireLimits.HEADER_BYTES];
  private int size;

  /** How many of the zeros behind a message are still to come. */
  private int padding;

  /**
   * For messages up to a length.
   *
   * @param maxBytes 4 to {@link WireLimits#MESSAGE_BYTES}, padding not counted
   */
  public FrameReader(int maxBytes) {
    if (maxBytes < WireLimits.HEADER_BYTES || maxBytes > WireLimits.MESSAGE_BYTES) {
      throw new RnsException(RnsError.INVALID_REQUEST, "messages cannot be bounded by " + maxBytes + " bytes");
    }
    this.maxBytes = maxBytes;
  }

  /**
   * The messages that are complete with these bytes, padding left out.
   *
   * @param bytes what came next
   * @param from of the first byte
   * @param to behind the last byte
   * @throws RnsException {@link RnsError#MALFORMED_MESSAGE} or {@link RnsError#LIMIT_EXCEEDED}: the stream is of no use
   *         any more
   */
  public List<byte[]> accept(byte[] bytes, int from, int to) {
    List<byte[]> messages = new ArrayList<>(1);
    int at = from;
    while (at < to) {
      if (padding > 0) {
        padding--;
        at++;
        continue;
      }
      int whole = size == 0 ? whole(bytes, at, to) : 0;
      if (whole > 0) {
        messages.add(Arrays.copyOfRange(bytes, at, at + whole));
        padding = -whole & 3;
        at += whole;
        continue;
      }
      int count = Math.min(to - at, wanted() - size);
      hold(bytes, at, count);
      at += count;
      if (size >= WireLimits.HEADER_BYTES && size == wanted()) {
        messages.add(Arrays.copyOf(held, size));
        padding = -size & 3;
        size = 0;
        held = new byte[WireLimits.HEADER_BYTES];
      }
    }
    return messages;
  }

  /** The length of the message that begins there, if all of it has come; otherwise 0. */
  private int whole(byte[] bytes, int at, int to) {
    if (to - at < WireLimits.HEADER_BYTES) {
      return 0;
    }
    int length = length(bytes, at);
    return length <= to - at ? length : 0;
  }

  /** How long what is held will be: the head, then the message. */
  private int wanted() {
    return size < WireLimits.HEADER_BYTES ? WireLimits.HEADER_BYTES : length(held, 0);
  }

  private int length(byte[] bytes, int at) {
    int length = (bytes[at + 2] & 0xff) << 8 | (bytes[at + 3] & 0xff);
    if (length < WireLimits.HEADER_BYTES) {
      throw new RnsException(RnsError.MALFORMED_MESSAGE, "a message on the stream has a length of " + length);
    }
    if (length > maxBytes) {
      throw new RnsException(
          RnsError.LIMIT_EXCEEDED,
          "a message on the stream has " + length + " bytes; the limit is " + maxBytes + " bytes");
    }
    return length;
  }

  private void hold(byte[] bytes, int from, int count) {
    if (held.length < size + count) {
      // By what has come, not by what was promised.
      held = Arrays.copyOf(held, Math.min(maxBytes, Math.max(size + count, held.length * 2)));
    }
    System.arraycopy(bytes, from, held, size, count);
    size += count;
  }
}
