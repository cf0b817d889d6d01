package io.rns.front;

import io.netty.buffer.Unpooled;
import io.rns.front.message.BodyEnd;
import io.rns.front.message.BodyFraming;
import io.rns.front.message.ClientHead;
import io.rns.front.message.RefusedMessage;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The state of a request that a server has.
 *
 * @param lines its head as the server got it, without the framing
 * @param framing how it says where its body ends
 * @param message what the server got at once
 * @param upload where the arriving body ends; null if the server has all of it
 * @param sent milliseconds since the server got it
 * @param answer the state of the server connection, whose socket moves, too; null if that has ended
 */
@SuppressWarnings("ArrayRecordComponent") // never changed, never compared
record PendingRequest(
    byte[] lines, BodyFraming framing, byte[] message, @Nullable BodyEnd upload, int sent,
    @Nullable PendingAnswer answer) {
  /**
   * With bytes that the kernel had of the socket to the server.
   *
   * @param unread bytes of the response
   * @param unsent bytes of the request
   */
  PendingRequest with(byte[] unread, byte[] unsent) {
    PendingAnswer known = answer;
    return known == null ? this
        : new PendingRequest(lines, framing, message, upload, sent,
            new PendingAnswer(known.server(), Buffers.joined(unsent, known.outbound()),
                Buffers.joined(known.inbound(), unread), known.answer(), known.closes()));
  }

  /** Whether the client has a part of the response. */
  boolean hasBegun() {
    return answer != null && answer.answer() != null;
  }

  /** Without its connection to the server. */
  PendingRequest alone() {
    return new PendingRequest(lines, framing, message, upload, sent, null);
  }

  /** Its head. */
  ClientHead head() {
    ByteArrayOutputStream head = new ByteArrayOutputStream(lines.length + 2);
    head.writeBytes(lines);
    head.writeBytes("\r\n".getBytes(StandardCharsets.US_ASCII));
    try {
      return ClientHead.read(head.toByteArray());
    } catch (RefusedMessage e) {
      throw new IllegalStateException("a request that was passed on cannot be read", e);
    }
  }

  /** The length of the head in the message. */
  int headBytes() {
    return ClientHead.end(Unpooled.wrappedBuffer(message), 0);
  }
}
