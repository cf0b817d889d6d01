package io.rns.api;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How recent the result of a read must be. Nearer or less busy servers may answer reads with a weaker level. */
public sealed interface Consistency {
  /** Linearizable: includes every write acknowledged before the read began. Only the primary can guarantee this. */
  Consistency PRIMARY = new Primary();

  /** Read-your-writes and monotonic reads: includes everything up to {@link CallContext#seen}. */
  Consistency SESSION = new Session();

  /** No guarantee: whatever the contacted server has. */
  Consistency ANY = new Any();

  /** See {@link #PRIMARY}. */
  record Primary() implements Consistency {
    @Override
    public String toString() {
      return "primary";
    }
  }

  /** See {@link #SESSION}. */
  record Session() implements Consistency {
    @Override
    public String toString() {
      return "session";
    }
  }

  /** See {@link #ANY}. */
  record Any() implements Consistency {
    @Override
    public String toString() {
      return "any";
    }
  }

  /**
   * Bounded staleness: includes every write acknowledged at least {@code age} before the read began.
   *
   * @param age the maximum staleness, 1 ms to 1 day
   */
  record Bounded(Duration age) implements Consistency {
    private static final Duration LONGEST = Duration.ofDays(1);

    public Bounded {
      if (age.toMillis() < 1 || age.compareTo(LONGEST) > 0) {
        throw new RnsException(
            RnsError.INVALID_REQUEST, "consistency bounded: " + age.toMillis() + " ms is not between 1 ms and a day");
      }
    }

    @Override
    public String toString() {
      return "bounded(" + age.toMillis() + ")";
    }
  }

  /** Bounded staleness of at most {@code age}, 1 ms to 1 day. */
  static Consistency bounded(Duration age) {
    return new Bounded(age);
  }

  /**
   * Parses {@code primary}, {@code session}, {@code any} or {@code bounded(N)}. N is in milliseconds unless one of the
   * units {@code ms}, {@code s}, {@code m} or {@code h} follows it.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST}
   */
  static Consistency parse(String text) {
    return switch (text) {
      case "primary" -> PRIMARY;
      case "session" -> SESSION;
      case "any" -> ANY;
      default -> {
        Matcher bounded = Form.BOUNDED.matcher(text);
        if (!bounded.matches()) {
          throw new RnsException(
              RnsError.INVALID_REQUEST,
              "consistency '" + Text.shown(text)
                  + "' is none of primary, session, any, bounded(TIME) with a time such as 500ms or 2s");
        }
        yield new Bounded(Form.time(Long.parseLong(bounded.group(1)), bounded.group(2)));
      }
    };
  }

  /** The text form of a bound. */
  final class Form {
    private static final Pattern BOUNDED = Pattern.compile("bounded\\(([0-9]{1,9})(|ms|s|m|h)\\)");

    private Form() {}

    private static Duration time(long count, String unit) {
      return switch (unit) {
        case "s" -> Duration.ofSeconds(count);
        case "m" -> Duration.ofMinutes(count);
        case "h" -> Duration.ofHours(count);
        default -> Duration.ofMillis(count);
      };
    }
  }
}
