package io.rns.front;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.rns.error.RnsError;
import io.rns.front.message.BodyEnd;
import io.rns.front.message.BodyFraming;
import io.rns.front.message.ClientHead;
import io.rns.front.message.RefusedMessage;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What has arrived of a client's requests, one after the other. Bytes stay as they came until a request is complete, or
 * too large to be held. Not thread-safe.
 */
final class ArrivingRequests {
  /** Requests with larger bodies are passed on as they arrive, and cannot be repeated. In bytes. */
  private static final int MOST_HELD = 65_536;

  /** Size of a buffer that any part of a request may take, in bytes. */
  private static final int SMALL = 512;
  /** Larger buffers are at most so many times as long as what they have. */
  private static final int MOST_TIMES = 4;

  /** How HTTP/2 begins without TLS, as far as it is a head of HTTP/1.1 (RFC 9113, section 3.4). */
  private static final ByteBuf PREFACE =
      Unpooled.unreleasableBuffer(
          Unpooled.wrappedBuffer("PRI * HTTP/2.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII)).asReadOnly());

  private @Nullable ByteBuf arrived;
  private int searched;
  private @Nullable ClientHead head;
  private int headLength;
  /** Where the body of a request that is held ends, and how many bytes of it were looked at. */
  private @Nullable BodyEnd body;
  private int scanned;

  /**
   * A request that can be passed on.
   *
   * @param content the body, if it is held completely; owned
   * @param upload where the arriving body ends, else
   */
  record Request(ClientHead head, BodyFraming framing, @Nullable ByteBuf content, @Nullable BodyEnd upload) {}

  /** Adds bytes; takes ownership of them. */
  void add(ByteBuf bytes) {
    ByteBuf before = arrived;
    arrived = before == null ? bytes : Buffers.joined(before, bytes);
  }

  /** Whether all that has arrived was read. */
  boolean isEmpty() {
    return arrived == null;
  }

  /** Whether nothing has arrived behind the request that was read. */
  boolean isLast() {
    ByteBuf in = arrived;
    return in == null || !in.isReadable();
  }

  /** Whether more may arrive: not while as much is held as the largest request takes. */
  boolean hasRoom() {
    ByteBuf in = arrived;
    return in == null || in.readableBytes() < MOST_HELD;
  }

  /** The memory that is taken, in bytes. */
  long capacity() {
    ByteBuf in = arrived;
    return in == null ? 0 : in.capacity();
  }

  /** What has arrived and was not read. */
  byte[] unread() {
    ByteBuf in = arrived;
    return in == null ? new byte[0] : ByteBufUtil.getBytes(in);
  }

  /** Gives it away; null if there is nothing. */
  @Nullable
  ByteBuf take() {
    ByteBuf in = arrived;
    arrived = null;
    return in;
  }

  /** Keeps a small part of a request in a buffer of about its size: one read takes 16 KiB, also for one byte. */
  void trim() {
    ByteBuf in = arrived;
    if (in != null && in.capacity() > SMALL && in.readableBytes() < in.capacity() / MOST_TIMES) {
      // With room for more, so that bytes which arrive one by one are not copied each time.
      arrived = in.alloc().buffer(Math.max(SMALL, 2 * in.readableBytes())).writeBytes(in);
      in.release();
    }
  }

  /** Forgets what has arrived. */
  void drop() {
    ByteBuf in = take();
    if (in != null) {
      in.release();
    }
    head = null;
  }

  private void dropEmpty() {
    ByteBuf in = arrived;
    if (in != null && !in.isReadable()) {
      arrived = null;
      in.release();
    }
  }

  /** The head of the request that arrives, if it was read. */
  @Nullable
  ClientHead head() {
    return head;
  }

  /** Whether it is no request, but the beginning of HTTP/2. */
  boolean isPreface() {
    ByteBuf in = arrived;
    int length = PREFACE.readableBytes();
    return in != null && head == null && skipEmptyLines(in) && in.readableBytes() >= length
        && ByteBufUtil.equals(PREFACE, 0, in, in.readerIndex(), length);
  }

  /** Empty lines before a request are ignored (RFC 9112, section 2.2). Whether there is something else. */
  private boolean skipEmptyLines(ByteBuf in) {
    // It may arrive in two parts.
    while (searched <= 1 && in.readableBytes() >= 2 && in.getShort(in.readerIndex()) == 0x0d0a) {
      in.skipBytes(2);
      searched = 0;
    }
    return in.isReadable();
  }

  /** Reads the head of a request; null until it has arrived. */
  @Nullable
  ClientHead readHead() throws RefusedMessage {
    ByteBuf in = arrived;
    if (in == null || head != null) {
      return head;
    }
    if (!skipEmptyLines(in)) {
      dropEmpty();
      return null;
    }
    int length = ClientHead.end(in, searched);
    if (length < 0) {
      searched = in.readableBytes();
    }
    if (length > ClientHead.MOST_BYTES || searched > ClientHead.MOST_BYTES) {
      throw new RefusedMessage(431, RnsError.LIMIT_EXCEEDED,
          "the head of the request is longer than " + ClientHead.MOST_BYTES + " bytes");
    }
    if (length >= 0) {
      headLength = length;
      head = ClientHead.read(ByteBufUtil.getBytes(in, in.readerIndex(), length, true));
    }
    return head;
  }

  /** The request whose head was read; null while it is to be held, and not complete. */
  @Nullable
  Request read() throws RefusedMessage {
    ByteBuf in = arrived;
    ClientHead known = head;
    if (in == null || known == null) {
      return null;
    }
    if (known.chunked()) {
      return readChunks(in, known);
    }
    long length = Math.max(0, known.length());
    if (length > MOST_HELD) {
      in.skipBytes(headLength);
      return new Request(known, new BodyFraming.Length(length), null, BodyEnd.after(length));
    }
    if (in.readableBytes() - headLength < length) {
      return null;
    }
    BodyFraming framing = known.length() < 0 ? new BodyFraming.Empty() : new BodyFraming.Length(length);
    in.skipBytes(headLength);
    return new Request(known, framing, in.readRetainedSlice((int) length), null);
  }

  private @Nullable Request readChunks(ByteBuf in, ClientHead known) throws RefusedMessage {
    BodyEnd end = body;
    if (end == null) {
      end = BodyEnd.chunks();
      body = end;
      scanned = 0;
    }
    int start = in.readerIndex() + headLength;
    int to = end.advance(in, start + scanned, null);
    scanned = to - start;
    if (end.isDone() && scanned <= MOST_HELD) {
      ByteBuf content = in.alloc().buffer(Math.max(1, scanned));
      int unused = BodyEnd.chunks().advance(in, start, content);
      in.readerIndex(to);
      return new Request(known, new BodyFraming.Length(content.readableBytes()), content, null);
    }
    if (scanned > MOST_HELD) {
      in.skipBytes(headLength);
      return new Request(known, new BodyFraming.Chunks(), null, BodyEnd.chunks());
    }
    return null;
  }

  /** What follows is another request. */
  void next() {
    head = null;
    body = null;
    searched = 0;
    dropEmpty();
  }

  /** Reads what has arrived of a body that is passed on, framed as its request says. */
  ByteBuf readBody(BodyFraming framing, BodyEnd upload) throws RefusedMessage {
    ByteBuf in = arrived;
    if (in == null) {
      return Unpooled.EMPTY_BUFFER;
    }
    ByteBuf read;
    if (framing instanceof BodyFraming.Chunks) {
      read = readChunked(in, upload);
    } else {
      int to = upload.advance(in, in.readerIndex(), null);
      read = in.readRetainedSlice(to - in.readerIndex());
    }
    dropEmpty();
    return read;
  }

  private static ByteBuf readChunked(ByteBuf in, BodyEnd upload) throws RefusedMessage {
    ByteBuf data = in.alloc().buffer(in.readableBytes());
    try {
      in.readerIndex(upload.advance(in, in.readerIndex(), data));
      return Buffers.chunk(in.alloc(), data, upload.isDone());
    } finally {
      data.release();
    }
  }
}
