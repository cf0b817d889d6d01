package io.rns.wire.resource;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The requested end of a resource: a point in time, a period from now, or never.
 *
 * @param time the time; empty for never, or if the other two define the end
 * @param period days, months and years from now
 * @param rest hours, minutes and seconds to add to the period
 */
public record Lifetime(Optional<Instant> time, Optional<Period> period, Duration rest) {
  public static final Lifetime ENDLESS = new Lifetime(Optional.empty(), Optional.empty(), Duration.ZERO);

  private static final Pattern DURATION =
      Pattern.compile(
          "(-?)P((?:\\d{1,9}Y)?(?:\\d{1,9}M)?(?:\\d{1,9}D)?)(?:T((?:\\d{1,9}H)?(?:\\d{1,9}M)?(?:\\d{1,9}(?:\\.\\d{1,9})?S)?))?");

  public static Lifetime until(Instant time) {
    return new Lifetime(Optional.of(time), Optional.empty(), Duration.ZERO);
  }

  /** Parses an {@code xsd:dateTime}; without a time zone it is taken as UTC. */
  public static Lifetime ofDateTime(String text) {
    try {
      return until(OffsetDateTime.parse(text).toInstant());
    } catch (DateTimeException notWithZone) {
      try {
        return until(LocalDateTime.parse(text).toInstant(ZoneOffset.UTC));
      } catch (DateTimeException e) {
        throw new RnsException(RnsError.INVALID_REQUEST, "RequestedTerminationTime is not a date with a time", e);
      }
    }
  }

  /** Parses an {@code xsd:duration}. */
  public static Lifetime ofDuration(String text) {
    Matcher matcher = DURATION.matcher(text);
    boolean matches = matcher.matches();
    String days = matches ? matcher.group(2) : "";
    @Nullable
    String time = matches ? matcher.group(3) : "";
    if (!matches || "".equals(time) || (days.isEmpty() && time == null)) {
      throw new RnsException(RnsError.INVALID_REQUEST, "RequestedLifetimeDuration is not a duration");
    }
    Period period = days.isEmpty() ? Period.ZERO : Period.parse("P" + days);
    Duration rest = time == null ? Duration.ZERO : Duration.parse("PT" + time);
    boolean negative = matcher.group(1).equals("-");
    return new Lifetime(Optional.empty(), Optional.of(negative ? period.negated() : period),
        negative ? rest.negated() : rest);
  }

  /** The duration as {@code xsd:duration}. */
  String durationText() {
    boolean negative = rest.isNegative() || period.orElse(Period.ZERO).isNegative();
    Period days = period.map(p -> negative ? p.negated() : p).orElse(Period.ZERO);
    Duration time = negative ? rest.negated() : rest;
    String text = days.isZero() ? time.toString() : days + (time.isZero() ? "" : time.toString().substring(1));
    return negative ? "-" + text : text;
  }

  /** The end relative to {@code now}; empty for never. */
  public Optional<Instant> end(Instant now) {
    if (period.isEmpty()) {
      return time;
    }
    try {
      return Optional.of(now.atOffset(ZoneOffset.UTC).plus(period.get()).plus(rest).toInstant());
    } catch (DateTimeException | ArithmeticException e) {
      throw new RnsException(RnsError.LIMIT_EXCEEDED, "RequestedLifetimeDuration exceeds the calendar", e);
    }
  }
}
