package io.rns.access;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;

/**
 * One operation in the access log of a server: a line of eight tab-separated columns, in the order of the components
 * below. A column without a value is {@code -}. Within a column, {@code \t}, {@code \n}, {@code \r} and {@code \\}
 * denote these characters; {@code \}{@code uXXXX} denotes other control characters, unpaired surrogates, and a value
 * that is just {@code -}. Lines that begin with {@code #} are comments; the first line of a log is {@link #HEADER}.
 *
 * @param time the start of the operation, with microsecond precision
 * @param session the connection: remote address and port
 * @param caller the name of the caller; empty for the anonymous caller
 * @param operation the operation, for example {@code query}
 * @param path the target: a path from the root, or {@code [ID]/PATH} from an entry named by its identity
 * @param newPath the destination of a move, in the same form; otherwise empty
 * @param outcome {@link #OK}, or the name of an error
 * @param micros the duration in microseconds
 */
public record AccessLine(
    Instant time,
    String session,
    String caller,
    String operation,
    String path,
    String newPath,
    String outcome,
    long micros) {
  /** The first line of a log, which identifies the format. */
  public static final String HEADER = "# rns access log 1";

  /** The names of the columns: the second line of a log. */
  public static final String COLUMNS =
      "# time, session, caller, operation, path, new path of a move, outcome, microseconds";

  /** The outcome of a successful operation. */
  public static final String OK = "ok";

  private static final String NONE = "-";
  private static final int COUNT = 8;
  private static final int HEX = 16;
  private static final int UNICODE_DIGITS = 4;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  /** Truncates the time to microseconds. */
  public AccessLine {
    time = time.truncatedTo(ChronoUnit.MICROS);
  }

  public boolean isOk() {
    return outcome.equals(OK);
  }

  /** The line, without its terminator. */
  @Override
  public String toString() {
    StringBuilder line = new StringBuilder(path.length() + 120);
    TIME.formatTo(time, line);
    for (String column : List.of(session, caller, operation, path, newPath, outcome)) {
      append(line.append('\t'), column);
    }
    return line.append('\t').append(micros).toString();
  }

  private static void append(StringBuilder line, String column) {
    if (column.isEmpty()) {
      line.append(NONE);
    } else if (column.equals(NONE)) {
      unicode(line, '-');
    } else {
      for (int at = 0; at < column.length(); at++) {
        append(line, column, at);
      }
    }
  }

  private static void append(StringBuilder line, String column, int at) {
    char letter = column.charAt(at);
    switch (letter) {
      case '\\' -> line.append("\\\\");
      case '\t' -> line.append("\\t");
      case '\n' -> line.append("\\n");
      case '\r' -> line.append("\\r");
      default -> {
        if (Character.isISOControl(letter) || isHalf(column, at)) {
          unicode(line, letter);
        } else {
          line.append(letter);
        }
      }
    }
  }

  /** Whether the character is an unpaired surrogate, which UTF-8 cannot encode. */
  private static boolean isHalf(String text, int at) {
    char letter = text.charAt(at);
    if (Character.isHighSurrogate(letter)) {
      return at + 1 == text.length() || !Character.isLowSurrogate(text.charAt(at + 1));
    }
    return Character.isLowSurrogate(letter) && (at == 0 || !Character.isHighSurrogate(text.charAt(at - 1)));
  }

  private static void unicode(StringBuilder line, char letter) {
    line.append("\\u");
    for (int shift = HEX - UNICODE_DIGITS; shift >= 0; shift -= UNICODE_DIGITS) {
      line.append(Character.forDigit((letter >> shift) & (HEX - 1), HEX));
    }
  }

  /**
   * Parses a line.
   *
   * @throws IllegalArgumentException if the line is malformed; the message states the reason
   */
  public static AccessLine parse(String line) {
    String[] columns = line.split("\t", -1);
    if (columns.length != COUNT) {
      throw new IllegalArgumentException("has " + columns.length + " columns, not " + COUNT);
    }
    return new AccessLine(
        time(columns[0]),
        read(columns[1]),
        read(columns[2]),
        read(columns[3]),
        read(columns[4]),
        read(columns[5]),
        read(columns[6]),
        micros(columns[7]));
  }

  private static Instant time(String column) {
    try {
      return Instant.parse(column);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("has an invalid time '" + column + "'", e);
    }
  }

  private static long micros(String column) {
    try {
      return Long.parseLong(column);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("has an invalid number of microseconds '" + column + "'", e);
    }
  }

  private static String read(String column) {
    if (column.equals(NONE)) {
      return "";
    }
    if (column.indexOf('\\') < 0) {
      return column;
    }
    StringBuilder text = new StringBuilder(column.length());
    int at = 0;
    while (at < column.length()) {
      char letter = column.charAt(at);
      if (letter == '\\') {
        at += escaped(column, at + 1, text);
      } else {
        text.append(letter);
      }
      at++;
    }
    return text.toString();
  }

  /** Appends the escaped character and returns the number of characters after the backslash. */
  private static int escaped(String column, int at, StringBuilder text) {
    char letter = at < column.length() ? column.charAt(at) : ' ';
    switch (letter) {
      case '\\' -> text.append('\\');
      case 't' -> text.append('\t');
      case 'n' -> text.append('\n');
      case 'r' -> text.append('\r');
      case 'u' -> {
        text.append(unicode(column, at + 1));
        return 1 + UNICODE_DIGITS;
      }
      default -> throw new IllegalArgumentException("has '" + column + "' with an invalid escape");
    }
    return 1;
  }

  private static char unicode(String column, int from) {
    int letter = 0;
    for (int at = from; at < from + UNICODE_DIGITS; at++) {
      int digit = at < column.length() ? Character.digit(column.charAt(at), HEX) : -1;
      if (digit < 0) {
        throw new IllegalArgumentException("has '" + column + "' with an invalid escape");
      }
      letter = letter * HEX + digit;
    }
    return (char) letter;
  }
}
