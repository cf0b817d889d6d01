package io.rns.server.soap;

import io.rns.api.Entry;
import io.rns.api.EntryId;
import io.rns.api.RnsPath;
import io.rns.server.http.SharedLookup;
import io.rns.wire.FaultTable;
import io.rns.wire.MessageHeaders;
import io.rns.wire.ReplyForm;
import io.rns.wire.ReplyHeaders;
import io.rns.wire.Request;
import io.rns.wire.SoapVersion;
import io.rns.wire.rns.EntryOperations;
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

  /** The path of a lookup by path whose answer names no other server, and has no headers but its position and age. */
  static Optional<RnsPath> sharedPath(Request request, MessageHeaders asked) {
    if (!(request instanceof EntryRequest<?> lookup) || !lookup.codec().equals(EntryOperations.QUERY)
        || lookup.batch() || lookup.targets().size() != 1) {
      return Optional.empty();
    }
    boolean plain =
        lookup.targets().getFirst().start().equals(EntryId.ROOT) && asked.iterator().isEmpty()
            && asked.requestId().isEmpty() && asked.ifVersion().isEmpty() && asked.page().isEmpty()
            && asked.hops() == 0 && !asked.servers() && !asked.explain()
            && (asked.extended() || lookup.faults() == FaultTable.RNS_1_0);
    return plain ? Optional.of(lookup.targets().getFirst().path()) : Optional.empty();
  }

  @Override
  Optional<String> shared(SharedLookup lookup) {
    return isRelated() ? Optional.empty() : headers().position().flatMap(position -> lookup.header(entry, position));
  }
}
