package io.rns.cli;

import java.util.ArrayList;
import java.util.List;

/**
 * An unfinished command line, parsed as bash does: quotes and backslashes are removed, nothing is expanded.
 *
 * @param words the complete words, the program first
 * @param last the start of the word at the cursor
 * @param quote the quotation mark that opens the last word and is not closed yet; 0 for none
 * @param partlyQuoted whether the last word has other quotation marks
 */
record ShellLine(List<String> words, String last, char quote, boolean partlyQuoted) {
  /** Characters that need no escape outside of quotation marks. */
  private static final String PLAIN = "_./,+@%^:=-";

  ShellLine {
    words = List.copyOf(words);
  }

  static ShellLine parse(String line) {
    return new Parser().parse(line);
  }

  /** Text as one word that a shell does not change. */
  static String word(String text) {
    return new ShellLine(List.of(), "", (char) 0, false).escaped(text);
  }

  /** Text as the user would type it next. */
  String escaped(String text) {
    if (quote == '\'') {
      return text.replace("'", "'\\''");
    }
    StringBuilder escaped = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean special =
          quote == '"' ? "\"\\$`".indexOf(c) >= 0 : c < 0x80 && !Character.isLetterOrDigit(c) && PLAIN.indexOf(c) < 0;
      escaped.append(special ? "\\" : "").append(c);
    }
    return escaped.toString();
  }

  /** Holds the state between two characters. */
  private static final class Parser {
    private final List<String> words = new ArrayList<>();
    private final StringBuilder word = new StringBuilder();
    private char quote;
    private boolean begun;
    private boolean quotedAtStart;
    private boolean partlyQuoted;

    ShellLine parse(String line) {
      for (int i = 0; i < line.length(); i++) {
        char c = line.charAt(i);
        if (c == '\\' && quote != '\'' && i + 1 < line.length()) {
          begun = true;
          backslash(line.charAt(++i));
        } else {
          plain(c);
        }
      }
      return new ShellLine(words, word.toString(), quotedAtStart && !partlyQuoted ? quote : 0, partlyQuoted);
    }

    private void backslash(char next) {
      word.append(quote == '"' && "\"\\$`".indexOf(next) < 0 ? "\\" : "").append(next);
    }

    private void plain(char c) {
      if (quote == 0 && (c == ' ' || c == '\t' || c == '\n')) {
        end();
      } else if (quote == 0 && (c == '"' || c == '\'')) {
        partlyQuoted |= begun;
        quotedAtStart = !begun;
        quote = c;
        begun = true;
      } else if (c == quote) {
        quote = 0;
        partlyQuoted = true;
      } else {
        begun = true;
        word.append(c);
      }
    }

    private void end() {
      if (begun) {
        words.add(word.toString());
        word.setLength(0);
      }
      begun = false;
      quotedAtStart = false;
      partlyQuoted = false;
    }
  }
}
