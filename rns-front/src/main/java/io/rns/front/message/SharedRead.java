package io.rns.front.message;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A read whose answer others may get, too, if the server says so: a GET without a credential, parameters, or any header
 * that might change the answer and is not part of the key.
 *
 * @param key the same for requests that get the same answer
 * @param position what it must show at least; empty for none
 * @param consistency as sent; empty for none
 */
public record SharedRead(String key, String position, String consistency) {
  /** Headers that do not change the answer, or whose value is part of the key. */
  private static final Set<String> KNOWN =
      Set.of("host", "user-agent", "accept", "accept-encoding", "connection", "keep-alive", "upgrade",
          "http2-settings", "content-length", "rns-position", "rns-consistency", "rns-direct");
  private static final int MOST_KEY = 4_096;

  /** The read that a head asks for; null for any other request. */
  static @Nullable SharedRead of(String method, String target, HeadLines lines) {
    if (!method.equals("GET") || target.length() > MOST_KEY || target.indexOf('?') >= 0) {
      return null;
    }
    Set<String> names = new HashSet<>();
    for (HeadLines.Field field : lines.fields()) {
      if (!KNOWN.contains(field.name()) || !names.add(field.name())) {
        return null;
      }
    }
    String position = lines.value("rns-position");
    String consistency = lines.value("rns-consistency");
    if (position.isEmpty() && consistency.isEmpty()) {
      return null;
    }
    String key =
        target + "\n" + lines.value("host") + "\n" + lines.value("accept") + "\n" + lines.value("accept-encoding");
    return key.length() > MOST_KEY ? null : new SharedRead(key, position, consistency);
  }
}
