package io.rns.front;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import java.io.ByteArrayOutputStream;

/** Bytes in buffers. Stateless. */
final class Buffers {
  private Buffers() {}

  /** Both in one; takes ownership of both. */
  static ByteBuf joined(ByteBuf first, ByteBuf second) {
    if (!first.isReadable()) {
      first.release();
      return second;
    }
    int length = first.readableBytes() + second.readableBytes();
    ByteBuf all = first;
    if (first.isReadOnly() || first.refCnt() > 1 || first.writableBytes() < second.readableBytes()) {
      all = second.alloc().buffer(Math.max(512, length + length / 2));
      all.writeBytes(first);
      first.release();
    }
    all.writeBytes(second);
    second.release();
    return all;
  }

  /** What was written to a channel, and flushed, but not taken by the kernel. */
  static byte[] unsent(Channel channel) {
    ChannelOutboundBuffer waiting = channel.unsafe().outboundBuffer();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    if (waiting != null) {
      waiting.addFlush();
      try {
        waiting.forEachFlushedMessage(message -> {
          if (message instanceof ByteBuf part) {
            bytes.writeBytes(ByteBufUtil.getBytes(part));
          }
          return true;
        });
      } catch (Exception e) {
        throw new IllegalStateException("bytes that wait cannot be read", e);
      }
    }
    return bytes.toByteArray();
  }
}
