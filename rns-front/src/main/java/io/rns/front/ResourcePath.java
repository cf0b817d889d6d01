package io.rns.front;

import io.rns.api.RnsPath;
import io.rns.error.RnsException;
import io.rns.front.message.ClientHead;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

/** The entry that a request is about, for the choice of the server group. Stateless. */
final class ResourcePath {
  private static final String NAMES = "/names";

  private ResourcePath() {}

  /** Whether a request is about names. */
  static boolean isOfNames(ClientHead head, String context) {
    return head.isBelow(context + NAMES);
  }

  /** The path of the resource; the root if the request does not name it in its URL. A server decides in the end. */
  static RnsPath of(ClientHead head, String context) {
    String names = context + NAMES;
    String target = head.target();
    if (!target.startsWith(names + "/")) {
      return RnsPath.ROOT;
    }
    int query = target.indexOf('?');
    String path = target.substring(names.length(), query < 0 ? target.length() : query);
    try {
      return of(URLDecoder.decode(path.replace("+", "%2B"), StandardCharsets.UTF_8));
    } catch (IllegalArgumentException e) {
      return RnsPath.ROOT;
    }
  }

  /** A path as text; the root if it is none. */
  static RnsPath of(String path) {
    try {
      return RnsPath.parse(path);
    } catch (RnsException e) {
      return RnsPath.ROOT;
    }
  }
}
