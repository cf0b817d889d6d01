package io.rns.server.soap;

import io.rns.api.Entry;
import io.rns.server.http.SharedLookup;
import io.rns.wire.ReplyForm;
import io.rns.wire.ReplyHeaders;
import io.rns.wire.SoapVersion;
import io.rns.wire.rns.EntryRequest;
import io.rns.xml.XmlBuffer;
import java.util.Optional;

/** What one item was answered. */
final class EntryReply extends Reply {
  private final EntryRequest<?> request;
  private final Entry entry;
  private final ReplyForm form;

  EntryReply(EntryRequest<?> request, Entry entry, ReplyForm form, ReplyHeaders headers) {
    super(headers);
    this.request = request;
    this.entry = entry;
    this.form = form;
  }

  @Override
  String action() {
    return request.action();
  }

  @Override
  boolean writeNext(XmlBuffer out, SoapVersion version) {
    request.writeResponse(out, entry, form);
    return false;
  }

  @Override
  Optional<String> shared(SharedLookup lookup) {
    return isRelated() ? Optional.empty() : headers().position().flatMap(position -> lookup.header(entry, position));
  }
}
