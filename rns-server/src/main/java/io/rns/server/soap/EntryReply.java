package io.rns.server.soap;

import io.rns.api.Entry;
import io.rns.api.EntryId;
import io.rns.api.Position;
import io.rns.api.Positions;
import io.rns.api.Target;
import io.rns.server.http.SharedAnswers;
import io.rns.wire.FaultTable;
import io.rns.wire.MessageHeaders;
import io.rns.wire.ReplyForm;
import io.rns.wire.ReplyHeaders;
import io.rns.wire.SoapVersion;
import io.rns.wire.rns.EntryOperations;
import io.rns.wire.rns.EntryRequest;
import io.rns.xml.XmlBuffer;
import java.util.List;
import java.util.Optional;

/** What one item was answered. */
final class EntryReply extends Reply {
  private final EntryRequest<?> request;
  private final MessageHeaders asked;
  private final Entry entry;
  private final ReplyForm form;

  EntryReply(EntryRequest<?> request, MessageHeaders asked, Entry entry, ReplyForm form, ReplyHeaders headers) {
    super(headers);
    this.request = request;
    this.asked = asked;
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

  /** A lookup by path whose answer names no other server, and has no headers but its position and age. */
  @Override
  Optional<String> shared(SharedAnswers answers) {
    Optional<Position> position = headers().position();
    List<Target> targets = request.targets();
    boolean lookup =
        request.codec().equals(EntryOperations.QUERY) && !request.batch() && targets.size() == 1
            && targets.getFirst().start().equals(EntryId.ROOT) && asked.iterator().isEmpty();
    boolean plain =
        !isRelated() && asked.requestId().isEmpty() && asked.ifVersion().isEmpty() && asked.page().isEmpty()
            && asked.hops() == 0 && !asked.servers() && !asked.explain()
            && (asked.extended() || request.faults() == FaultTable.RNS_1_0);
    return position.isEmpty() || !lookup || !plain ? Optional.empty()
        : answers.header(targets.getFirst().path(), entry,
            Positions.of(position.get()).with(headers().others()));
  }
}
