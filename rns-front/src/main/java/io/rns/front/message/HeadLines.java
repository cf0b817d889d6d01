package io.rns.front.message;

import io.netty.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The lines of a head: the first line and the header fields, as sent. Refuses what another parser could read
 * differently: bare CR or LF, folded lines, white space before a colon, control characters (RFC 9112, sections 2.2, 5).
 */
record HeadLines(String first, List<Field> fields) {
  /** Only the front says it. */
  private static final String ORIGIN = "rns-origin";

  /** So is this. */
  private static final String FRONT = "rns-front";

  /** Servers say it to fronts only. */
  static final String SHARED = "rns-shared";

  /** A length of a body. */
  static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");

  private static final String TOKEN = "!#$%&'*+-.^_`|~";
  private static final byte[] LINE_END = {'\r', '\n'};

  /** Fields that concern one connection only (RFC 9110, section 7.6.1). */
  private static final Set<String> HOP_BY_HOP =
      Set.of("connection", "keep-alive", "proxy-connection", "proxy-authenticate", "proxy-authorization", "te",
          "trailer", "transfer-encoding", "upgrade", "http2-settings");

  /** Fields that a Connection field cannot remove: the request would mean something else. */
  private static final Set<String> KEPT =
      Set.of("host", "content-length", "content-type", "authorization", "rns-on-behalf-of", "cookie", "if-match",
          "if-none-match", "rns-request-id", "rns-position", "rns-consistency", "rns-referrals", "origin", "expect");

  /**
   * A header field.
   *
   * @param name in lower case
   * @param value without white space around it
   * @param line as sent, without the line end
   */
  @SuppressWarnings("ArrayRecordComponent") // never changed, never compared
  record Field(String name, String value, byte[] line) {}

  /**
   * The length of the head at the beginning of a buffer, with the empty line; -1 while it is incomplete.
   *
   * @param from where to go on: bytes before it, counted from the reader index, were searched already
   */
  static int end(ByteBuf in, int from) {
    int start = in.readerIndex();
    int at = start + Math.max(0, from - 3);
    while (true) {
      int lf = in.indexOf(at, in.writerIndex(), (byte) '\n');
      if (lf < 0) {
        return -1;
      }
      if (lf - start >= 1 && in.getByte(lf - 1) == '\n') {
        return lf + 1 - start;
      }
      if (lf - start >= 2 && in.getByte(lf - 1) == '\r' && in.getByte(lf - 2) == '\n') {
        return lf + 1 - start;
      }
      at = lf + 1;
    }
  }

  /** Reads a complete head. */
  static HeadLines read(byte[] head) throws RefusedMessage {
    String first = "";
    List<Field> fields = new ArrayList<>();
    int start = 0;
    boolean begun = false;
    while (start < head.length) {
      int end = lineEnd(head, start);
      if (!begun) {
        first = new String(head, start, end - start, StandardCharsets.ISO_8859_1);
        begun = true;
      } else if (end > start) {
        fields.add(field(head, start, end));
      }
      start = end + 2;
    }
    return new HeadLines(first, fields);
  }

  private static int lineEnd(byte[] head, int start) throws RefusedMessage {
    for (int i = start; i < head.length; i++) {
      byte octet = head[i];
      if (octet == '\r' && i + 1 < head.length && head[i + 1] == '\n') {
        return i;
      }
      if (octet == '\n' || octet == '\r' || octet == 0) {
        throw RefusedMessage.malformed("a line of the head does not end in CR LF, or has a control character");
      }
    }
    throw RefusedMessage.malformed("the head is incomplete");
  }

  private static Field field(byte[] head, int start, int end) throws RefusedMessage {
    int colon = start;
    while (colon < end && isToken(head[colon])) {
      colon++;
    }
    if (colon == start || colon == end || head[colon] != ':') {
      throw RefusedMessage.malformed("a header field has no valid name, or is folded over several lines");
    }
    for (int i = colon + 1; i < end; i++) {
      if ((head[i] >= 0 && head[i] < ' ' && head[i] != '\t') || head[i] == 127) {
        throw RefusedMessage.malformed("a header field has a control character");
      }
    }
    byte[] line = new byte[end - start];
    System.arraycopy(head, start, line, 0, line.length);
    String name = new String(head, start, colon - start, StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT);
    return new Field(name, new String(head, colon + 1, end - colon - 1, StandardCharsets.ISO_8859_1).strip(), line);
  }

