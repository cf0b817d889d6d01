package io.rns.loadtest.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads HTTP/1.1 answers one at a time, each into the same buffer, and finds where they end. */
final class AnswerParser {
  private static final int MAX_BYTES = 512 << 20;
  private static final int MAX_LINE_BYTES = 65_536;
  private static final String CRLF = "\r\n";
  private static final BytePattern END_OF_LINE = BytePattern.of(CRLF);
  private static final BytePattern END_OF_HEAD = BytePattern.of(CRLF + CRLF);

  private InputStream in = InputStream.nullInputStream();
  private byte[] bytes = new byte[8_192];
  private int filled;
  private boolean keepAlive;

  /** What was received is no HTTP/1.1 answer to the request. */
  static final class MalformedException extends IOException {
    private static final long serialVersionUID = 1L;

    MalformedException(String found) {
      super("the server sent " + found);
    }
  }

  /** The server closed the connection where an answer, or the rest of one, should have come. */
  static final class ClosedException extends IOException {
    private static final long serialVersionUID = 1L;

    ClosedException(int received) {
      super("the server closed the connection after " + received + " bytes of the answer");
    }
  }

  void begin(InputStream connection) {
    in = connection;
    filled = 0;
  }

  /** Whether nothing has come of the answer. */
  boolean isEmpty() {
    return filled == 0;
  }

  boolean keepAlive() {
    return keepAlive;
  }

  /** Reads the answer to its end. */
  HttpAnswer read() throws IOException {
    String head = head();
    while (head.startsWith("1", 9)) {
      // an interim answer such as 100 Continue: the real one follows
      filled -= head.length();
      System.arraycopy(bytes, head.length(), bytes, 0, filled);
      head = head();
    }
    int status = number(head.substring(9, 12), 10);
    keepAlive = head.charAt(7) == '1' && !field(head, "Connection:").equalsIgnoreCase("close");
    int end = body(head, status);
    return new HttpAnswer(status, bytes, head.length(), end);
  }

  /** Status line and header, with the empty line after them. */
  private String head() throws IOException {
    int end = find(END_OF_HEAD, 0) + 2 * CRLF.length();
    String head = new String(bytes, 0, end, StandardCharsets.ISO_8859_1);
    if (!head.startsWith("HTTP/") || head.length() <= 12 || head.charAt(8) != ' ') {
      throw new MalformedException("'" + head.lines().findFirst().orElse("") + "' where an HTTP status line should be");
    }
    return head;
  }

  /** The value of a header field; empty if it is not there. */
  private static String field(String head, String name) {
    for (int line = head.indexOf(CRLF); line >= 0; line = head.indexOf(CRLF, line + 2)) {
      int from = line + CRLF.length();
      if (head.regionMatches(true, from, name, 0, name.length())) {
        return head.substring(from + name.length(), head.indexOf(CRLF, from)).strip();
      }
    }
    return "";
  }

  /** Receives the body; where it ends. */
  private int body(String head, int status) throws IOException {
    if (!field(head, "Transfer-Encoding:").isEmpty()) {
      return chunks(head.length());
    }
    String length = field(head, "Content-Length:");
    if (length.isEmpty() && status != 204 && status != 304) {
      keepAlive = false;
      while (fill() >= 0) {
        // until the server closes the connection
      }
      return filled;
    }
    int end = head.length() + (length.isEmpty() ? 0 : number(length, 10));
    receive(end);
    return ended(end);
  }

  /** Moves the chunks together behind the header; where they end. */
  private int chunks(int begin) throws IOException {
    int to = begin;
    int at = begin;
    while (true) {
      int line = find(END_OF_LINE, at);
      int size = number(ascii(at, line).replaceFirst(";.*", ""), 16);
      at = line + CRLF.length();
      if (size == 0) {
        ended(trailers(at));
        return to;
      }
      receive(at + size + CRLF.length());
      System.arraycopy(bytes, at, bytes, to, size);
      to += size;
      at += size + CRLF.length();
    }
  }

  private int trailers(int from) throws IOException {
    int at = from;
    int line = find(END_OF_LINE, at);
    while (line > at) {
      at = line + CRLF.length();
      line = find(END_OF_LINE, at);
    }
    return line + CRLF.length();
  }

  private int ended(int end) throws MalformedException {
    if (filled > end) {
      throw new MalformedException((filled - end) + " bytes after the end of the answer");
    }
    return end;
  }

  /** Where a pattern is, which is received first if need be. */
  private int find(BytePattern pattern, int from) throws IOException {
    int found = pattern.find(bytes, from, filled);
    while (found < 0) {
      if (filled - from > MAX_LINE_BYTES) {
        throw new MalformedException("a header of more than " + MAX_LINE_BYTES + " bytes");
      }
      receive(Math.max(filled, from) + 1);
      found = pattern.find(bytes, from, filled);
    }
    return found;
  }

  private void receive(int end) throws IOException {
    while (filled < end) {
      if (fill() < 0) {
        throw new ClosedException(filled);
      }
    }
  }

  /** Takes what can be received now; negative at the end of the connection. */
  private int fill() throws IOException {
    if (filled == bytes.length) {
      if (filled >= MAX_BYTES) {
        throw new MalformedException("an answer of more than " + MAX_BYTES + " bytes");
      }
      bytes = Arrays.copyOf(bytes, 2 * filled);
    }
    int received = in.read(bytes, filled, bytes.length - filled);
    filled += Math.max(0, received);
    return received;
  }

  private static int number(String text, int radix) throws MalformedException {
    try {
      int number = Integer.parseInt(text.strip(), radix);
      if (number >= 0 && number <= MAX_BYTES) {
        return number;
      }
    } catch (NumberFormatException e) {
      // refused below, as one that is out of bounds
    }
    throw new MalformedException("'" + text + "' where a number from 0 to " + MAX_BYTES + " should be");
  }

  private String ascii(int from, int to) {
    return new String(bytes, from, to - from, StandardCharsets.US_ASCII);
  }
}
