package io.rns.rserpool;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/** Immutable bytes, compared by content. */
public final class Octets {
  /** No bytes. */
  public static final Octets NONE = new Octets(new byte[0]);

  private final byte[] bytes;

  private Octets(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Copies bytes. */
  public static Octets of(byte... bytes) {
    return bytes.length == 0 ? NONE : new Octets(bytes.clone());
  }

  /** Encodes a text in UTF-8. */
  public static Octets utf8(String text) {
    return new Octets(text.getBytes(StandardCharsets.UTF_8));
  }

  /** The number of bytes. */
  public int length() {
    return bytes.length;
  }

  /** A copy of the bytes. */
  public byte[] toBytes() {
    return bytes.clone();
  }

  /** The array itself, for callers that only read. */
  byte[] shared() {
    return bytes;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Octets octets && Arrays.equals(bytes, octets.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /** Up to 64 bytes in hexadecimal. */
  @Override
  public String toString() {
    String digits = HexFormat.of().formatHex(bytes, 0, Math.min(64, bytes.length));
    return bytes.length > 64 ? digits + "... (" + bytes.length + " bytes)" : digits;
  }
}
