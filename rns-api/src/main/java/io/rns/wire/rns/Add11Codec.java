package io.rns.wire.rns;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.EndpointReference;
import io.rns.api.EntriesRequest;
import io.rns.api.EntryName;
import io.rns.api.Metadata;
import io.rns.api.Precondition;
import io.rns.api.Target;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.wire.BatchOptions;
import io.rns.wire.Markup;
import io.rns.wire.Namespaces;
import io.rns.wire.Preconditions;
import io.rns.wire.RequestFrame;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** {@code rns:AddRequest}: an entry without an endpoint becomes a directory, one with an endpoint a link. */
public final class Add11Codec implements DirectoryOperationCodec<NewEntry> {
  @Override
  public String operation() {
    return "add";
  }

  @Override
  public String itemElement() {
    return "entry";
  }

  @Override
  public Target entry(NewEntry item) {
    return item.target();
  }

  @Override
  public void writeRequest(XmlBuffer out, NewEntry item, Place place) {
    out.raw("<_n:entry").attribute("entry-name", name(item).toString());
    if (item.precondition() instanceof Precondition.None) {
      out.raw(" _x:replace=\"true\"");
    }
    Preconditions.write(out, item.precondition());
    out.raw(">");
    if (!item.isDirectory()) {
      item.references().get(0).writeTo(out, "_n:endpoint");
      Items11.writeMetadata(out, item.metadata(), item.references());
    } else {
      out.raw("<_n:metadata>").raw(SupportsRns.TRUE.element());
      out.raw(SupportsRns.split(item.metadata()).rest()).raw("</_n:metadata>");
    }
    out.raw("</_n:entry>");
  }

  @Override
  public NewEntry readItem(XmlPull pull, RequestFrame frame, Consumer<String> nameText) {
    EntryName name = Names11.attribute(pull, "entry-name", nameText);
    boolean replace = Markup.flag(pull, Namespaces.EXT, "replace");
    Precondition precondition =
        Preconditions.read(pull, frame, replace ? Precondition.NONE : Precondition.IF_ABSENT);
    @Nullable
    EndpointReference endpoint = null;
    @Nullable
    MetadataParts parts = null;
    while (pull.nextChild()) {
      if (pull.is(Namespaces.RNS_11, "endpoint")) {
        Markup.once(endpoint, "endpoint");
        if (pull.isNil()) {
          pull.skip();
        } else {
          endpoint = EndpointReference.read(pull);
        }
      } else if (pull.is(Namespaces.RNS_11, "metadata")) {
        Markup.once(parts, "metadata");
        parts = MetadataParts.read(pull);
      } else {
        Markup.passOver(pull);
      }
    }
    return entry(frame.target().child(name), endpoint, parts == null ? MetadataParts.none() : parts, precondition);
  }

  private static NewEntry entry(
      Target target, @Nullable EndpointReference endpoint, MetadataParts parts, Precondition precondition) {
    if (endpoint == null) {
      if (!parts.references.isEmpty()) {
        throw new RnsException(RnsError.INVALID_REQUEST, "the metadata has an x:reference but there is no endpoint");
      }
      return new NewEntry(target, List.of(), Metadata.ofFragments(parts.fragments), precondition);
    }
    List<EndpointReference> references = new ArrayList<>(1 + parts.references.size());
    references.add(endpoint);
    references.addAll(parts.references);
    return new NewEntry(target, references, parts.supportsRns.with(parts.fragments), precondition);
  }

  @Override
  public EntriesRequest of(List<NewEntry> items, BatchOptions options) {
    return new AddRequest(items, false, options.allOrNothing());
  }
}
