package io.rns.wire;

import io.rns.api.AddRequest.NewEntry;
import io.rns.api.EndpointReference;
import io.rns.api.Metadata;
import io.rns.api.Positions;
import io.rns.api.Precondition;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.Target;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.wire.rns.DirectoryOperationCodec;
import io.rns.wire.rns.EntryOperations;
import io.rns.wire.rns.Items11;
import io.rns.wire.rns.SupportsRns;
import io.rns.xml.XmlBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** Random requests of RNS 1.1 on names of one directory, each generated from its seed. */
public final class Messages11 {
  private static final int ITEMS = 4;

  private final WireValues values;
  private final int number;
  private final Target directory;

  public Messages11(long seed) {
    values = new WireValues(seed);
    number = (int) seed;
    directory = values.target(0);
  }

  /** One request of each operation in the form of our client; every second one requests an extended response. */
  public static List<byte[]> of(long seed) {
    Messages11 all = new Messages11(seed);
    List<byte[]> messages = new ArrayList<>();
    messages.add(all.message(EntryOperations.ADD_11, all.entries()).toByteArray());
    messages.add(all.message(EntryOperations.LOOKUP_11, all.names()).toByteArray());
    messages.add(all.message(EntryOperations.RENAME_11, all.renamings()).toByteArray());
    messages.add(all.message(EntryOperations.SET_METADATA_11, all.metadata()).toByteArray());
    messages.add(all.message(EntryOperations.LOOKUP_11, List.of()).toByteArray());
    messages.add(all.message(EntryOperations.REMOVE_11, all.removals()).toByteArray());
    return messages;
  }

  public Target directory() {
    return directory;
  }

  public <I> XmlBuffer message(DirectoryOperationCodec<I> codec, List<I> items) {
    XmlBuffer out = new XmlBuffer(16);
    Envelope.open(
        out,
        new MessageHeaders(
            directory, Optional.empty(), OptionalLong.empty(), Positions.NONE, Optional.empty(), number % 2 == 0));
    Items11.writeRequest(out, codec, items, new BatchOptions(number % 3 == 0, false, false));
    Envelope.close(out);
    return out;
  }

  private <I> List<I> some(Supplier<I> item) {
    List<I> items = new ArrayList<>();
    for (int i = 0; i <= Math.floorMod(number, ITEMS); i++) {
      items.add(item.get());
    }
    return items;
  }

  public List<NewEntry> entries() {
    return some(this::entry);
  }

  private NewEntry entry() {
    NewEntry entry = values.addRequest().entries().get(0);
    List<EndpointReference> references = entry.references();
    Metadata metadata = references.isEmpty() ? entry.metadata() : marked(entry.metadata());
    return new NewEntry(directory.child(values.name()), references, metadata, entry.precondition());
  }

  /** Adds a mark whether the resource supports RNS. */
  Metadata marked(Metadata metadata) {
    List<SupportsRns> all = List.of(SupportsRns.TRUE, SupportsRns.FALSE, SupportsRns.UNKNOWN);
    SupportsRns mark = all.get(Math.floorMod(metadata.xml().length() + number, all.size()));
    return mark.with(metadata.isEmpty() ? List.of() : List.of(metadata.xml()));
  }

  public List<Target> names() {
    return some(() -> directory.child(values.name()));
  }

  public List<EntryChange> renamings() {
    return some(() -> EntryChange.rename(directory.child(values.name()), values.name()).with(version()));
  }

  public List<EntryChange> metadata() {
    return some(() -> EntryChange.metadata(directory.child(values.name()), marked(values.metadata())).with(version()));
  }

  public List<Removal> removals() {
    return some(() -> new Removal(directory.child(values.name()), number % 5 == 0, version()));
  }

  private Precondition version() {
    return number % 2 == 0 ? Precondition.NONE : Precondition.ifVersion(number);
  }
}
