package io.rns.rserpool;

import java.nio.ByteBuffer;

/** A part of a message that is being read; never reads beyond its end. */
final class Input {
  private final String kind;
  private final int type;
  private final ByteBuffer buffer;

  private Input(String kind, int type, ByteBuffer buffer) {
    this.kind = kind;
    this.type = type;
    this.buffer = buffer;
  }

  /** Bytes of a message; kind and type say which. */
  static Input of(byte[] bytes, int from, int to, String kind, int type) {
    return new Input(kind, type, ByteBuffer.wrap(bytes, from, to - from));
  }

  /** Its name, made only where something is wrong with it. */
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

  /** The next number, to be read again. */
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

  /** What is not read yet, to read again from here. */
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

  /** The value of a parameter. */
  Input parameter(int count, int code) throws Stopped {
    need(count);
    ByteBuffer part = buffer.slice(buffer.position(), count);
    buffer.position(buffer.position() + count);
    return new Input("parameter", code, part);
  }

  /** Skips up to three bytes behind a part of a length; the last part may come without. */
  void skipPadding(int length) {
    buffer.position(buffer.position() + Math.min(-length & 3, buffer.remaining()));
  }

  void end() throws Stopped {
    if (buffer.hasRemaining()) {
      throw Stopped.malformed(what() + " has " + buffer.remaining() + " bytes too many");
    }
  }
}
