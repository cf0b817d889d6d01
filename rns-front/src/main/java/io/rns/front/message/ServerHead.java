package io.rns.front.message;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The head of a server's response.
 *
 * @param status its status
 * @param close whether the server closes the connection after it
 * @param end where the body ends
 * @param eventStream whether it is a stream of server-sent events
 * @param shared what the front may keep of it; null if it may not
 * @param lines what the client receives: status line and fields, each with its line end, without the empty line
 */
@SuppressWarnings("ArrayRecordComponent") // never changed, never compared
public record ServerHead(int status, boolean close, BodyEnd end, boolean eventStream, @Nullable Shared shared,
    byte[] lines) {
  /** Maximum length of a head, in bytes. */
  public static final int MOST_BYTES = 65_536;

  private static final Pattern STATUS_LINE = Pattern.compile("HTTP/1\\.[01] [1-5][0-9][0-9]( .*)?");
  /** Of the front, whatever that of the server is (RFC 9112, section 2.3). */
  private static final String VERSION = "HTTP/1.1";
  private static final int OK = 200;
  private static final int NO_CONTENT = 204;
  private static final Set<String> OF_THE_MOMENT = Set.of("rns-position", "rns-age", "date");

  /**
   * What others get, too.
   *
   * @param on what it depends on, as servers write it
   * @param position what it shows; empty for a message, which has that in its body
   * @param lines what any client receives, without position, age and framing
   * @param chunked whether the body comes in chunks
   */
  @SuppressWarnings("ArrayRecordComponent") // never changed, never compared
  public record Shared(String on, String position, byte[] lines, boolean chunked) {
    /**
     * A body without its framing.
     *
     * @throws RefusedMessage if a chunk is malformed
     */
    public byte[] content(byte[] body) throws RefusedMessage {
      if (!chunked) {
        return body;
      }
      ByteBuf content = Unpooled.buffer(body.length);
      BodyEnd.chunks().advance(Unpooled.wrappedBuffer(body), 0, content);
      return ByteBufUtil.getBytes(content);
    }
  }

  /** The length of the head at the beginning of a buffer; -1 while it is incomplete. */
  public static int end(ByteBuf in, int searched) {
    return HeadLines.end(in, searched);
  }

  /**
   * Reads a head.
   *
   * @param head all of it, with the empty line
   * @param toHead whether it answers a HEAD request
   * @throws RefusedMessage if it is no valid response
   */
  public static ServerHead read(byte[] head, boolean toHead) throws RefusedMessage {
    HeadLines lines = HeadLines.read(head);
    String first = lines.first();
    String passed = VERSION + first.substring(VERSION.length());
    if (!STATUS_LINE.matcher(first).matches()) {
      throw RefusedMessage.malformed("the response has no valid status line");
    }
    int status = Integer.parseInt(first.substring(9, 12));
    boolean chunked = lines.chunked();
    long length = lines.length();
    if (status < OK && (chunked || length >= 0)) {
      throw RefusedMessage.malformed("an interim response has a body");
    }
    BodyEnd end = end(status, toHead, chunked, length);
    boolean old = first.startsWith("HTTP/1.0");
    if (old && chunked) {
      throw RefusedMessage.malformed("Transfer-Encoding requires HTTP/1.1");
    }
    boolean close = old ? !lines.connection().contains("keep-alive") : lines.connection().contains("close");
    // A client could wait for a body, or take the next response for one; the server may send one.
    boolean framed = status != NO_CONTENT;
    boolean odd = !framed && (chunked || length > 0);
    return new ServerHead(
        status, close || odd || end.isUntilClose(), end, lines.value("content-type").startsWith("text/event-stream"),
        shared(lines, passed, status, chunked, length), lines.passedOn(passed, framed, framed));
  }

  private static @Nullable Shared shared(HeadLines lines, String first, int status, boolean chunked, long length) {
    String on = lines.value(HeadLines.SHARED);
    String position = lines.value("rns-position");
    boolean framed = chunked || length >= 0;
    // A message has its position in its body.
    boolean readable = !position.isEmpty() || lines.all("content-encoding").isEmpty();
    return !on.isEmpty() && status == OK && framed && readable
        ? new Shared(on, position, lines.without(OF_THE_MOMENT).passedOn(first, false, false), chunked)
        : null;
  }

  private static BodyEnd end(int status, boolean toHead, boolean chunked, long length) {
    if (toHead || status < OK || status == NO_CONTENT || status == 304) {
      return BodyEnd.none();
    }
    return chunked ? BodyEnd.chunks() : length >= 0 ? BodyEnd.after(length) : BodyEnd.untilClose();
  }
}
