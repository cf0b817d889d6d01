package io.rns.xml;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A growing UTF-8 buffer, into which all requests and responses are written.
 *
 * <p>Markup is appended verbatim ({@link #raw}). Text and attribute values are escaped so that a parser returns exactly
 * what was written, including line ends.
 */
public final class XmlBuffer {
  /** From this length on, in characters, the platform's encoder is faster than a loop, although it copies twice. */
  private static final int ENCODER_CHARS = 8;

  private byte[] bytes;
  private int length;

  public XmlBuffer(int capacity) {
    bytes = new byte[capacity];
  }

  /** Appends markup verbatim. */
  public XmlBuffer raw(String markup) {
    int chars = markup.length();
    if (chars >= ENCODER_CHARS) {
      return raw(markup.getBytes(StandardCharsets.UTF_8));
    }
    ensure(chars);
    for (int i = 0; i < chars; i++) {
      char c = markup.charAt(i);
      if (c >= 0x80) {
        return raw(markup.substring(i).getBytes(StandardCharsets.UTF_8));
      }
      bytes[length++] = (byte) c;
    }
    return this;
  }

  /** Appends UTF-8 markup verbatim. */
  public XmlBuffer raw(byte[] markup) {
    return raw(markup, 0, markup.length);
  }

  /** Appends a part of UTF-8 markup verbatim. */
  public XmlBuffer raw(byte[] markup, int offset, int count) {
    ensure(count);
    System.arraycopy(markup, offset, bytes, length, count);
    length += count;
    return this;
  }

  /**
   * Appends character data, escaped.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST} for a character that XML cannot represent
   */
  public XmlBuffer text(String text) {
    return escaped(text, false);
  }

  /** Appends {@code  name="value"} with the value escaped. */
  public XmlBuffer attribute(String name, String value) {
    raw(" ").raw(name).raw("=\"");
    return escaped(value, true).raw("\"");
  }

  /** Appends {@code  name="value"}. */
  public XmlBuffer attribute(String name, long value) {
    return raw(" ").raw(name).raw("=\"").raw(Long.toString(value)).raw("\"");
  }

  private XmlBuffer escaped(String text, boolean attribute) {
    int plain = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (isPlain(c)) {
        continue;
      }
      if (Character.isSurrogate(c)) {
        requirePair(text, i);
        i++;
        continue;
      }
      String escape = escape(c, attribute);
      if (escape != null) {
        raw(text.substring(plain, i)).raw(escape);
        plain = i + 1;
      }
    }
    return raw(plain == 0 ? text : text.substring(plain));
  }

  /** Whether a character certainly is not escaped: most are letters, digits and slashes. */
  static boolean isPlain(char c) {
    return (c > '>' && c < 0x7f) || (c > '&' && c < '<');
  }

  private static void requirePair(String text, int at) {
    if (!Character.isHighSurrogate(text.charAt(at)) || at + 1 == text.length()
        || !Character.isLowSurrogate(text.charAt(at + 1))) {
      throw refused(text.charAt(at));
    }
  }

  static @org.jspecify.annotations.Nullable String escape(char c, boolean attribute) {
    return switch (c) {
      case '&' -> "&amp;";
      case '<' -> "&lt;";
      case '>' -> "&gt;";
      case '\r' -> "&#xD;";
      case '"' -> attribute ? "&quot;" : null;
      case '\n' -> attribute ? "&#xA;" : null;
      case '\t' -> attribute ? "&#x9;" : null;
      case '\ufffe', '\uffff' -> throw refused(c);
      default -> {
        if (c < ' ') {
          throw refused(c);
        }
        yield null;
      }
    };
  }

  private static RnsException refused(char c) {
    return new RnsException(RnsError.INVALID_REQUEST,
        String.format("a text has U+%04X, which XML cannot represent", (int) c));
  }

  private void ensure(int more) {
    if (bytes.length - length < more) {
      bytes = Arrays.copyOf(bytes, Math.max(length + more, length + (length >> 1) + 16));
    }
  }

  /** The number of bytes written. */
  public int length() {
    return length;
  }

  /** Discards everything after {@code length}; 0 empties the buffer and keeps its memory. */
  public void truncate(int length) {
    this.length = Math.min(this.length, length);
  }

  /** Copies the content to a stream. */
  public void writeTo(OutputStream out) throws IOException {
    out.write(bytes, 0, length);
  }

  /** Returns a copy of the content. */
  public byte[] toByteArray() {
    return Arrays.copyOf(bytes, length);
  }

  /** The content as text. */
  @Override
  public String toString() {
    return new String(bytes, 0, length, StandardCharsets.UTF_8);
  }
}
