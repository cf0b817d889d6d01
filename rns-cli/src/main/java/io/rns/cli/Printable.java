package io.rns.cli;

import java.io.PrintStream;
import java.io.Writer;

/** Makes text of servers harmless for terminals: a name or a message must not move the cursor, or hide other text. */
final class Printable {
  private Printable() {}

  /**
   * A text without characters that a terminal would obey, or that change the direction of text: controls, formats and
   * separators of lines are written as {@code \}{@code uXXXX}.
   *
   * @param kept sequences that stay
   */
  static String of(String text, String... kept) {
    StringBuilder out = new StringBuilder(text.length());
    for (int at = 0; at < text.length();) {
      String same = keptAt(text, at, kept);
      int c = text.codePointAt(at);
      if (!same.isEmpty()) {
        out.append(same);
        at += same.length();
      } else {
        append(out, c);
        at += Character.charCount(c);
      }
    }
    return out.toString();
  }

  private static String keptAt(String text, int at, String... kept) {
    for (String sequence : kept) {
      if (text.startsWith(sequence, at)) {
        return sequence;
      }
    }
    return "";
  }

  private static void append(StringBuilder out, int c) {
    int type = Character.getType(c);
    boolean harmless =
        type != Character.CONTROL && type != Character.FORMAT && type != Character.SURROGATE
            && type != Character.LINE_SEPARATOR && type != Character.PARAGRAPH_SEPARATOR;
    if (harmless) {
      out.appendCodePoint(c);
    } else {
      for (char unit : Character.toChars(c)) {
        out.append(String.format("\\u%04x", (int) unit));
      }
    }
  }

  /** Writes JSON for a terminal: in JSON, such characters are in strings only, where their escapes mean the same. */
  static final class JsonWriter extends Writer {
    private final PrintStream out;

    JsonWriter(PrintStream out) {
      this.out = out;
    }

    @Override
    public void write(char[] text, int from, int length) {
      out.print(of(new String(text, from, length), "\n", "\t"));
    }

    @Override
    public void flush() {
      out.flush();
    }

    @Override
    public void close() {
      out.flush();
    }
  }
}
