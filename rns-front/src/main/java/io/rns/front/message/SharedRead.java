package io.rns.front.message;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A read whose answer others may get, too, if the server says so: a GET without a credential, or any header that might
 * change the answer and is not part of the key. Or, as far as its head says, a SOAP message. Not one whose client would
 * rather fetch it from a server.
 *
 * @param key the same for requests that get the same answer
 * @param position what it must show at least; empty for none
 * @param consistency as sent; empty for none
 * @param message whether it is a message, which has the rest in its body
 */
public record SharedRead(String key, String position, String consistency, boolean message) {
  /** Headers that do not change the answer, or whose value is part of the key. */
  private static final Set<String> KNOWN =
      Set.of("host", "user-agent", "accept", "accept-encoding", "connection", "keep-alive", "upgrade",
          "http2-settings", "content-length", "rns-position", "rns-consistency", "rns-direct");
  /** Further ones of messages. */
  private static final Set<String> OF_MESSAGES = Set.of("content-type", "soapaction");
  private static final int MOST_KEY = 4_096;

  /**
   * The read that a head asks for; null for any other request.
   *
   * @param withBody whether it has a body of known length, which may be empty
   */
  static @Nullable SharedRead of(String method, String target, boolean withBody, HeadLines lines) {
    boolean message = method.equals("POST") && withBody;
    if ((!message && (withBody || !method.equals("GET"))) || target.length() > MOST_KEY
        || (target.indexOf('?') >= 0 && !lines.value("rns-direct").isEmpty())) {
      return null;
    }
    Set<String> names = new HashSet<>();
    for (HeadLines.Field field : lines.fields()) {
      boolean known = KNOWN.contains(field.name()) || (message && OF_MESSAGES.contains(field.name()));
      if (!known || !names.add(field.name())) {
        return null;
      }
    }
    String position = lines.value("rns-position");
    String consistency = lines.value("rns-consistency");
    boolean says = !position.isEmpty() || !consistency.isEmpty();
    if (says == message) {
      // Without either, it is for the primary; a message has headers of its own.
      return null;
    }
    StringBuilder key = new StringBuilder(256);
    key.append(target).append('\n').append(lines.value("host")).append('\n').append(lines.value("accept"))
        .append('\n').append(lines.value("accept-encoding")).append('\n');
    if (message) {
      key.append(lines.value("content-type")).append('\n').append(lines.value("soapaction")).append('\n');
    }
    return key.length() > MOST_KEY ? null : new SharedRead(key.toString(), position, consistency, message);
  }
}
