package io.rns.rserpool;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/** Bytes that never change, equal if they are the same. */
public final class Octets {
  /** No bytes. */
  public static final Octets NONE = new Octets(new byte[0]);

  private final byte[] bytes;

  private Octets(byte[] bytes) {
    this.bytes = bytes;
  }

  /** A copy of bytes. */
  public static Octets of(byte... bytes) {
    return bytes.length == 0 ? NONE : new Octets(bytes.clone());
  }

  /** The UTF-8 form of a text. */
  public static Octets utf8(String text) {
    return new Octets(text.getBytes(StandardCharsets.UTF_8));
  }

  /** How many. */
  public int length() {
    return bytes.length;
  }

  /** A copy. */
  public byte[] toBytes() {
    return bytes.clone();
  }

  /** Without copying, for those that only read. */
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

  /** Up to 64 bytes in hexadecimal digits. */
  @Override
  public String toString() {
    String digits = HexFormat.of().formatHex(bytes, 0, Math.min(64, bytes.length));
    return bytes.length > 64 ? digits + "... (" + bytes.length + " bytes)" : digits;
  }
}
