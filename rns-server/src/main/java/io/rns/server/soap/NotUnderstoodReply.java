package io.rns.server.soap;

import io.rns.wire.Faults;
import io.rns.wire.ReplyHeaders;
import io.rns.wire.SoapVersion;
import io.rns.xml.XmlBuffer;
import java.util.Set;

/** The fault of headers that must be understood and are not. */
final class NotUnderstoodReply extends Reply {
  private final Set<String> headers;

  NotUnderstoodReply(Set<String> headers) {
    super(ReplyHeaders.NONE);
    this.headers = headers;
  }

  @Override
  boolean isFault() {
    return true;
  }

  @Override
  String action() {
    return Actions.FAULT;
  }

  @Override
  boolean writeNext(XmlBuffer out, SoapVersion version) {
    Faults.writeNotUnderstood(out, version, "headers that must be understood are not: " + String.join(", ", headers));
    return false;
  }
}
