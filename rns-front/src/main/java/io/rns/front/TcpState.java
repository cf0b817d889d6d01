package io.rns.front;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * A TCP connection between two kernels, without the bytes that a program can read or has yet to send.
 *
 * @param local its address on this side, IPv4
 * @param remote the other one's
 * @param received the sequence number of the next byte from the other side
 * @param acknowledged the sequence number of the first byte of {@code unacknowledged}
 * @param ended whether the other side has sent its end
 * @param options which options are in use, as in {@code tcp_info}: 1 timestamps, 2 selective acknowledgements, 4 scaled
 *        windows
 * @param scales of windows, as in {@code tcp_info}: the other side's in the lower four bits
 * @param segment the largest segment that the other side takes, in bytes
 * @param timestamp the clock of timestamps
 * @param window as in {@code tcp_repair_window}, 20 bytes
 * @param unacknowledged bytes that were sent and may have to be sent again
 */
@SuppressWarnings("ArrayRecordComponent") // never changed, never compared
record TcpState(InetSocketAddress local, InetSocketAddress remote, int received, int acknowledged, boolean ended,
    int options, int scales, int segment, int timestamp, byte[] window, byte[] unacknowledged) {
  static final int WINDOW_BYTES = 20;

  private static final int ADDRESS_BYTES = 4;
  private static final int ENDED = 0x80;
  private static final int MOST_BYTES = 16 << 20;

  void write(DataOutputStream out) throws IOException {
    write(out, local);
    write(out, remote);
    out.writeInt(received);
    out.writeInt(acknowledged);
    out.writeByte(ended ? options | ENDED : options);
    out.writeByte(scales);
    out.writeShort(segment);
    out.writeInt(timestamp);
    out.write(window);
    out.writeInt(unacknowledged.length);
    out.write(unacknowledged);
  }

  private static void write(DataOutputStream out, InetSocketAddress address) throws IOException {
    out.write(address.getAddress().getAddress());
    out.writeShort(address.getPort());
  }

  static TcpState read(DataInputStream in) throws IOException {
    InetSocketAddress local = address(in);
    InetSocketAddress remote = address(in);
    int received = in.readInt();
    int acknowledged = in.readInt();
    int flags = in.readUnsignedByte();
    int scales = in.readUnsignedByte();
    int segment = in.readUnsignedShort();
    int timestamp = in.readInt();
    byte[] window = bytes(in, WINDOW_BYTES);
    int length = in.readInt();
    if (length < 0 || length > MOST_BYTES) {
      throw new IOException("a connection with " + length + " unacknowledged bytes");
    }
    return new TcpState(local, remote, received, acknowledged, (flags & ENDED) != 0, flags & ~ENDED, scales, segment,
        timestamp, window, bytes(in, length));
  }

  private static InetSocketAddress address(DataInputStream in) throws IOException {
    return new InetSocketAddress(InetAddress.getByAddress(bytes(in, ADDRESS_BYTES)), in.readUnsignedShort());
  }

  private static byte[] bytes(DataInputStream in, int length) throws IOException {
    byte[] bytes = new byte[length];
    in.readFully(bytes);
    return bytes;
  }
}
