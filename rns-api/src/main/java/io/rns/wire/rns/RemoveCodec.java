package io.rns.wire.rns;

import io.rns.api.EntriesRequest;
import io.rns.api.Entry;
import io.rns.api.EntryName;
import io.rns.api.Precondition;
import io.rns.api.RemoveRequest;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.Target;
import io.rns.wire.BatchOptions;
import io.rns.wire.Markup;
import io.rns.wire.Namespaces;
import io.rns.wire.Preconditions;
import io.rns.wire.ReplyForm;
import io.rns.wire.RequestFrame;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code r:remove}: the target is the entry to remove, or its directory if {@code r:entry_name} names it. */
final class RemoveCodec implements EntryOperationCodec<Removal> {
  @Override
  public String element() {
    return "remove";
  }

  @Override
  public Target target(Removal item) {
    return item.target();
  }

  @Override
  public void writeRequest(XmlBuffer out, Removal item, Place place) {
    startRequest(out, item, place);
    if (item.recursive()) {
      out.raw(" _x:recursive=\"true\"");
    }
    Preconditions.write(out, item.precondition());
    out.raw("/>");
  }

  @Override
  public Removal readRequest(XmlPull pull, RequestFrame frame) {
    boolean recursive = Markup.flag(pull, Namespaces.EXT, "recursive");
    Precondition precondition = Preconditions.read(pull, frame, Precondition.NONE);
    @Nullable
    EntryName name = null;
    while (pull.nextChild()) {
      if (pull.is(Namespaces.RNS, "entry_name") && !pull.isNil()) {
        Markup.once(name, "entry_name");
        name = EntryName.of(pull.text());
      } else if (pull.namespace().equals(Namespaces.EXT)) {
        throw Markup.unknownElement(pull);
      } else {
        pull.skip();
      }
    }
    return new Removal(name == null ? frame.target() : frame.target().child(name), recursive, precondition);
  }

  @Override
  public void writeResponse(XmlBuffer out, Entry result, ReplyForm form, Place place) {
    startResponse(out, place);
    if (form.extended()) {
      EntryCodec.write(out, "entry", result);
    } else {
      out.raw("<_r:entry_name>").text(result.displayName()).raw("</_r:entry_name>");
    }
    endResponse(out);
  }

  @Override
  public EntriesRequest of(List<Removal> items, BatchOptions options) {
    return new RemoveRequest(items, options.allOrNothing());
  }
}
