package io.rns.front;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Splits bytes into HTTP/1.1 messages by the grammar of RFC 9112, and by nothing of the front: an opinion of its own.
 * What the grammar does not have is malformed, also where a server may be lenient. Bytes are characters of ISO 8859-1.
 */
final class StrictMessages {
  private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
  private static final String TEXT = "[\\t\\x20-\\x7e\\x80-\\xff]*";
  private static final Pattern EMPTY_LINES = Pattern.compile("(\\r\\n)*");
  private static final Pattern REQUEST =
      Pattern.compile("(" + TOKEN + ") (/[\\x21-\\x7e\\x80-\\xff]*) HTTP/1\\.([01])\\r\\n");
  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.([01]) ([1-5][0-9][0-9])( " + TEXT + ")?\\r\\n");
  private static final Pattern FIELD = Pattern.compile("(" + TOKEN + "):(" + TEXT + ")\\r\\n");
  /** Blanks behind a size, without an extension, are not in the grammar; all read them alike. */
  private static final Pattern SIZE = Pattern.compile("([0-9A-Fa-f]+)[ \\t]*(;" + TEXT + ")?\\r\\n");
  private static final BigInteger MOST = BigInteger.valueOf(Long.MAX_VALUE);
  private static final String HEAD_END = "\r\n\r\n";

  /** Bytes that are no message. */
  static final class Malformed extends Exception {
    private static final long serialVersionUID = 1L;

    Malformed(String why) {
      super(why);
    }
  }

  /**
   * A message.
   *
   * @param first method and target, or the status
   * @param last whether nothing follows on its connection
   * @param end of it, in the text
   */
  record Message(String first, List<Field> fields, String body, boolean last, int end) {
    String value(String name) {
      return String.join("|", values(fields, name));
    }
  }

  /** A field, its name in lower case. */
  record Field(String name, String value) {}

  private record Body(String content, int end) {}

  private StrictMessages() {}

