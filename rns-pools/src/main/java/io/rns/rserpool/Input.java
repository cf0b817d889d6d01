package io.rns.rserpool;

import java.nio.ByteBuffer;

/** A bounded part of a message being read. */
final class Input {
  private final String kind;
  private final int type;
  private final ByteBuffer buffer;

  private Input(String kind, int type, ByteBuffer buffer) {
    this.kind = kind;
    this.type = type;
    this.buffer = buffer;
  }

  /** A part of a message; kind and type name it in errors. */
  static Input of(byte[] bytes, int from, int to, String kind, int type) {
    return new Input(kind, type, ByteBuffer.wrap(bytes, from, to - from));
  }

  /** Its name, built only for errors. */
  String what() {
    return kind + " " + ParameterReader.hex(type);
  }

  int remaining() {
    return buffer.remaining();
  }

  private void need(int count) throws Stopped {
    if (buffer.remaining() < count) {
      throw Stopped.malformed(what() + " ends " + (count - buffer.remaining()) + " bytes early");
    }
  }

  int u16() throws Stopped {
    need(2);
    return buffer.getShort() & 0xffff;
  }

  /** Peeks at the next 16-bit number. */
  int nextU16() throws Stopped {
    need(2);
    return buffer.getShort(buffer.position()) & 0xffff;
  }

  int s32() throws Stopped {
    need(4);
    return buffer.getInt();
  }

  long u32() throws Stopped {
    return s32() & 0xffff_ffffL;
  }

  long s64() throws Stopped {
    need(8);
    return buffer.getLong();
  }

  /** A view of the unread bytes. */
  Input ahead() {
    return new Input(kind, type, buffer.slice());
  }

  Octets octets(int count) throws Stopped {
    need(count);
    byte[] bytes = new byte[count];
    buffer.get(bytes);
    return Octets.of(bytes);
  }

  Octets rest() throws Stopped {
    return octets(buffer.remaining());
  }

  /** Takes the value of a parameter. */
  Input parameter(int count, int code) throws Stopped {
    need(count);
    ByteBuffer part = buffer.slice(buffer.position(), count);
    buffer.position(buffer.position() + count);
    return new Input("parameter", code, part);
  }

  /** Skips up to three bytes of padding; after the last part padding is optional. */
  void skipPadding(int length) {
    buffer.position(buffer.position() + Math.min(-length & 3, buffer.remaining()));
  }

  void end() throws Stopped {
    if (buffer.hasRemaining()) {
      throw Stopped.malformed(what() + " has " + buffer.remaining() + " bytes too many");
    }
  }
}
