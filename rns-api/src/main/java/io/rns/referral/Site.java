package io.rns.referral;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.regex.Pattern;

/**
 * Where a server or a client is, for the choice of what is near: levels from the widest to the narrowest, {@code
 * europe/essen/rack-7}. What the levels mean is up to those who run the servers.
 *
 * @param text the levels with {@code /} between them; empty if the place is not said
 */
public record Site(String text) {
  /** Length of the text form, at most. */
  public static final int MOST_CHARS = 200;

  private static final Pattern FORM = Pattern.compile("(?:[A-Za-z0-9._-]+(?:/[A-Za-z0-9._-]+)*)?");

  /** The place is not said. */
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

  /** Whether no place is said. */
  public boolean isNone() {
    return text.isEmpty();
  }

  /**
   * How far another place is from here: the number of levels of this one, the last ones, that the other does not share.
   * 0 is the same place, or one inside; where this place is not said, all are equally near.
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
