package io.rns.front;

import io.rns.front.message.BodyEnd;
import io.rns.front.message.BodyFraming;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * What moves with a client's socket to another process.
 *
 * @param waited milliseconds since its request began to arrive or was complete, or since the last one ended
 * @param whole whether the request that arrives was complete, and waited for a server
 * @param continued whether status 100 was sent for the request that arrives
 * @param closing whether the connection closes after the current response
 * @param ended whether the client sends nothing more, which cannot always be read from its socket
 * @param outbound bytes of responses that the kernel did not take yet
 * @param inbound bytes of requests that were not passed on yet
 * @param request what a server has, or had; null if there is none
 */
@SuppressWarnings("ArrayRecordComponent") // never changed, never compared
record ConnectionState(
    int waited, boolean whole, boolean continued, boolean closing, boolean ended, byte[] outbound, byte[] inbound,
    @Nullable PendingRequest request) {
  private static final int NO_BODY = 0;
  private static final int LENGTH = 1;
  private static final int CHUNKS = 2;

  /** Of a client that has only been accepted. */
  static ConnectionState accepted(byte[] unread) {
    return new ConnectionState(0, false, false, false, false, new byte[0], unread, null);
  }

  /** How many sockets move. */
  int sockets() {
    return request == null || request.answer() == null ? 1 : 2;
  }

  /**
   * With bytes that the kernel had of its sockets.
   *
   * @param unread bytes of requests
   * @param unsent bytes of responses
   */
  ConnectionState with(byte[] unread, byte[] unsent, @Nullable PendingRequest pending) {
    return new ConnectionState(waited, whole, continued, closing, ended, Buffers.joined(unsent, outbound),
        Buffers.joined(inbound, unread), pending);
  }

  /**
   * Of one that closes, since its server is lost in the middle of a response.
   *
   * @param unsent bytes of responses that the kernel had
   */
  ConnectionState withoutServer(byte[] unsent) {
    return new ConnectionState(waited, false, continued, true, ended, Buffers.joined(unsent, outbound), new byte[0],
        null);
  }

  /** How many bytes it takes as it is sent. */
  int length() {
    DataOutputStream counted = new DataOutputStream(OutputStream.nullOutputStream());
    try {
      write(counted);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return counted.size();
  }

  void write(DataOutputStream out) throws IOException {
    out.writeInt(waited);
    out.writeBoolean(whole);
    out.writeBoolean(continued);
    out.writeBoolean(closing);
    out.writeBoolean(ended);
    Buffers.write(out, outbound);
    Buffers.write(out, inbound);
    out.writeBoolean(request != null);
    if (request != null) {
      Buffers.write(out, request.lines());
      switch (request.framing()) {
        case BodyFraming.Empty ignored -> out.writeByte(NO_BODY);
        case BodyFraming.Length length -> {
          out.writeByte(LENGTH);
          out.writeLong(length.bytes());
        }
        case BodyFraming.Chunks ignored -> out.writeByte(CHUNKS);
      }
      Buffers.write(out, request.message());
      end(out, request.upload());
      out.writeInt(request.sent());
      PendingAnswer answer = request.answer();
      out.writeBoolean(answer != null);
      if (answer != null) {
        out.writeUTF(answer.server());
        Buffers.write(out, answer.outbound());
        Buffers.write(out, answer.inbound());
        end(out, answer.answer());
        out.writeBoolean(answer.closes());
      }
    }
  }

  static ConnectionState read(DataInputStream in) throws IOException {
    int waited = in.readInt();
    boolean whole = in.readBoolean();
    boolean continued = in.readBoolean();
    boolean closing = in.readBoolean();
    boolean ended = in.readBoolean();
    byte[] outbound = Buffers.read(in);
    byte[] inbound = Buffers.read(in);
    return new ConnectionState(waited, whole, continued, closing, ended, outbound, inbound,
        in.readBoolean() ? request(in) : null);
  }

  private static PendingRequest request(DataInputStream in) throws IOException {
    byte[] lines = Buffers.read(in);
    BodyFraming framing = switch (in.readUnsignedByte()) {
      case NO_BODY -> new BodyFraming.Empty();
      case LENGTH -> new BodyFraming.Length(in.readLong());
      case CHUNKS -> new BodyFraming.Chunks();
      default -> throw new IOException("unknown framing");
    };
    byte[] message = Buffers.read(in);
    BodyEnd upload = end(in);
    int sent = in.readInt();
    PendingAnswer answer = in.readBoolean()
        ? new PendingAnswer(in.readUTF(), Buffers.read(in), Buffers.read(in), end(in), in.readBoolean())
        : null;
    return new PendingRequest(lines, framing, message, upload, sent, answer);
  }

  private static void end(DataOutputStream out, @Nullable BodyEnd end) throws IOException {
    out.writeBoolean(end != null);
    if (end != null) {
      end.write(out);
    }
  }

  private static @Nullable BodyEnd end(DataInputStream in) throws IOException {
    return in.readBoolean() ? BodyEnd.read(in) : null;
  }
}
