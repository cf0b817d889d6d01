package io.rns.association;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.SocketChannel;

/**
 * A channel from which only so many bytes can be read at a time: whoever sends many tiny or empty TLS records must not
 * keep the thread of all connections busy.
 */
final class MeteredChannel implements ByteChannel {
  private final SocketChannel channel;
  private int allowance;

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
      int count = channel.read(target);
      allowance -= Math.max(0, count);
      return count;
    } finally {
      target.limit(limit);
    }
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
