package io.rns.referral;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.regex.Pattern;

/**
 * The location of a server or client, used to prefer near servers: levels from the widest to the narrowest, for example
 * {@code europe/essen/rack-7}. Operators define what the levels mean.
 *
 * @param text the levels, separated by {@code /}; empty if unspecified
 */
public record Site(String text) {
  /** Maximum length of the text form, in characters. */
  public static final int MOST_CHARS = 200;

  private static final Pattern FORM = Pattern.compile("(?:[A-Za-z0-9._-]+(?:/[A-Za-z0-9._-]+)*)?");

  /** An unspecified site. */
  public static final Site NONE = new Site("");

  /**
   * Checks the form.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST}
   */
  public Site {
    if (text.length() > MOST_CHARS || !FORM.matcher(text).matches()) {
      throw new RnsException(
          RnsError.INVALID_REQUEST,
          "a site has up to " + MOST_CHARS
              + " characters, and levels of letters, digits, '.', '_' and '-' with '/' between them");
    }
  }

  /** Whether the site is unspecified. */
  public boolean isNone() {
    return text.isEmpty();
  }

  /**
   * The distance to another site: the number of trailing levels of this site that the other does not share. 0 for the
   * same site or one inside it; 0 for all sites if this one is unspecified.
   */
  public int distance(Site other) {
    int from = 0;
    while (from < text.length()) {
      int end = levelEnd(text, from);
      boolean shared =
          from < other.text.length() && levelEnd(other.text, from) == end
              && text.regionMatches(from, other.text, from, end - from);
      if (!shared) {
        return levels(from);
      }
      from = end + 1;
    }
    return 0;
  }

  private int levels(int from) {
    int levels = 1;
    for (int i = from; i < text.length(); i++) {
      levels += text.charAt(i) == '/' ? 1 : 0;
    }
    return levels;
  }

  private static int levelEnd(String text, int from) {
    int end = text.indexOf('/', from);
    return end < 0 ? text.length() : end;
  }

  @Override
  public String toString() {
    return text;
  }
}
