package io.rns.api;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;

/**
 * Which names a listing shows. Matched in time linear in the name (RE2), so no pattern can stall a server.
 *
 * <p>Two forms: a glob ({@code *} any characters, {@code ?} one character, {@code [a-z]} and {@code [!a-z]} a set, {@code
 * \} takes the next character as it is) and an RE2 regular expression; both match the whole name.
 */
public final class NamePattern {
  /** How a pattern is written. */
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
    Limits.check("name pattern", text.length(), Limits.PATTERN_CHARS, "characters");
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

  /** A pattern in either syntax. */
  public static NamePattern of(Syntax syntax, String text) {
    return switch (syntax) {
      case GLOB -> glob(text);
      case REGEX -> regex(text);
    };
  }

  /**
   * A glob.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST} or {@link RnsError#LIMIT_EXCEEDED}
   */
  public static NamePattern glob(String glob) {
    StringBuilder regex = new StringBuilder();
    StringBuilder prefix = new StringBuilder();
    boolean literal = true;
    for (int i = 0; i < glob.length(); i++) {
      char c = glob.charAt(i);
      int setEnd = c == '[' ? glob.indexOf(']', i + 2) : -1;
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

  private static String set(String inner) {
    boolean negated = inner.startsWith("!") || inner.startsWith("^");
    String members = (negated ? inner.substring(1) : inner).replace("\\", "\\\\").replace("[", "\\[").replace("^", "\\^");
    return "[" + (negated ? "^" : "") + members + "]";
  }

  private static String quoted(char c) {
    return Character.isSurrogate(c) ? String.valueOf(c) : Pattern.quote(String.valueOf(c));
  }

  /**
   * An RE2 regular expression.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST} or {@link RnsError#LIMIT_EXCEEDED}
   */
  public static NamePattern regex(String regex) {
    return new NamePattern(Syntax.REGEX, regex, regex, "");
  }

  /** How the pattern is written. */
  public Syntax syntax() {
    return syntax;
  }

  /** Characters that every match begins with: where a listing may start and stop. */
  public String literalPrefix() {
    return prefix;
  }

  /** Whether the whole name matches. */
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
