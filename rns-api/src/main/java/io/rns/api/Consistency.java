package io.rns.api;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How much of what was written a read must see. Weaker ones may be answered by servers that are nearer or less busy.
 */
public sealed interface Consistency {
  /** Everything that was answered to anybody before the read began: only the primary can tell. */
  Consistency PRIMARY = new Primary();

  /** Everything up to {@link CallContext#seen}: what the caller wrote or read before. */
  Consistency SESSION = new Session();

  /** Whatever the server has. */
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
   * Everything that was answered to anybody up to some time before the read began.
   *
   * @param age how long before, at most; 1 ms to a day
   */
  record Bounded(Duration age) implements Consistency {
    private static final Duration LONGEST = Duration.ofDays(1);

    /** Checks the bounds. */
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

  /** Everything that was answered up to {@code age} before the read began. */
  static Consistency bounded(Duration age) {
    return new Bounded(age);
  }

  /**
   * Reads the text form: {@code primary}, {@code session}, {@code any}, or {@code bounded(N)} with a number of
   * milliseconds. A unit may be behind it: {@code ms}, {@code s}, {@code m} or {@code h}.
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
                  + "' is none of primary, session, any, bounded(TIME) with a time like 500ms or 2s");
        }
        yield new Bounded(Form.time(Long.parseLong(bounded.group(1)), bounded.group(2)));
      }
    };
  }

  /** How a bound is written. */
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
