package io.rns.server.soap;

import io.rns.wire.ReplyHeaders;
import io.rns.wire.SoapVersion;
import io.rns.wire.pool.PoolRequest;
import io.rns.xml.XmlBuffer;

/** What a request about server pools was answered. Pools have no position. */
final class PoolReply<O> extends Reply {
  private final PoolRequest<?, O> request;
  private final O result;

  PoolReply(PoolRequest<?, O> request, O result) {
    super(ReplyHeaders.NONE);
    this.request = request;
    this.result = result;
  }

  @Override
  String action() {
    return request.codec().action();
  }

  @Override
  boolean writeNext(XmlBuffer out, SoapVersion version) {
    request.writeResponse(out, result);
    return false;
  }
}
