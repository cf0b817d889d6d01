package io.rns.wire.rns;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.EntriesRequest;
import io.rns.api.Entry;
import io.rns.api.Metadata;
import io.rns.api.Precondition;
import io.rns.api.Target;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.wire.BatchOptions;
import io.rns.wire.Markup;
import io.rns.wire.Namespaces;
import io.rns.wire.Preconditions;
import io.rns.wire.ReplyForm;
import io.rns.wire.RequestFrame;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.util.List;

/** {@code r:add}: the target is the directory. */
final class AddCodec implements EntryOperationCodec<NewEntry> {
  @Override
  public String element() {
    return "add";
  }

  @Override
  public Target target(NewEntry item) {
    return new Target(item.target().start(), item.target().path().parent());
  }

  @Override
  public BatchOptions options(XmlPull pull) {
    return Markup.flag(pull, Namespaces.EXT, "parents") ? new BatchOptions(false, true, false) : BatchOptions.NONE;
  }

  @Override
  public void writeRequest(XmlBuffer out, NewEntry item, Place place) {
    startRequest(out, item, place);
    if (item.precondition() instanceof Precondition.None) {
      out.raw(" _x:replace=\"true\"");
    }
    Preconditions.write(out, item.precondition());
    out.raw("><_r:entry_name>").text(item.target().path().name().toString()).raw("</_r:entry_name>");
    EntryParts.writeReferences(out, item.references());
    if (!item.metadata().isEmpty()) {
      EntryParts.writeMetadata(out, item.metadata());
    }
    endRequest(out);
  }

  @Override
  public NewEntry readRequest(XmlPull pull, RequestFrame frame) {
    boolean replace = Markup.flag(pull, Namespaces.EXT, "replace");
    Precondition precondition =
        Preconditions.read(pull, frame, replace ? Precondition.NONE : Precondition.IF_ABSENT);
    EntryParts parts = EntryParts.read(pull, frame, false);
    if (parts.name == null) {
      throw new RnsException(RnsError.INVALID_REQUEST, "add: element 'entry_name' is missing");
    }
    Target target = frame.target().child(parts.name);
    return new NewEntry(target, parts.references, parts.metadata().orElse(Metadata.NONE), precondition);
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
  public EntriesRequest of(List<NewEntry> items, BatchOptions options) {
    return new AddRequest(items, options.parents(), options.allOrNothing());
  }
}
