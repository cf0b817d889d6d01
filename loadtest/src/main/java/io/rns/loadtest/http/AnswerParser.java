package io.rns.loadtest.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Collects the bytes of one HTTP/1.1 answer at a time and finds where it ends. */
final class AnswerParser {
  private static final int MAX_BYTES = 512 << 20;
  private static final int MAX_HEADER_BYTES = 65_536;
  private static final int UNKNOWN = -1;
  private static final byte[] CONTENT_LENGTH = "content-length:".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] TRANSFER_ENCODING = "transfer-encoding:".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] CONNECTION = "connection:".getBytes(StandardCharsets.US_ASCII);

  private enum Framing {
    LENGTH, CHUNKED, UNTIL_CLOSE
  }

  private final Answer answer = new Answer();
  private byte[] bytes = new byte[8_192];
  private int filled;
  /** Where the search for the end of the header goes on. */
  private int scanned;
  private int status;
  private boolean keepAlive;
  private Framing framing = Framing.UNTIL_CLOSE;
  private int bodyFrom = UNKNOWN;
  private int contentLength;
  /** Chunks are moved together: the body so far ends here, and the next chunk's size begins at {@code chunkAt}. */
  private int bodyTo;
  private int chunkAt;

  /** Gets ready for the next answer. */
  void reset() {
    filled = 0;
    scanned = 0;
    bodyFrom = UNKNOWN;
  }

  /** Whether nothing of the answer has come yet. */
  boolean isEmpty() {
    return filled == 0;
  }

  /** Whether the connection can be used again; valid for a complete answer. */
  boolean keepAlive() {
    return keepAlive;
  }

  /** The answer; valid when complete. */
  Answer answer() {
    return answer;
  }

  /**
   * Takes what can be received now.
   *
   * @return whether the answer is complete
   * @throws MalformedAnswerException if this is no HTTP/1.1, or too long, or more than was asked for
   * @throws ClosedByServerException if the connection ended before the answer did
   */
  boolean receive(InputStream in) throws IOException {
    if (filled == bytes.length) {
      if (filled >= MAX_BYTES) {
        throw new MalformedAnswerException("an answer of more than " + MAX_BYTES + " bytes");
      }
      bytes = Arrays.copyOf(bytes, 2 * filled);
    }
    int received = in.read(bytes, filled, bytes.length - filled);
    if (received < 0) {
      return endOfStream();
    }
    filled += received;
    return bodyFrom == UNKNOWN ? headers() && body() : body();
  }

  private boolean endOfStream() throws ClosedByServerException {
    if (bodyFrom == UNKNOWN || framing != Framing.UNTIL_CLOSE) {
      throw new ClosedByServerException(filled);
    }
    answer.set(status, bytes, bodyFrom, filled);
    return true;
  }

  private boolean headers() throws IOException {
    for (int at = Math.max(scanned, 3); at < filled; at++) {
      if (bytes[at] == '\n' && bytes[at - 1] == '\r' && bytes[at - 2] == '\n' && bytes[at - 3] == '\r') {
        readHeaders(at - 1);
        if (status / 100 == 1) {
          // an interim answer such as 100 Continue: the real one follows
          System.arraycopy(bytes, at + 1, bytes, 0, filled - at - 1);
          filled -= at + 1;
          scanned = 0;
          return headers();
        }
        bodyFrom = at + 1;
        bodyTo = bodyFrom;
        chunkAt = bodyFrom;
        return true;
      }
    }
    scanned = filled;
    if (filled > MAX_HEADER_BYTES) {
      throw new MalformedAnswerException("an answer whose header has more than " + MAX_HEADER_BYTES + " bytes");
    }
    return false;
  }

  private void readHeaders(int end) throws IOException {
    int line = endOfLine(0);
    boolean http = line > 12 && bytes[0] == 'H' && bytes[4] == '/' && bytes[8] == ' ';
    if (!http) {
      throw new MalformedAnswerException("'" + ascii(0, Math.min(line, 60)) + "' where an HTTP status line should be");
    }
    status = number(9, 12);
    keepAlive = bytes[7] == '1';
    framing = status == 204 || status == 304 ? Framing.LENGTH : Framing.UNTIL_CLOSE;
    contentLength = 0;
    for (int from = line + 2; from < end; from = line + 2) {
      line = endOfLine(from);
      readHeader(from, line);
    }
    keepAlive &= framing != Framing.UNTIL_CLOSE;
  }

  private void readHeader(int from, int to) throws IOException {
    switch (bytes[from] | 0x20) {
      case 'c' -> {
        if (startsWith(from, to, CONTENT_LENGTH) && framing != Framing.CHUNKED) {
          contentLength = number(from + CONTENT_LENGTH.length, to);
          framing = Framing.LENGTH;
        } else if (startsWith(from, to, CONNECTION)) {
          keepAlive &= !ascii(from + CONNECTION.length, to).strip().equalsIgnoreCase("close");
        }
      }
      case 't' -> {
        if (startsWith(from, to, TRANSFER_ENCODING)) {
          framing = Framing.CHUNKED;
        }
      }
      default -> {
      }
    }
  }

  private boolean body() throws IOException {
    boolean complete =
        switch (framing) {
          case LENGTH -> {
            bodyTo = bodyFrom + contentLength;
            yield ended(bodyTo);
          }
          case CHUNKED -> chunks();
          case UNTIL_CLOSE -> false;
        };
    if (complete) {
      answer.set(status, bytes, bodyFrom, bodyTo);
    }
    return complete;
  }

  private boolean ended(int end) throws IOException {
    if (filled > end) {
      throw new MalformedAnswerException((filled - end) + " bytes after the end of the answer");
    }
    return filled == end;
  }

  /** Moves complete chunks together; a chunk of which a part is missing waits. */
  private boolean chunks() throws IOException {
    while (true) {
      int line = endOfLine(chunkAt);
      if (line < 0) {
        return false;
      }
      int size = chunkSize(chunkAt, line);
      if (size == 0) {
        return trailers(line + 2);
      }
      int data = line + 2;
      if (filled - data < size + 2) {
        return false;
      }
      System.arraycopy(bytes, data, bytes, bodyTo, size);
      bodyTo += size;
      chunkAt = data + size + 2;
    }
  }

  private boolean trailers(int from) throws IOException {
    int at = from;
    for (int line = endOfLine(at); line >= 0; line = endOfLine(at)) {
      if (line == at) {
        return ended(line + 2);
      }
      at = line + 2;
    }
    return false;
  }

  private int chunkSize(int from, int to) throws IOException {
    String text = ascii(from, to);
    int semicolon = text.indexOf(';');
    try {
      int size = Integer.parseUnsignedInt((semicolon < 0 ? text : text.substring(0, semicolon)).strip(), 16);
      if (size >= 0 && size <= MAX_BYTES) {
        return size;
      }
    } catch (NumberFormatException e) {
      throw new MalformedAnswerException("'" + text + "' where the size of a chunk should be", e);
    }
    throw new MalformedAnswerException("a chunk of 0x" + text + " bytes; the limit is " + MAX_BYTES);
  }

  private int number(int from, int to) throws IOException {
    String text = ascii(from, to).strip();
    try {
      int number = Integer.parseInt(text);
      if (number >= 0 && number <= MAX_BYTES) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw new MalformedAnswerException("'" + text + "' where a number should be", e);
    }
    throw new MalformedAnswerException("number " + text + " is not in 0 to " + MAX_BYTES);
  }

  private boolean startsWith(int from, int to, byte[] lowerCase) {
    if (to - from < lowerCase.length) {
      return false;
    }
    for (int i = 0; i < lowerCase.length; i++) {
      byte wanted = lowerCase[i];
      byte found = bytes[from + i];
      if (found != wanted && (found | 0x20) != wanted) {
        return false;
      }
    }
    return true;
  }

  private int endOfLine(int from) {
    for (int at = from + 1; at < filled; at++) {
      if (bytes[at] == '\n' && bytes[at - 1] == '\r') {
        return at - 1;
      }
    }
    return -1;
  }

  private String ascii(int from, int to) {
    return new String(bytes, from, Math.max(0, to - from), StandardCharsets.US_ASCII);
  }
}
