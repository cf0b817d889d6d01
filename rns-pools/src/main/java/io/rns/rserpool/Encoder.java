package io.rns.rserpool;

import io.rns.error.Limits;
import java.util.Arrays;

/** Writes one message. On every level, a length excludes the trailing zeros that pad to a multiple of four bytes. */
final class Encoder {
  private byte[] bytes = new byte[256];
  private int size;

  /** The size without trailing padding. */
  private int content;

  Encoder u8(int value) {
    room(1);
    bytes[size++] = (byte) value;
    content = size;
    return this;
  }

  Encoder u16(int value) {
    room(2);
    bytes[size] = (byte) (value >>> 8);
    bytes[size + 1] = (byte) value;
    size += 2;
    content = size;
    return this;
  }

  Encoder u32(long value) {
    room(4);
    bytes[size] = (byte) (value >>> 24);
    bytes[size + 1] = (byte) (value >>> 16);
    bytes[size + 2] = (byte) (value >>> 8);
    bytes[size + 3] = (byte) value;
    size += 4;
    content = size;
    return this;
  }

  Encoder u64(long value) {
    return u32(value >>> 32).u32(value);
  }

  Encoder octets(Octets octets) {
    int length = octets.length();
    room(length);
    System.arraycopy(octets.shared(), 0, bytes, size, length);
    size += length;
    content = size;
    return this;
  }

  private void room(int more) {
    if (bytes.length - size < more) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
    }
  }

  /** Begins a message, which {@link #end} completes. */
  int beginMessage(int type, int flags) {
    int start = size;
    u8(type).u8(flags).u16(0);
    return start;
  }

  /** Begins a parameter or an error cause, which {@link #end} completes. */
  int begin(int type) {
    int start = size;
    u16(type).u16(0);
    return start;
  }

  void end(int start) {
    int length = content - start;
    Limits.check("an ASAP or ENRP message, or part of it,", length, WireLimits.MESSAGE_BYTES, "bytes");
    bytes[start + 2] = (byte) (length >>> 8);
    bytes[start + 3] = (byte) length;
    int zeros = -size & 3;
    room(zeros);
    size += zeros;
  }

  void parameter(int type, Octets value) {
    int start = begin(type);
    octets(value);
    end(start);
  }

  void parameter32(int type, int value) {
    int start = begin(type);
    u32(value);
    end(start);
  }

  byte[] finish() {
    return Arrays.copyOf(bytes, size);
  }
}
