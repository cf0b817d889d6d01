package io.rns.association;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.SocketChannel;

/**
 * A channel from which only so many bytes can be read at a time: whoever sends many tiny or empty TLS records must not
 * keep the thread of all connections busy. Follows the records: which have come completely.
 */
final class MeteredChannel implements ByteChannel {
  /** Type and version, and the length of the rest (RFC 8446, section 5.1). */
  private static final int HEAD_BYTES = 5;

  private static final int LENGTH_AT = 3;

  private final SocketChannel channel;
  private int allowance;

  /** What has come of the record that is coming; 0 between two records. */
  private int come;

  /** Its length with the head, as far as the head has come. */
  private int length = HEAD_BYTES;

  MeteredChannel(SocketChannel channel) {
    this.channel = channel;
  }

  /** Sets how many bytes may be read from now on. */
  void allow(int bytes) {
    allowance = bytes;
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    if (allowance == 0) {
      return 0;
    }
    int limit = target.limit();
    if (target.remaining() > allowance) {
      target.limit(target.position() + allowance);
    }
    try {
      int begin = target.position();
      int count = channel.read(target);
      allowance -= Math.max(0, count);
      follow(target, begin);
      return count;
    } finally {
      target.limit(limit);
    }
  }

  /** Follows the records in the bytes before the position. */
  private void follow(ByteBuffer bytes, int begin) {
    for (int at = begin; at < bytes.position();) {
      if (come < HEAD_BYTES) {
        int high = come == LENGTH_AT ? (bytes.get(at) & 0xff) << 8 : 0;
        int low = come == LENGTH_AT + 1 ? bytes.get(at) & 0xff : 0;
        length += high + low;
        come++;
        at++;
      } else {
        int part = Math.min(length - come, bytes.position() - at);
        come += part;
        at += part;
      }
      if (come >= HEAD_BYTES && come >= length) {
        come = 0;
        length = HEAD_BYTES;
      }
    }
  }

  /** How much has come of a record that has not ended; 0 between two records. */
  int bytesOfRecord() {
    return come;
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    return channel.write(source);
  }

  @Override
  public boolean isOpen() {
    return channel.isOpen();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
