package io.rns.api;

import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.nio.charset.StandardCharsets;

/**
 * One component of a path: 1 to {@value Limits#NAME_BYTES} bytes of UTF-8. Unicode is preserved without normalisation
 * and compared by bytes.
 *
 * <p>Not allowed: the empty name, {@code .}, {@code ..}, names with {@code /}, NUL or another control character, and
 * text without a UTF-8 or XML form (unpaired surrogates, U+FFFE, U+FFFF).
 */
public final class EntryName implements Comparable<EntryName> {
  private final String text;

  private EntryName(String text) {
    this.text = text;
  }

  /**
   * Validates a name.
   *
   * @throws RnsException {@link RnsError#INVALID_NAME} or {@link RnsError#LIMIT_EXCEEDED}
   */
  public static EntryName of(String text) {
    if (text.isEmpty()) {
      throw new RnsException(RnsError.INVALID_NAME, "an entry name is empty");
    }
    if (text.equals(".") || text.equals("..")) {
      throw new RnsException(RnsError.INVALID_NAME, "entry name '" + text + "' is reserved");
    }
    Limits.check(() -> "entry name '" + Text.shown(text) + "'", Text.checkedUtf8Length(text), Limits.NAME_BYTES,
        "bytes");
    return new EntryName(text);
  }

  /** Restores a name from the store, without validation. */
  public static EntryName ofUtf8(byte[] utf8) {
    return new EntryName(new String(utf8, StandardCharsets.UTF_8));
  }

  /** The UTF-8 form, which defines the order of names. */
  public byte[] utf8() {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Order of the UTF-8 bytes, which is the order of code points. */
  @Override
  public int compareTo(EntryName other) {
    return Text.compareByCodePoint(text, other.text);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof EntryName name && text.equals(name.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  /** The name as given. */
  @Override
  public String toString() {
    return text;
  }
}
