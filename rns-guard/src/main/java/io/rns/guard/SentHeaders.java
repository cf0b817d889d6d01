package io.rns.guard;

import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.glassfish.grizzly.Buffer;
import org.glassfish.grizzly.http.HttpHeader;
import org.glassfish.grizzly.http.HttpRequestPacket;

/**
 * The head of a request as sent. Grizzly drops {@code Content-Length} if {@code Transfer-Encoding} follows it, and
 * keeps the bytes package-private.
 */
final class SentHeaders {
  private static final Field BUFFER = buffer();

  private SentHeaders() {}

  /** Whether a header of this name, in lower case, is present. */
  static boolean have(HttpRequestPacket request, String name) {
    Buffer sent = sent(request);
    String head = sent.toStringContent(StandardCharsets.ISO_8859_1, 0, sent.position());
    return head.toLowerCase(Locale.ROOT).contains("\n" + name + ":");
  }

  private static Buffer sent(HttpRequestPacket request) {
    try {
      return (Buffer) BUFFER.get(request);
    } catch (IllegalAccessException e) {
      throw new LinkageError("this Grizzly version hides the bytes of requests", e);
    }
  }

  private static Field buffer() {
    try {
      Field field = HttpHeader.class.getDeclaredField("headerBuffer");
      field.setAccessible(true);
      return field;
    } catch (NoSuchFieldException e) {
      throw new LinkageError("this Grizzly version stores the bytes of requests elsewhere", e);
    }
  }
}