  private static List<String> values(List<Field> fields, String name) {
    return fields.stream().filter(field -> field.name().equals(name)).map(Field::value).toList();
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** The request at a place of a text; null if it is incomplete. */
  static @Nullable Message request(String text, int from) throws Malformed {
    Matcher empty = EMPTY_LINES.matcher(text).region(from, text.length());
    int start = empty.lookingAt() ? empty.end() : from;
    int headEnd = text.indexOf(HEAD_END, start);
    if (headEnd < 0) {
      return null;
    }
    Matcher line = REQUEST.matcher(text).region(start, headEnd + 2);
    require(line.lookingAt(), "request line");
    boolean old = line.group(3).equals("0");
    List<Field> fields = fields(text, line.end(), headEnd + 2);
    int hosts = values(fields, "host").size();
    require(hosts == 1 || (old && hosts == 0), "host");
    boolean chunked = chunked(fields, old);
    long length = length(fields);
    Body body = body(text, headEnd + HEAD_END.length(), chunked, Math.max(0, length));
    return body == null ? null
        : new Message(line.group(1) + " " + line.group(2), fields, body.content(), old || options(fields, "close"),
            body.end());
  }

  /** All complete requests, up to the first that is malformed, incomplete, or the last of its connection. */
  static List<Message> requests(String text) {
    List<Message> requests = new ArrayList<>();
    try {
      Message next = request(text, 0);
      while (next != null) {
        requests.add(next);
        next = next.last() ? null : request(text, next.end());
      }
    } catch (Malformed e) {
      // Nothing behind it can be told apart.
    }
    return requests;
  }

  /**
   * The response at a place of a text; null if it is incomplete.
   *
   * @param method of the request
   * @param ended whether the connection ends behind the text
   */
  static @Nullable Message response(String text, int from, String method, boolean ended) throws Malformed {
    int headEnd = text.indexOf(HEAD_END, from);
    if (headEnd < 0) {
      return null;
    }
    Matcher line = STATUS.matcher(text).region(from, headEnd + 2);
    require(line.lookingAt(), "status line");
    int status = Integer.parseInt(line.group(2));
    List<Field> fields = fields(text, line.end(), headEnd + 2);
    int start = headEnd + HEAD_END.length();
    boolean old = line.group(1).equals("0");
    boolean chunked = chunked(fields, old);
    long length = length(fields);
    if (status < 200) {
      require(!chunked && length < 0, "a body of an interim response");
      return response(text, start, method, ended);
    }
    require(status != 204 || (!chunked && length < 0), "a body of status 204");
    boolean bare = method.equals("HEAD") || status == 204 || status == 304;
    boolean untilClose = !bare && !chunked && length < 0;
    boolean last = untilClose || (old ? !options(fields, "keep-alive") : options(fields, "close"));
    String first = line.group(2);
    if (untilClose) {
      return ended ? new Message(first, fields, text.substring(start), true, text.length()) : null;
    }
    Body body = bare ? new Body("", start) : body(text, start, chunked, length);
    return body == null ? null : new Message(first, fields, body.content(), last, body.end());
  }

  private static List<Field> fields(String text, int from, int to) throws Malformed {
    List<Field> fields = new ArrayList<>();
    int at = from;
    while (at < to) {
      Matcher field = FIELD.matcher(text).region(at, to);
      require(field.lookingAt(), "field");
      fields
          .add(new Field(field.group(1).toLowerCase(Locale.ROOT), field.group(2).replaceAll("^[ \\t]+|[ \\t]+$", "")));
      at = field.end();
    }
    return fields;
  }

  private static boolean options(List<Field> fields, String option) {
    return List.of(String.join(",", values(fields, "connection")).toLowerCase(Locale.ROOT).split("[ \\t]*,[ \\t]*", -1))
        .contains(option);
  }

  private static boolean chunked(List<Field> fields, boolean old) throws Malformed {
    List<String> codings = values(fields, "transfer-encoding");
    require(codings.isEmpty() || (codings.size() == 1 && codings.getFirst().equalsIgnoreCase("chunked")), "coding");
    require(codings.isEmpty() || (!old && values(fields, "content-length").isEmpty()), "coding beside length");
    return !codings.isEmpty();
  }

  /** -1 without one. */
  private static long length(List<Field> fields) throws Malformed {
    List<String> lengths = values(fields, "content-length");
    if (lengths.isEmpty()) {
      return -1;
    }
    require(lengths.size() == 1 && lengths.getFirst().matches("[0-9]+"), "length");
    return number(lengths.getFirst(), 10);
  }

  private static long number(String digits, int radix) throws Malformed {
    BigInteger number = new BigInteger(digits, radix);
    require(number.compareTo(MOST) <= 0, "number");
    return number.longValue();
  }

  private static @Nullable Body body(String text, int from, boolean chunked, long length) throws Malformed {
    if (chunked) {
      return chunks(text, from);
    }
    return text.length() - from < length ? null
        : new Body(text.substring(from, from + (int) length), from + (int) length);
  }

  private static @Nullable Body chunks(String text, int from) throws Malformed {
    StringBuilder content = new StringBuilder();
    int at = from;
    while (true) {
      int lineEnd = text.indexOf("\r\n", at);
      if (lineEnd < 0) {
        return null;
      }
      Matcher line = SIZE.matcher(text).region(at, lineEnd + 2);
      require(line.matches(), "chunk size");
      long size = number(line.group(1), 16);
      at = line.end();
      if (size == 0) {
        return trailers(text, at, content);
      }
      if (text.length() - at < size) {
        return null;
      }
      content.append(text, at, at + (int) size);
      at += (int) size;
      if (text.length() - at < 2) {
        return null;
      }
      require(text.startsWith("\r\n", at), "end of chunk");
      at += 2;
    }
  }

  private static @Nullable Body trailers(String text, int from, StringBuilder content) throws Malformed {
    if (text.startsWith("\r\n", from)) {
      return new Body(content.toString(), from + 2);
    }
    int end = text.indexOf(HEAD_END, from);
    if (end < 0) {
      return null;
    }
    var unused = fields(text, from, end + 2);
    return new Body(content.toString(), end + HEAD_END.length());
  }

  private static void require(boolean valid, String what) throws Malformed {
    if (!valid) {
      throw new Malformed(what);
    }
  }
}
