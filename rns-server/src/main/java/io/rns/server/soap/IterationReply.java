package io.rns.server.soap;

import io.rns.server.iteration.ElementCursor;
import io.rns.wire.ReplyForm;
import io.rns.wire.ReplyHeaders;
import io.rns.wire.SoapVersion;
import io.rns.wire.resource.ResourceOperations;
import io.rns.xml.XmlBuffer;

/** The next elements of an iterator. */
final class IterationReply extends Reply {
  private final ElementCursor passage;
  private final ReplyForm form;
  private boolean started;

  IterationReply(ElementCursor passage, ReplyForm form, ReplyHeaders headers) {
    super(headers);
    this.passage = passage;
    this.form = form;
  }

  @Override
  String action() {
    return ResourceOperations.ITERATE.action();
  }

  @Override
  boolean writeNext(XmlBuffer out, SoapVersion version) {
    if (!started) {
      started = true;
      ResourceOperations.ITERATE.startResponse(out, passage.size());
    }
    while (passage.hasNext()) {
      passage.write(out, form);
      if (out.length() >= PIECE_BYTES) {
        return true;
      }
    }
    ResourceOperations.ITERATE.endResponse(out);
    return false;
  }
}
