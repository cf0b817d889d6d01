package io.rns.server.soap;

import io.rns.api.Entry;
import io.rns.api.Outcome;
import io.rns.wire.ReplyForm;
import io.rns.wire.ReplyHeaders;
import io.rns.wire.SoapVersion;
import io.rns.wire.rns.EntryRequest;
import io.rns.xml.XmlBuffer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/** What the items of a batch were answered. */
final class BatchReply extends Reply {
  private final EntryRequest<?> request;
  private final List<Outcome<Entry>> outcomes;
  private final ReplyForm form;
  private final Instant now;
  private int next;

  BatchReply(
      EntryRequest<?> request, List<Outcome<Entry>> outcomes, ReplyForm form, ReplyHeaders headers,
      InstantSource clock) {
    super(headers);
    this.request = request;
    this.outcomes = outcomes;
    this.form = form;
    this.now = clock.instant();
  }

  @Override
  String action() {
    return request.action();
  }

  @Override
  boolean writeNext(XmlBuffer out, SoapVersion version) {
    if (next == 0) {
      request.startBatchResponse(out);
    }
    while (next < outcomes.size() && out.length() < PIECE_BYTES) {
      request.writeBatchItem(out, next, outcomes.get(next), form, now);
      next++;
    }
    if (next < outcomes.size()) {
      return true;
    }
    request.endBatchResponse(out);
    return false;
  }
}
