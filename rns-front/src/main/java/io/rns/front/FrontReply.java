package io.rns.front;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.rns.api.RnsPath;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.front.message.ClientHead;
import io.rns.wire.Envelope;
import io.rns.wire.Fault;
import io.rns.wire.Faults;
import io.rns.wire.ReplyHeaders;
import io.rns.wire.SoapVersion;
import io.rns.xml.XmlBuffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Responses of the front itself: errors in the format of the service at the path of the request. Stateless. */
final class FrontReply {
  private static final int NOT_FOUND = 404;
  private static final int UPGRADE = 426;
  private static final int UNAVAILABLE = 503;

  private FrontReply() {}

  /**
   * An error.
   *
   * @param request what it answers; null if that could not be read
   * @param close whether the connection closes after it
   */
  static ByteBuf error(
      @Nullable ClientHead request, String context, int status, RnsError error, String message, boolean close) {
    boolean soap = request != null && request.isSoap(context);
    String contentType;
    byte[] body;
    if (soap) {
      boolean newer = request.contentType().startsWith("application/soap+xml");
      contentType = (newer ? "application/soap+xml" : "text/xml") + ";charset=utf-8";
      body = fault(newer ? SoapVersion.V1_2 : SoapVersion.V1_1, new RnsException(error, message));
    } else {
      contentType = "application/problem+json";
      body = problem(status, error, message);
    }
    boolean retry = status == UNAVAILABLE;
    String head =
        "HTTP/1.1 " + status + " " + title(status) + "\r\nContent-Type: " + contentType
            + "\r\nCache-Control: no-store\r\n"
            + (status == UPGRADE ? "Upgrade: TLS/1.2, HTTP/1.1\r\n" : "")
            + (retry ? "Retry-After: 1\r\n" : "")
            + (close ? "Connection: " + (status == UPGRADE ? "Upgrade, " : "") + "close\r\n" : "") + "Content-Length: "
            + body.length + "\r\n\r\n";
    boolean bare = request != null && request.isHead();
    return Unpooled.wrappedBuffer(head.getBytes(StandardCharsets.US_ASCII), bare ? new byte[0] : body);
  }

  /** The response for what is outside the service, as of a server: without a body. */
  static ByteBuf notFound(boolean close) {
    return Unpooled.copiedBuffer(
        "HTTP/1.1 " + NOT_FOUND + " " + title(NOT_FOUND) + "\r\n" + (close ? "Connection: close\r\n" : "")
            + "Content-Length: 0\r\n\r\n",
        StandardCharsets.US_ASCII);
  }

  private static byte[] fault(SoapVersion version, RnsException error) {
    XmlBuffer out = new XmlBuffer(1_024);
    Envelope.open(out, version, ReplyHeaders.NONE, "");
    Faults.write(out, version, Fault.of(error, RnsPath.ROOT), false, Instant.now());
    Envelope.close(out);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(out.length());
    try {
      out.writeTo(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static byte[] problem(int status, RnsError error, String message) {
    String quoted = new String(JsonStringEncoder.getInstance().quoteAsString(message));
    String text =
        "{\"type\":\"about:blank\",\"title\":\"" + title(status) + "\",\"status\":" + status + ",\"detail\":\"" + quoted
            + "\",\"code\":\"" + error.name() + "\",\"message\":\"" + quoted + "\"}";
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String title(int status) {
    return switch (status) {
      case 400 -> "Bad Request";
      case NOT_FOUND -> "Not Found";
      case 408 -> "Request Timeout";
      case 417 -> "Expectation Failed";
      case UPGRADE -> "Upgrade Required";
      case 431 -> "Request Header Fields Too Large";
      case UNAVAILABLE -> "Service Unavailable";
      case 505 -> "HTTP Version Not Supported";
      default -> "Status " + status;
    };
  }
}
