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

/**
 * {@code rns:SetMetadataRequest}: replaces all metadata, but not the additional references that responses include among
 * it.
 */
public final class SetMetadata11Codec implements DirectoryOperationCodec<EntryChange> {
  @Override
  public String operation() {
    return "setMetadata";
  }

  @Override
  public String itemElement() {
    return "set-metadata-request";
  }

  @Override
  public Target entry(EntryChange item) {
    return item.target();
  }

  @Override
  public void writeRequest(XmlBuffer out, EntryChange item, Place place) {
    out.raw("<_n:set-metadata-request").attribute("entry-name", name(item).toString());
    Preconditions.write(out, item.precondition());
    SupportsRns.Split split = SupportsRns.split(item.metadata().orElseThrow());
    out.raw(">").raw(split.supportsRns().element()).raw(split.rest()).raw("</_n:set-metadata-request>");
  }

  @Override
  public EntryChange readItem(XmlPull pull, RequestFrame frame, Consumer<String> nameText) {
    EntryName name = Names11.attribute(pull, "entry-name", nameText);
    Precondition precondition = Preconditions.read(pull, frame, Precondition.NONE);
    MetadataParts parts = MetadataParts.read(pull);
    return EntryChange.metadata(frame.target().child(name), parts.supportsRns.with(parts.fragments)).with(precondition);
  }

  @Override
  public EntriesRequest of(List<EntryChange> items, BatchOptions options) {
    return new UpdateRequest(items, options.allOrNothing());
  }
}
