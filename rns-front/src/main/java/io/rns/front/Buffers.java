package io.rns.front;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Bytes in buffers. Stateless. */
final class Buffers {
  private static final int MOST_FRAMING = 32;
  /** Of one part that another process sends. */
  private static final int MOST_BYTES = 16 << 20;

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

  /** Both in one. */
  static byte[] joined(byte[] first, byte[] second) {
    byte[] all = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, all, first.length, second.length);
    return all;
  }

  /** Writes bytes with their number, which {@link #read} reads. */
  static void write(DataOutputStream out, byte[] bytes) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  /** Reads bytes with their number. */
  static byte[] read(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > MOST_BYTES) {
      throw new IOException("a part of " + length + " bytes");
    }
    return in.readNBytes(length);
  }

  /** A part of a chunked body; without any bytes if there are none, and it is not the last. */
  static ByteBuf chunk(ByteBufAllocator memory, ByteBuf data, boolean last) {
    ByteBuf out = memory.buffer(data.readableBytes() + MOST_FRAMING);
    if (data.isReadable()) {
      out.writeCharSequence(Integer.toHexString(data.readableBytes()) + "\r\n", StandardCharsets.US_ASCII);
      out.writeBytes(data).writeBytes(ClientLink.END);
    }
    if (last) {
      out.writeCharSequence("0\r\n\r\n", StandardCharsets.US_ASCII);
    }
    return out;
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
