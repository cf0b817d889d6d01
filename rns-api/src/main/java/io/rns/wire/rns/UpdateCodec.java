package io.rns.wire.rns;

import io.rns.api.EndpointReference;
import io.rns.api.EntriesRequest;
import io.rns.api.Entry;
import io.rns.api.EntryId;
import io.rns.api.Precondition;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.wire.BatchOptions;
import io.rns.wire.Preconditions;
import io.rns.wire.ReplyForm;
import io.rns.wire.RequestFrame;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.util.List;
import java.util.Optional;

/** {@code r:update}, or {@code r:move} in messages of an earlier draft: the target is the entry to change. */
final class UpdateCodec implements EntryOperationCodec<EntryChange> {
  private final String element;

  UpdateCodec(String element) {
    this.element = element;
  }

  @Override
  public String element() {
    return element;
  }

  @Override
  public Target target(EntryChange item) {
    return item.target();
  }

  @Override
  public void writeRequest(XmlBuffer out, EntryChange item, Place place) {
    startRequest(out, item, place);
    Preconditions.write(out, item.precondition());
    out.raw(">");
    item.name().ifPresent(name -> out.raw("<_r:entry_name>").text(name.toString()).raw("</_r:entry_name>"));
    item.references().ifPresent(references -> EntryParts.writeReferences(out, references));
    item.metadata().ifPresent(metadata -> EntryParts.writeMetadata(out, metadata));
    item.parent().ifPresent(parent -> writeParent(out, parent));
    endRequest(out);
  }

  private static void writeParent(XmlBuffer out, Target parent) {
    out.raw("<_x:parent");
    if (!parent.start().equals(EntryId.ROOT)) {
      out.attribute("start", parent.start().toString());
    }
    out.attribute("path", parent.path().toString()).raw("/>");
  }

  @Override
  public EntryChange readRequest(XmlPull pull, RequestFrame frame) {
    Precondition precondition = Preconditions.read(pull, frame, Precondition.NONE);
    EntryParts parts = EntryParts.read(pull, frame, true);
    Optional<List<EndpointReference>> references =
        parts.references.isEmpty() ? Optional.empty() : Optional.of(parts.references);
    return new EntryChange(
        frame.target(),
        Optional.ofNullable(parts.name),
        Optional.ofNullable(parts.parent),
        references,
        parts.metadata(),
        precondition);
  }

  @Override
  public void writeResponse(XmlBuffer out, Entry result, ReplyForm form, Place place) {
    startResponse(out, place);
    if (form.extended()) {
      EntryCodec.write(out, "entry", result);
    } else {
      EntryCodec.writeReferences(out, result, form);
    }
    endResponse(out);
  }

  @Override
  public EntriesRequest of(List<EntryChange> items, BatchOptions options) {
    return new UpdateRequest(items, options.allOrNothing());
  }
}
