package io.rns.rserpool;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Splits a byte stream into messages by the lengths in their headers. Buffers at most one incomplete message. Not
 * thread-safe.
 */
public final class FrameReader {
  private final int maxBytes;
  private byte[] held = new byte[WireLimits.HEADER_BYTES];
  private int size;

  /** Padding bytes still expected after a message. */
  private int padding;

  /**
   * Reads messages up to a maximum length.
   *
   * @param maxBytes 4 to {@link WireLimits#MESSAGE_BYTES}, without padding
   */
  public FrameReader(int maxBytes) {
    if (maxBytes < WireLimits.HEADER_BYTES || maxBytes > WireLimits.MESSAGE_BYTES) {
      throw new RnsException(RnsError.INVALID_REQUEST,
          "a message length limit is 4 to " + WireLimits.MESSAGE_BYTES + " bytes, not " + maxBytes);
    }
    this.maxBytes = maxBytes;
  }

  /**
   * Accepts bytes and returns the messages they complete, without padding.
   *
   * @param bytes the buffer
   * @param from index of the first byte
   * @param to index after the last byte
   * @throws RnsException {@link RnsError#MALFORMED_MESSAGE} or {@link RnsError#LIMIT_EXCEEDED}: the stream is unusable
   *         from here on
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

  /** Whether a message has begun and not ended. */
  public boolean isUnfinished() {
    return size > 0;
  }

  /** Memory of the unfinished message, in bytes; 0 without one. */
  public int heldBytes() {
    return size == 0 ? 0 : held.length;
  }

  /** The length of the message that starts there, if complete; otherwise 0. */
  private int whole(byte[] bytes, int at, int to) {
    if (to - at < WireLimits.HEADER_BYTES) {
      return 0;
    }
    int length = length(bytes, at);
    return length <= to - at ? length : 0;
  }

  /** The target length of the buffered bytes: the header, then the message. */
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
      // Grow with the bytes received, not with the announced length.
      held = Arrays.copyOf(held, Math.min(maxBytes, Math.max(size + count, held.length * 2)));
    }
    System.arraycopy(bytes, from, held, size, count);
    size += count;
  }
}
