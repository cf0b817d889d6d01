package io.rns.local;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A memory size in the notation shared by the JVM and MariaDB: a number and k, m or g, such as {@code 512m}. */
enum MemorySize {
  /** The maximum heap of GlassFish, which does not start with less than 128 MB. */
  HEAP("--heap", 128L << 20),

  /** The database's memory for pages. With less than 8 MB InnoDB cannot work. */
  BUFFER_POOL("--buffer-pool", 8L << 20);

  /** Beyond any machine today; a larger number is a typo. */
  static final long MOST = 1L << 40;

  private static final Pattern SIZE = Pattern.compile("([1-9][0-9]{0,8})([kmgKMG])");

  private final String option;
  private final long least;

  MemorySize(String option, long least) {
    this.option = option;
    this.least = least;
  }

  /**
   * Validates a size.
   *
   * @throws IllegalArgumentException naming the option, its limits and the value
   */
  void check(String value) {
    var unused = bytes(value);
  }

  /**
   * The size in bytes.
   *
   * @throws IllegalArgumentException as {@link #check}
   */
  long bytes(String value) {
    Matcher size = SIZE.matcher(value);
    if (!size.matches() || bytes(size) < least || bytes(size) > MOST) {
      throw new IllegalArgumentException(
          option + " must be a number and k, m or g, from " + (least >> 20) + "m to " + (MOST >> 30) + "g, not '"
              + value
              + "'");
    }
    return bytes(size);
  }

  private static long bytes(Matcher size) {
    int shift =
        switch (size.group(2)) {
          case "k", "K" -> 10;
          case "m", "M" -> 20;
          default -> 30;
        };
    // Nine digits and 30 bits cannot overflow.
    return Long.parseLong(size.group(1)) << shift;
  }
}
