package io.rns.api;

import io.rns.error.RnsError;
import io.rns.error.RnsException;

/** Rules for the text of names and paths. */
final class Text {
  private static final int SHOWN_CHARS = 60;

  private Text() {}

  /**
   * Validates the characters of a name and returns its length in UTF-8 bytes.
   *
   * @throws RnsException {@link RnsError#INVALID_NAME} with the first invalid character
   */
  static int checkedUtf8Length(String text) {
    int bytes = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < 0x80) {
        if (c < 0x20 || c == 0x7f || c == '/') {
          throw refused(text, c, i);
        }
        bytes++;
      } else if (c < 0x800) {
        if (c < 0xa0) {
          throw refused(text, c, i);
        }
        bytes += 2;
      } else if (Character.isSurrogate(c)) {
        if (!Character.isHighSurrogate(c) || i + 1 == text.length() || !Character.isLowSurrogate(text.charAt(i + 1))) {
          throw refused(text, c, i);
        }
        i++;
        bytes += 4;
      } else {
        if (c >= 0xfffe) {
          throw refused(text, c, i);
        }
        bytes += 3;
      }
    }
    return bytes;
  }

  private static RnsException refused(String text, char c, int index) {
    String what =
        c == '/' ? "'/'" : Character.isSurrogate(c) ? "an unpaired surrogate" : String.format("U+%04X", (int) c);
    return new RnsException(
        RnsError.INVALID_NAME,
        "entry name '" + shown(text) + "' has " + what + " at index " + index + ", which is not allowed");
  }

  /** A text for use in messages: truncated, with control characters replaced. */
  static String shown(String text) {
    String cut = text.length() <= SHOWN_CHARS ? text : text.substring(0, SHOWN_CHARS) + "...";
    StringBuilder shown = new StringBuilder(cut.length());
    cut.codePoints()
        .map(c -> Character.isISOControl(c) || (c >= 0xd800 && c <= 0xdfff) || c == 0xfffe || c == 0xffff ? 0xfffd : c)
        .forEach(shown::appendCodePoint);
    return shown.toString();
  }

  static int compareByCodePoint(String a, String b) {
    int length = Math.min(a.length(), b.length());
    for (int i = 0; i < length; i++) {
      char x = a.charAt(i);
      char y = b.charAt(i);
      if (x != y) {
        boolean surrogateX = Character.isSurrogate(x);
        boolean surrogateY = Character.isSurrogate(y);
        // UTF-16 orders surrogates below U+E000..U+FFFF, UTF-8 above.
        return surrogateX != surrogateY ? (surrogateX ? 1 : -1) : Character.compare(x, y);
      }
    }
    return Integer.compare(a.length(), b.length());
  }
}
