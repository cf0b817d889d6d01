package io.rns.front.message;

import io.netty.buffer.ByteBuf;
import io.rns.error.RnsError;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The head of a client's request.
 *
 * @param method such as {@code GET}
 * @param target path and query, as sent
 * @param old whether the request is HTTP/1.0: its connection closes after the response
 * @param length of the body, in bytes; -1 without a Content-Length
 * @param chunked whether the body is chunked
 * @param close whether the client wants the connection closed after the response
 * @param expectsContinue whether the client waits for status 100 before it sends the body
 * @param contentType in lower case; empty if absent
 * @param hasRequestId whether {@code RNS-Request-Id} makes it repeatable
 * @param hasCredential whether a header says who sends it, so that a certificate does not count: its credential, or the
 *        caller that a server passes on, which servers verify
 * @param encoded whether its body has a content encoding
 * @param acceptsDirect whether the client of a read without body fetches a large response from another server if the
 *        front sends it there ({@code RNS-Direct: accept})
 * @param tracksPosition whether a REST client says what its reads must show, so that any server can answer
 * @param shared the read that others may ask for, too; null for any other request
 * @param lines what the server receives: request line and fields, each with its line end, without those of the framing
 */
@SuppressWarnings("ArrayRecordComponent") // never changed, never compared
public record ClientHead(
    String method,
    String target,
    boolean old,
    long length,
    boolean chunked,
    boolean close,
    boolean expectsContinue,
    String contentType,
    boolean hasRequestId,
    boolean hasCredential,
    boolean encoded,
    boolean acceptsDirect,
    boolean tracksPosition,
    @Nullable SharedRead shared,
    byte[] lines) {
  /** Maximum length of a head, in bytes: a little more than the servers', which then refuse in their own words. */
  public static final int MOST_BYTES = 16_384;

  private static final String SERVICES = "/services";

  /**
   * The length of the head at the beginning of a buffer; -1 while it is incomplete.
   *
   * @param searched how many of its bytes were searched already
   */
  public static int end(ByteBuf in, int searched) {
    return HeadLines.end(in, searched);
  }

  /**
   * Reads a head.
   *
   * @param head all of it, with the empty line
   * @throws RefusedMessage if it is malformed, or its framing ambiguous
   */
  public static ClientHead read(byte[] head) throws RefusedMessage {
    HeadLines lines = HeadLines.read(head);
    String first = lines.first();
    int space = first.indexOf(' ');
    int last = first.lastIndexOf(' ');
    if (space <= 0 || last <= space || !HeadLines.isToken(first.substring(0, space))) {
      throw RefusedMessage.malformed("the request line is not METHOD TARGET HTTP/1.1");
    }
    String target = target(first.substring(space + 1, last));
    boolean old = isOld(first.substring(last + 1));
    boolean chunked = lines.chunked();
    long length = lines.length();
    if (chunked && old) {
      throw RefusedMessage.malformed("Transfer-Encoding requires HTTP/1.1");
    }
    int hosts = lines.all("host").size();
    if (hosts > 1 || (hosts == 0 && !old) || (hosts == 1 && lines.value("host").isEmpty())) {
      throw RefusedMessage.malformed("exactly one non-empty Host header is required");
    }
    String expect = lines.value("expect").toLowerCase(Locale.ROOT);
    if (!expect.isEmpty() && !expect.equals("100-continue")) {
      throw new RefusedMessage(417, RnsError.INVALID_REQUEST, "the only supported expectation is 100-continue");
    }
    String consistency = lines.value("rns-consistency");
    String method = first.substring(0, space);
    boolean passedOn = !lines.all("rns-on-behalf-of").isEmpty();
    boolean direct = method.equals("GET") && length <= 0 && !chunked && !passedOn
        && lines.value("rns-direct").equals("accept");
    return new ClientHead(
        method, target, old, length, chunked, old || lines.connection().contains("close"),
        !expect.isEmpty() && !old,
        lines.value("content-type").toLowerCase(Locale.ROOT), !lines.value("rns-request-id").isEmpty(),
        !lines.all("authorization").isEmpty() || passedOn,
        !lines.all("content-encoding").isEmpty(), direct,
        !lines.value("rns-position").isEmpty() || consistency.equals("any") || consistency.startsWith("bounded"),
        old || chunked ? null : SharedRead.of(method, target, length > 0, lines),
        lines.passedOn(first, false, false));
  }

  private static String target(String target) throws RefusedMessage {
    if (!target.startsWith("/")) {
      throw RefusedMessage.malformed("the target of the request must be a path");
    }
    for (int i = 0; i < target.length(); i++) {
      if (target.charAt(i) <= ' ' || target.charAt(i) == 127) {
        throw RefusedMessage.malformed("the target of the request has white space or a control character");
      }
    }
    return target;
  }

  private static boolean isOld(String version) throws RefusedMessage {
    return switch (version) {
      case "HTTP/1.1" -> false;
      case "HTTP/1.0" -> true;
      default -> throw new RefusedMessage(505, RnsError.INVALID_REQUEST, "only HTTP/1.0 and HTTP/1.1 are supported");
    };
  }

  /** Whether its path is that of a context, or below it. */
  public boolean isBelow(String context) {
    return target.startsWith(context)
        && (target.length() == context.length() || "/?;".indexOf(target.charAt(context.length())) >= 0);
  }

  /** Whether it is about the SOAP service, whose errors are faults. */
  public boolean isSoap(String context) {
    return target.startsWith(context + SERVICES);
  }

  /** Whether it asks for changes as they are made. */
  public boolean isWatch(String context) {
    return target.startsWith(context + "/watch");
  }

  /** Whether its method changes nothing. */
  public boolean isReading() {
    return method.equals("GET") || method.equals("HEAD") || method.equals("OPTIONS");
  }

  /** Whether its response has no body. */
  public boolean isHead() {
    return method.equals("HEAD");
  }

  /**
   * The complete head for the server.
   *
   * @param added complete lines of the front
   */
  public byte[] forServer(BodyFraming framing, byte[] added) {
    byte[] end = switch (framing) {
      case BodyFraming.Empty ignored -> "\r\n".getBytes(StandardCharsets.US_ASCII);
      case BodyFraming.Length known -> ("Content-Length: " + known.bytes() + "\r\n\r\n")
          .getBytes(StandardCharsets.US_ASCII);
      case BodyFraming.Chunks ignored -> "Transfer-Encoding: chunked\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    };
    return ByteBuffer.allocate(lines.length + added.length + end.length).put(lines).put(added).put(end).array();
  }
}