  static boolean isToken(byte octet) {
    return (octet >= 'a' && octet <= 'z') || (octet >= 'A' && octet <= 'Z') || (octet >= '0' && octet <= '9')
        || (octet > 0 && TOKEN.indexOf(octet) >= 0);
  }

  static boolean isToken(String text) {
    boolean token = !text.isEmpty();
    for (int i = 0; i < text.length(); i++) {
      token &= text.charAt(i) < 128 && isToken((byte) text.charAt(i));
    }
    return token;
  }

  /** The values of a field, in order. */
  List<String> all(String name) {
    List<String> values = new ArrayList<>(1);
    for (Field field : fields) {
      if (field.name().equals(name)) {
        values.add(field.value());
      }
    }
    return values;
  }

  /** The first value of a field; empty text without one. */
  String value(String name) {
    for (Field field : fields) {
      if (field.name().equals(name)) {
        return field.value();
      }
    }
    return "";
  }

  /** The options of the Connection fields, in lower case. */
  List<String> connection() {
    List<String> options = new ArrayList<>(1);
    for (String value : all("connection")) {
      for (String option : value.split(",", -1)) {
        options.add(option.strip().toLowerCase(Locale.ROOT));
      }
    }
    return options;
  }

  /**
   * The length of the body.
   *
   * @return -1 without a Content-Length
   * @throws RefusedMessage unless it is one decimal number
   */
  long length() throws RefusedMessage {
    List<String> lengths = all("content-length");
    if (lengths.isEmpty()) {
      return -1;
    }
    String length = lengths.getFirst();
    if (lengths.size() > 1 || !NUMBER.matcher(length).matches()) {
      throw RefusedMessage.malformed("Content-Length must be one decimal number");
    }
    return Long.parseLong(length);
  }

  /**
   * Whether the body is chunked.
   *
   * @throws RefusedMessage for another coding, or a Content-Length beside it
   */
  boolean chunked() throws RefusedMessage {
    List<String> codings = all("transfer-encoding");
    if (codings.isEmpty()) {
      return false;
    }
    if (!all("content-length").isEmpty()) {
      throw RefusedMessage.malformed("Content-Length and Transfer-Encoding are mutually exclusive");
    }
    if (codings.size() > 1 || !codings.getFirst().equalsIgnoreCase("chunked")) {
      throw RefusedMessage.malformed("the only supported Transfer-Encoding is chunked");
    }
    return true;
  }

  /** The first line and all fields that are not for this connection only; those of the framing as told. */
  byte[] passedOn(String firstLine, boolean withLength, boolean withCoding) {
    List<String> options = connection();
    ByteArrayOutputStream out = new ByteArrayOutputStream(512);
    line(out, firstLine.getBytes(StandardCharsets.ISO_8859_1));
    for (Field field : fields) {
      boolean passed =
          switch (field.name()) {
            case "content-length" -> withLength;
            case "transfer-encoding" -> withCoding;
            case "expect", ORIGIN, FRONT, SHARED -> false;
            default -> !HOP_BY_HOP.contains(field.name())
                && (KEPT.contains(field.name()) || !options.contains(field.name()));
          };
      if (passed) {
        line(out, field.line());
      }
    }
    return out.toByteArray();
  }

  /** Without some fields. */
  HeadLines without(Set<String> names) {
    List<Field> others = new ArrayList<>(fields);
    var unused = others.removeIf(field -> names.contains(field.name()));
    return new HeadLines(first, others);
  }

  private static void line(ByteArrayOutputStream out, byte[] line) {
    out.writeBytes(line);
    out.writeBytes(LINE_END);
  }
}
