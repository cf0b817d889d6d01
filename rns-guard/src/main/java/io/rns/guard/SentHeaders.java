package io.rns.guard;

import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.glassfish.grizzly.Buffer;
import org.glassfish.grizzly.http.HttpHeader;
import org.glassfish.grizzly.http.HttpRequestPacket;

/**
 * The head of a request as it was sent. Grizzly forgets {@code Content-Length} when {@code Transfer-Encoding} follows
 * it, and shows the bytes to nobody outside its package.
 */
final class SentHeaders {
  private static final Field BUFFER = buffer();

  private SentHeaders() {}

  /** Whether there is a header of this name, given in lower case. */
  static boolean have(HttpRequestPacket request, String name) {
    Buffer sent = sent(request);
    String head = sent.toStringContent(StandardCharsets.ISO_8859_1, 0, sent.position());
    return head.toLowerCase(Locale.ROOT).contains("\n" + name + ":");
  }

  private static Buffer sent(HttpRequestPacket request) {
    try {
      return (Buffer) BUFFER.get(request);
    } catch (IllegalAccessException e) {
      throw new LinkageError("this Grizzly hides the bytes of requests", e);
    }
  }

  private static Field buffer() {
    try {
      Field field = HttpHeader.class.getDeclaredField("headerBuffer");
      field.setAccessible(true);
      return field;
    } catch (NoSuchFieldException e) {
      throw new LinkageError("this Grizzly keeps the bytes of requests elsewhere", e);
    }
  }
}
