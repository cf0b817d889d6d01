package io.rns.front.message;

import io.netty.buffer.ByteBuf;
import java.util.Set;
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

  private static final int OK = 200;
  private static final Set<String> OF_THE_MOMENT = Set.of("rns-position", "rns-age", "date");

  /**
   * What others get, too.
   *
   * @param on what it depends on, as servers write it
   * @param position what it shows; empty for a message, which has that in its body
   * @param lines what any client receives, without position and age, and of a message without length
   */
  @SuppressWarnings("ArrayRecordComponent") // never changed, never compared
  public record Shared(String on, String position, byte[] lines) {}

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
    if (!first.matches("HTTP/1\\.[01] [1-5][0-9][0-9]( .*)?")) {
      throw RefusedMessage.malformed("the response has no valid status line");
    }
    int status = Integer.parseInt(first.substring(9, 12));
    boolean chunked = lines.chunked();
    long length = lines.length();
    BodyEnd end = end(status, toHead, chunked, length);
    boolean old = first.startsWith("HTTP/1.0");
    boolean close = old ? !lines.connection().contains("keep-alive") : lines.connection().contains("close");
    return new ServerHead(
        status, close || end.isUntilClose(), end, lines.value("content-type").startsWith("text/event-stream"),
        shared(lines, status, length), lines.passedOn(first, true, true));
  }

  private static @Nullable Shared shared(HeadLines lines, int status, long length) {
    String on = lines.value(HeadLines.SHARED);
    String position = lines.value("rns-position");
    if (on.isEmpty() || status != OK) {
      return null;
    }
    if (!position.isEmpty()) {
      return new Shared(on, position, lines.without(OF_THE_MOMENT).passedOn(lines.first(), true, true));
    }
    // A message has its position in its body, whose length changes with it.
    return length < 0 || !lines.all("content-encoding").isEmpty() ? null
        : new Shared(on, "", lines.without(OF_THE_MOMENT).passedOn(lines.first(), false, false));
  }

  private static BodyEnd end(int status, boolean toHead, boolean chunked, long length) {
    if (toHead || status < 200 || status == 204 || status == 304) {
      return BodyEnd.none();
    }
    return chunked ? BodyEnd.chunks() : length >= 0 ? BodyEnd.after(length) : BodyEnd.untilClose();
  }
}
