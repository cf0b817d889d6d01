package io.rns.server.soap;

import io.rns.api.SubtreePage;
import io.rns.wire.ReplyHeaders;
import io.rns.wire.SoapVersion;
import io.rns.wire.rns.SubtreePageRequest;
import io.rns.xml.XmlBuffer;

/** A page of a subtree. */
final class SubtreeReply extends Reply {
  private final SubtreePageRequest request;
  private final SubtreePage page;
  private int next;

  SubtreeReply(SubtreePageRequest request, SubtreePage page, ReplyHeaders headers) {
    super(headers);
    this.request = request;
    this.page = page;
  }

  @Override
  String action() {
    return request.codec().action();
  }

  @Override
  boolean writeNext(XmlBuffer out, SoapVersion version) {
    if (next == 0) {
      request.codec().startPage(out, page);
    }
    while (next < page.entries().size()) {
      request.codec().writeVisit(out, page.entries().get(next));
      next++;
      if (out.length() >= PIECE_BYTES) {
        return true;
      }
    }
    request.codec().endPage(out);
    return false;
  }
}
