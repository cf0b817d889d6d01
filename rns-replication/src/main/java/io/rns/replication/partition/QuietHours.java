package io.rns.replication.partition;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The time of each day, in UTC, in which no move begins.
 *
 * @param from the first moment
 * @param until the first moment after it; before {@code from} if midnight lies between
 */
public record QuietHours(LocalTime from, LocalTime until) {
  /** No time of the day. */
  public static final QuietHours NONE = new QuietHours(LocalTime.MIDNIGHT, LocalTime.MIDNIGHT);

  private static final Pattern FORM = Pattern.compile("([0-9]{2}:[0-9]{2})-([0-9]{2}:[0-9]{2})");

  /**
   * Reads a text such as {@code 22:00-06:00}; nothing means {@link #NONE}.
   *
   * @throws IllegalArgumentException if it is another text
   */
  public static QuietHours parse(String text) {
    if (text.isEmpty()) {
      return NONE;
    }
    Matcher parts = FORM.matcher(text);
    try {
      if (parts.matches()) {
        QuietHours hours = new QuietHours(LocalTime.parse(parts.group(1)), LocalTime.parse(parts.group(2)));
        if (!hours.from.equals(hours.until)) {
          return hours;
        }
      }
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(wrong(text), e);
    }
    throw new IllegalArgumentException(wrong(text));
  }

  private static String wrong(String text) {
    return "'" + text + "' is not a time of the day in UTC like 22:00-06:00";
  }

  /** Whether no move may begin at a moment. */
  public boolean contains(Instant moment) {
    LocalTime time = moment.atZone(ZoneOffset.UTC).toLocalTime();
    boolean begun = !time.isBefore(from);
    boolean over = !time.isBefore(until);
    return from.isAfter(until) ? begun || !over : begun && !over;
  }

  @Override
  public String toString() {
    return equals(NONE) ? "" : from + "-" + until;
  }
}
