package io.rns.guard;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.glassfish.grizzly.Buffer;
import org.glassfish.grizzly.Connection;
import org.glassfish.grizzly.Grizzly;
import org.glassfish.grizzly.attributes.Attribute;
import org.glassfish.grizzly.filterchain.BaseFilter;
import org.glassfish.grizzly.filterchain.FilterChainContext;
import org.glassfish.grizzly.filterchain.NextAction;
import org.glassfish.grizzly.memory.Buffers;

/**
 * Answers plain HTTP on a port of HTTPS by status 426 (RFC 9110, section 15.5.22) and closes the connection. Placed
 * before the TLS filter.
 */
final class PlainHttpFilter extends BaseFilter {
  /** The type of the first record of every TLS connection. */
  private static final byte HANDSHAKE = 0x16;

  private static final String BODY =
      "{\"type\":\"about:blank\",\"title\":\"Upgrade Required\",\"status\":426,\"code\":\"INVALID_REQUEST\","
          + "\"message\":\"this port takes HTTPS only; use https:// in the URL\","
          + "\"detail\":\"this port takes HTTPS only; use https:// in the URL\"}";

  private static final byte[] ANSWER =
      ("HTTP/1.1 426 Upgrade Required\r\nUpgrade: TLS/1.2, HTTP/1.1\r\nConnection: Upgrade, close\r\n"
          + "Content-Type: application/problem+json\r\nCache-Control: no-store\r\nContent-Length: " + BODY.length()
          + "\r\n\r\n" + BODY).getBytes(StandardCharsets.ISO_8859_1);

  private final Attribute<Boolean> begun =
      Grizzly.DEFAULT_ATTRIBUTE_BUILDER.createAttribute(PlainHttpFilter.class.getName());

  @Override
  public NextAction handleRead(FilterChainContext ctx) throws IOException {
    Connection<?> connection = ctx.getConnection();
    Buffer bytes = ctx.getMessage();
    if (begun.isSet(connection) || !bytes.hasRemaining()) {
      return ctx.getInvokeAction();
    }
    begun.set(connection, Boolean.TRUE);
    byte first = bytes.get(bytes.position());
    if (first == HANDSHAKE) {
      return ctx.getInvokeAction();
    }
    bytes.tryDispose();
    if (first >= 'A' && first <= 'Z') {
      ctx.write(Buffers.wrap(ctx.getMemoryManager(), ANSWER));
    }
    connection.closeSilently();
    return ctx.getStopAction();
  }
}
