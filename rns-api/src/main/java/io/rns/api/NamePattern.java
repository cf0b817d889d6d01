package io.rns.api;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;

/**
 * A filter on the names of a listing. Matching (RE2) is linear in the length of the name, so no pattern can stall a
 * server.
 *
 * <p>Two forms: a glob ({@code *} any characters, {@code ?} one character, {@code [a-z]} and {@code [!a-z]} a set,
 * {@code \} escapes the next character) and an RE2 regular expression. Both match the whole name.
 */
public final class NamePattern {
  /** The syntax of a pattern. */
  public enum Syntax {
    /** Shell wildcards. */
    GLOB,
    /** An RE2 regular expression. */
    REGEX
  }

  private final Syntax syntax;
  private final String text;
  private final Pattern pattern;
  private final String prefix;

  private NamePattern(Syntax syntax, String text, String regex, String prefix) {
    this.syntax = syntax;
    this.text = text;
    this.prefix = prefix;
    try {
      this.pattern = Pattern.compile(regex, Pattern.DOTALL);
    } catch (PatternSyntaxException e) {
      throw new RnsException(
          RnsError.INVALID_REQUEST, "name pattern '" + Text.shown(text) + "': " + e.getDescription(), e);
    }
  }

  /**
   * Parses a pattern in either syntax.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST} or {@link RnsError#LIMIT_EXCEEDED}
   */
  public static NamePattern of(Syntax syntax, String text) {
    return switch (syntax) {
      case GLOB -> glob(text);
      case REGEX -> regex(text);
    };
  }

  /**
   * Parses a glob.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST} or {@link RnsError#LIMIT_EXCEEDED}
   */
  public static NamePattern glob(String glob) {
    Limits.check("name pattern", glob.length(), Limits.PATTERN_CHARS, "characters");
    StringBuilder regex = new StringBuilder();
    StringBuilder prefix = new StringBuilder();
    boolean literal = true;
    for (int i = 0; i < glob.length(); i++) {
      char c = glob.charAt(i);
      int setEnd = c == '[' ? setEnd(glob, i + 1) : -1;
      if (c == '*' || c == '?' || setEnd > 0) {
        literal = false;
        regex.append(c == '*' ? ".*" : c == '?' ? "." : set(glob.substring(i + 1, setEnd)));
        i = setEnd > 0 ? setEnd : i;
      } else {
        if (c == '\\' && i + 1 < glob.length()) {
          c = glob.charAt(++i);
        }
        regex.append(quoted(c));
        if (literal) {
          prefix.append(c);
        }
      }
    }
    return new NamePattern(Syntax.GLOB, glob, regex.toString(), prefix.toString());
  }

  /** The index of the bracket that closes the set whose content begins at {@code from}; -1 if it is not closed. */
  private static int setEnd(String glob, int from) {
    int members = isNegated(glob, from) ? from + 1 : from;
    // A bracket in first position is a member.
    for (int i = members; i < glob.length(); i++) {
      if (glob.charAt(i) == ']' && i > members) {
        return i;
      }
      if (glob.charAt(i) == '\\') {
        i++;
      }
    }
    return -1;
  }

  private static boolean isNegated(String glob, int at) {
    return glob.startsWith("!", at) || glob.startsWith("^", at);
  }

  private static String set(String content) {
    boolean negated = isNegated(content, 0);
    StringBuilder set = new StringBuilder(negated ? "[^" : "[");
    for (int i = negated ? 1 : 0; i < content.length(); i++) {
      char c = content.charAt(i);
      boolean plain = c == '-';
      if (c == '\\' && i + 1 < content.length()) {
        c = content.charAt(++i);
      }
      // An unescaped hyphen denotes a range, as in the regular expression.
      boolean escape = c < 0x80 && !Character.isLetterOrDigit(c) && !plain;
      set.append(escape ? "\\" : "").append(c);
    }
    return set.append(']').toString();
  }

  private static String quoted(char c) {
    return Character.isSurrogate(c) ? String.valueOf(c) : Pattern.quote(String.valueOf(c));
  }

  /**
   * Parses an RE2 regular expression of at most {@value Limits#PATTERN_CHARS} characters after expansion of its counted
   * repetitions.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST} or {@link RnsError#LIMIT_EXCEEDED}
   */
  public static NamePattern regex(String regex) {
    Limits.check("name pattern", regex.length(), Limits.PATTERN_CHARS, "characters");
    Limits.check(
        "name pattern '" + Text.shown(regex) + "', with its repetitions written out,",
        RegexSize.of(regex),
        Limits.PATTERN_CHARS,
        "characters");
    return new NamePattern(Syntax.REGEX, regex, regex, "");
  }

  public Syntax syntax() {
    return syntax;
  }

  /** The literal prefix of every match, which bounds the range of names to scan. */
  public String literalPrefix() {
    return prefix;
  }

  /** Whether the pattern matches the whole name. */
  public boolean matches(EntryName name) {
    return pattern.matches(name.toString());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof NamePattern pattern && syntax == pattern.syntax && text.equals(pattern.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  /** The pattern as written. */
  @Override
  public String toString() {
    return text;
  }
}
