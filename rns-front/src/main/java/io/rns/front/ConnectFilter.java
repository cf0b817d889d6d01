package io.rns.front;

import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;

/**
 * Has a listening socket ignore who begins to connect, without refusing it. Else a client could be half connected when
 * its front moves, which no kernel would know then.
 */
final class ConnectFilter {
  private static final int ATTACH_FILTER = 26;
  private static final int DETACH_FILTER = 27;
  private static final int FLAGS_OFFSET = 13;
  private static final int SYN = 0x02;
  private static final int SYN_OR_ACK = 0x12;
  private static final int LOAD_BYTE = 0x30;
  private static final int AND = 0x54;
  private static final int JUMP_UNLESS_EQUAL = 0x15;
  private static final int RETURN = 0x06;
  private static final int ALL = Integer.MAX_VALUE;
  private static final int INSTRUCTIONS = 5;
  private static final int INSTRUCTION_BYTES = 8;

  private final int socket;
  private final SystemCalls calls;

  private ConnectFilter(int socket, SystemCalls calls) {
    this.socket = socket;
    this.calls = calls;
  }

  /** Begins to ignore. */
  static ConnectFilter attach(int socket, SystemCalls calls) throws IOException {
    ByteBuffer program = SystemCalls.memory(INSTRUCTIONS * INSTRUCTION_BYTES);
    add(program, LOAD_BYTE, 0, FLAGS_OFFSET);
    add(program, AND, 0, SYN_OR_ACK);
    add(program, JUMP_UNLESS_EQUAL, 1, SYN);
    add(program, RETURN, 0, 0);
    add(program, RETURN, 0, ALL);
    ByteBuffer reference = SystemCalls.memory(2 * Long.BYTES);
    try {
      reference.putShort(0, (short) INSTRUCTIONS).putLong(Long.BYTES, calls.address(program.flip()));
      calls.set(socket, SystemCalls.SOCKET_LEVEL, ATTACH_FILTER, "SO_ATTACH_FILTER", reference);
    } finally {
      Reference.reachabilityFence(program);
    }
    return new ConnectFilter(socket, calls);
  }

  private static void add(ByteBuffer program, int code, int otherwise, int value) {
    program.putShort((short) code).put((byte) 0).put((byte) otherwise).putInt(value);
  }

  /** Takes clients again. */
  void detach() throws IOException {
    calls.set(socket, SystemCalls.SOCKET_LEVEL, DETACH_FILTER, "SO_DETACH_FILTER", 0);
  }
}
