package io.rns.wire.rns;

import io.rns.wire.Fault;
import io.rns.wire.Faults;
import io.rns.wire.Markup;
import io.rns.wire.ReplyForm;
import io.rns.xml.XmlBuffer;
import java.time.Instant;

/** The elements around the items of a batch response. */
final class BatchMarkup {
  private BatchMarkup() {}

  static void startResponse(XmlBuffer out) {
    out.raw("<_x:batchResponse").raw(Markup.DECLARATIONS).raw(">");
  }

  static void endResponse(XmlBuffer out) {
    out.raw("</_x:batchResponse>");
  }

  static void writeFault(XmlBuffer out, Fault fault, ReplyForm form, Instant now) {
    out.raw("<_x:fault>");
    Faults.writeDetail(out, fault, form.extended(), now);
    out.raw("</_x:fault>");
  }
}
