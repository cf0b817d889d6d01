package io.rns.wire.rns;

import io.rns.api.EntriesRequest;
import io.rns.api.EntryName;
import io.rns.api.Precondition;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.wire.BatchOptions;
import io.rns.wire.Preconditions;
import io.rns.wire.RequestFrame;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.util.List;
import java.util.function.Consumer;

/** {@code rns:RenameRequest}: renames entries within their directory. */
public final class Rename11Codec implements DirectoryOperationCodec<EntryChange> {
  @Override
  public String operation() {
    return "rename";
  }

  @Override
  public String itemElement() {
    return "rename-request";
  }

  @Override
  public Target entry(EntryChange item) {
    return item.target();
  }

  @Override
  public void writeRequest(XmlBuffer out, EntryChange item, Place place) {
    out.raw("<_n:rename-request").attribute("source-name", name(item).toString());
    out.attribute("target-name", item.name().orElseThrow().toString());
    Preconditions.write(out, item.precondition());
    out.raw("/>");
  }

  @Override
  public EntryChange readItem(XmlPull pull, RequestFrame frame, Consumer<String> nameText) {
    EntryName source = Names11.attribute(pull, "source-name", nameText);
    EntryName target = Names11.attribute(pull, "target-name", name -> {});
    Precondition precondition = Preconditions.read(pull, frame, Precondition.NONE);
    pull.skip();
    return EntryChange.rename(frame.target().child(source), target).with(precondition);
  }

  @Override
  public EntriesRequest of(List<EntryChange> items, BatchOptions options) {
    return new UpdateRequest(items, options.allOrNothing());
  }
}
