package io.rns.audit;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What every line of an audit log has, whatever it is about: it begins with {@code {"seq":N,"time":"T","event":"E"} and
 * ends with {@code ,"hash":"H"}}.
 *
 * @param sequence number of the line, one more than that of the line before
 * @param time in ISO 8601
 * @param event one of the constants
 * @param body of the line: all that stands before its hash
 * @param hash over the line before and the body
 */
public record AuditLine(long sequence, String time, String event, String body, String hash) {
  /** A request. */
  public static final String REQUEST = "request";

  /** The first line of a file; has the hash of the last line of the file before as {@code previous}. */
  public static final String FILE = "file";

  /** The server starts to write. */
  public static final String START = "start";

  /** The server stops in good order: nothing was lost since it started but what a line says. */
  public static final String STOP = "stop";

  /** {@code bytes} before this line are no line, as found at startup; {@code sha256} is their digest. */
  public static final String TORN = "torn";

  /** {@code lost} events could not be written. */
  public static final String LOST = "lost";

  /** {@code count} refused requests of callers without a name have no lines of their own. */
  public static final String UNLISTED = "unlisted";

  /** Longest line in bytes, with its end. */
  public static final int BYTES = 524_288;

  private static final Pattern START_OF_LINE =
      Pattern.compile("\\{\"seq\":([1-9][0-9]{0,17}),\"time\":\"([0-9TZ:.+-]{1,40})\",\"event\":\"([a-z]{1,20})\"");
  private static final String END_OF_BODY = ",\"hash\":\"";
  private static final int HASH_CHARS = 64;
  private static final int TAIL = END_OF_BODY.length() + HASH_CHARS + 2;
  private static final Pattern TAIL_OF_LINE = Pattern.compile(END_OF_BODY + "([0-9a-f]{64})\"}");

  /** Reads a line without its end; empty if it is none. Whether its hash is right is another question. */
  public static Optional<AuditLine> parse(byte[] bytes, int length) {
    if (length < TAIL) {
      return Optional.empty();
    }
    String tail = new String(bytes, length - TAIL, TAIL, US_ASCII);
    Matcher end = TAIL_OF_LINE.matcher(tail);
    // Lines are ASCII; another byte becomes a character that no pattern takes, or leads to another hash.
    String body = new String(bytes, 0, length - TAIL, US_ASCII);
    Matcher start = START_OF_LINE.matcher(body);
    return end.matches() && start.lookingAt()
        ? Optional.of(
            new AuditLine(
                Long.parseLong(start.group(1)), start.group(2), start.group(3), body, end.group(1)))
        : Optional.empty();
  }

  /**
   * The value of a member that is a text in hexadecimal or a number, as the lines have that servers make themselves.
   */
  Optional<String> plain(String name) {
    Matcher value = Pattern.compile(",\"" + name + "\":\"?([0-9a-f]{1,64})\"?(?:,|$)").matcher(body);
    return value.find() ? Optional.of(value.group(1)) : Optional.empty();
  }
}
