package io.rns.server.soap;

import io.rns.wire.Namespaces;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import org.jspecify.annotations.Nullable;

/**
 * The headers of WS-Addressing in a request, all of which are understood and none of which is needed, and those that
 * the answer has in return: only if the request has an id to relate it to. Belongs to one thread.
 */
final class Addressing {
  private @Nullable String messageId;

  /** Takes the header at {@code pull}, if it is one of WS-Addressing, and moves to its end. */
  boolean take(XmlPull pull) {
    if (!pull.namespace().equals(Namespaces.WSA)) {
      return false;
    }
    if (pull.localName().equals("MessageID")) {
      messageId(pull.text());
    } else {
      pull.skip();
    }
    return true;
  }

  /** Takes the id of the request. */
  void messageId(String id) {
    messageId = id.trim();
  }

  /** The headers of an answer, self-contained; empty if there are none. */
  String headers(String action) {
    if (messageId == null) {
      return "";
    }
    XmlBuffer out = new XmlBuffer(256);
    out.raw("<_a:Action xmlns:_a=\"" + Namespaces.WSA + "\">").text(action).raw("</_a:Action>");
    out.raw("<_a:RelatesTo xmlns:_a=\"" + Namespaces.WSA + "\">").text(messageId).raw("</_a:RelatesTo>");
    return out.toString();
  }
}
