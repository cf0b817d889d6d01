package io.rns.loadtest.http;

import io.rns.loadtest.measure.Failure;
import io.rns.loadtest.measure.FailureKind;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads HTTP/1.1 messages one at a time, each into the same buffer, and finds where they end; a stream of server-sent
 * events ends with the beginning of its first event. It fails by an {@link EOFException} if the connection ends before
 * the message, and by a {@link ProtocolException} if it is none.
 */
final class HttpReader {
  private static final int MAX_BYTES = 512 << 20;
  private static final int MAX_LINE_BYTES = 65_536;
  private static final String CRLF = "\r\n";
  private static final String END_OF_HEAD = CRLF + CRLF;
  private static final String STREAM = "text/event-stream";
  private static final String EVENT = "event:";

  private InputStream in = InputStream.nullInputStream();
  private byte[] bytes = new byte[8_192];
  private int filled;
  private boolean keepAlive;

  void begin(InputStream connection) {
    in = connection;
    filled = 0;
  }

  /** Whether nothing has come of the message. */
  boolean isEmpty() {
    return filled == 0;
  }

  boolean keepAlive() {
    return keepAlive;
  }

  /** Reads an answer to its end, which is all that may come. */
  HttpAnswer read() throws IOException {
    String head = statusAndFields();
    while (head.startsWith("1", 9)) {
      // an interim answer such as 100 Continue: the real one follows
      drop(head.length());
      head = statusAndFields();
    }
    int status = number(head.substring(9, 12), 10);
    keepAlive = head.charAt(7) == '1' && !field(head, "Connection:").equalsIgnoreCase("close");
    int end = body(head, status);
    return new HttpAnswer(status, bytes, head.length(), end);
  }

  /** Reads a request and forgets it; what comes after it is the next one. */
  void skipRequest() throws IOException {
    String head = head();
    String length = field(head, "Content-Length:");
    int end = head.length() + (length.isEmpty() ? 0 : number(length, 10));
    receive(end);
    drop(end);
  }

  /** Status line and header of an answer, with the empty line after them. */
  private String statusAndFields() throws IOException {
    String head = head();
    if (!head.startsWith("HTTP/") || head.length() <= 12 || head.charAt(8) != ' ') {
      throw malformed("'" + head.lines().findFirst().orElse("") + "' where an HTTP status line should be");
    }
    return head;
  }

  private String head() throws IOException {
    return new String(bytes, 0, find(END_OF_HEAD, 0) + END_OF_HEAD.length(), StandardCharsets.ISO_8859_1);
  }

  private void drop(int count) {
    filled -= count;
    System.arraycopy(bytes, count, bytes, 0, filled);
  }

  /** The value of a header field; empty if it is not there. */
  static String field(String head, String name) {
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
    String length = field(head, "Content-Length:");
    if (length.isEmpty() && field(head, "Content-Type:").startsWith(STREAM)) {
      keepAlive = false;
      return find(EVENT, head.length());
    }
    if (!field(head, "Transfer-Encoding:").isEmpty()) {
      return chunks(head.length());
    }
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
      int line = find(CRLF, at);
      String length = new String(bytes, at, line - at, StandardCharsets.US_ASCII);
      int size = number(length.replaceFirst(";.*", ""), 16);
      if (size == 0) {
        // Trailers end with an empty line, as a header does; it may be the end of this line if there are none.
        ended(find(END_OF_HEAD, line) + END_OF_HEAD.length());
        return to;
      }
      at = line + CRLF.length();
      receive(at + size + CRLF.length());
      System.arraycopy(bytes, at, bytes, to, size);
      to += size;
      at += size + CRLF.length();
    }
  }

  private int ended(int end) throws ProtocolException {
    if (filled > end) {
      throw malformed((filled - end) + " bytes after the end of the answer");
    }
    return end;
  }

  /** Where a text of ASCII begins, which is received first if need be. */
  private int find(String text, int from) throws IOException {
    int at = from;
    while (!begins(text, at)) {
      if (at - from > MAX_LINE_BYTES) {
        throw malformed("a header of more than " + MAX_LINE_BYTES + " bytes");
      }
      at++;
    }
    return at;
  }

  private boolean begins(String text, int from) throws IOException {
    for (int i = 0; i < text.length(); i++) {
      receive(from + i + 1);
      if (bytes[from + i] != text.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  private void receive(int end) throws IOException {
    while (filled < end) {
      if (fill() < 0) {
        throw new EOFException("the server closed the connection after " + filled + " bytes of the answer");
      }
    }
  }

  /** Takes what can be received now; negative at the end of the connection. */
  private int fill() throws IOException {
    if (filled == bytes.length) {
      if (filled >= MAX_BYTES) {
        throw malformed("an answer of more than " + MAX_BYTES + " bytes");
      }
      bytes = Arrays.copyOf(bytes, 2 * filled);
    }
    int received = in.read(bytes, filled, bytes.length - filled);
    filled += Math.max(0, received);
    return received;
  }

  private static int number(String text, int radix) throws ProtocolException {
    try {
      int number = Integer.parseInt(text.strip(), radix);
      if (number >= 0 && number <= MAX_BYTES) {
        return number;
      }
    } catch (NumberFormatException e) {
      // refused below, as one that is out of bounds
    }
    throw malformed("'" + text + "' where a number from 0 to " + MAX_BYTES + " should be");
  }

  /** What a request failed by. */
  static Failure failure(IOException e) {
    FailureKind kind = e instanceof ProtocolException ? FailureKind.UNEXPECTED_ANSWER : FailureKind.CONNECTION;
    return new Failure(kind, String.valueOf(e.getMessage()));
  }

  private static ProtocolException malformed(String found) {
    return new ProtocolException("the server sent " + found);
  }
}
