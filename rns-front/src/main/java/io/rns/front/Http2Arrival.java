package io.rns.front;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.time.Duration;

/**
 * Sees how long a frame of HTTP/2, or the fields of a request in several of them, take to arrive: the codec keeps their
 * bytes until they are complete. Used by the thread of its loop only.
 */
final class Http2Arrival extends ChannelInboundHandlerAdapter {
  private static final int PREFACE_BYTES = 24;
  private static final int HEAD_BYTES = 9;
  private static final int LENGTH_BYTES = 3;
  private static final int TYPE_AT = 3;
  private static final int FLAGS_AT = 4;
  private static final int HEADERS = 1;
  private static final int CONTINUATION = 9;
  private static final int END_HEADERS = 4;

  /** Bytes of the frame that are missing, without its head. */
  private int missing = PREFACE_BYTES;
  private int headBytes;
  private int length;
  private int type;
  private boolean fields;
  private boolean complete;
  private long since = System.nanoTime();

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    boolean before = complete;
    boolean progress = false;
    int at = bytes.readerIndex();
    while (at < bytes.writerIndex()) {
      if (missing > 0) {
        int taken = Math.min(missing, bytes.writerIndex() - at);
        missing -= taken;
        at += taken;
      } else {
        head(bytes.getUnsignedByte(at++));
      }
      complete = missing == 0 && headBytes == 0 && !fields;
      progress |= complete;
    }
    if (before || progress) {
      restart();
    }
    context.fireChannelRead(message);
  }

  private void head(int octet) {
    if (headBytes < LENGTH_BYTES) {
      length = length << Byte.SIZE | octet;
    } else if (headBytes == TYPE_AT) {
      type = octet;
    } else if (headBytes == FLAGS_AT && (type == HEADERS || type == CONTINUATION)) {
      fields = (octet & END_HEADERS) == 0;
    }
    if (++headBytes == HEAD_BYTES) {
      missing = length;
      headBytes = 0;
      length = 0;
    }
  }

  /** Measures the time from now. */
  void restart() {
    since = System.nanoTime();
  }

  /** Whether the client has taken longer for what is incomplete. */
  boolean isLate(long now, Duration bound) {
    return !complete && now - since > bound.toNanos();
  }
}
