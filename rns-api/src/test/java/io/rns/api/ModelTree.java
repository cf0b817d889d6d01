package io.rns.api;

import io.rns.api.AddRequest.NewEntry;
import io.rns.api.Entry.Binding;
import io.rns.api.Entry.Junction;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The tree of {@link ModelNameService}: all entries by id, and the names of each directory. Every method either applies
 * one item completely or throws {@link Refusing} and changes nothing.
 *
 * <p>The order of checks is part of the contract: the size of an added entry, the path of the target, the precondition,
 * the rules of the root, the kind of the entry, the size of a changed entry, the path of the new parent, the position
 * of the new parent, the name or the emptiness.
 */
final class ModelTree {
  private static final long NOT_COUNTED = -1;

  private final Map<EntryId, Entry> entries = new HashMap<>();
  private final Map<EntryId, NavigableMap<EntryName, EntryId>> names = new HashMap<>();
  private long sequence;
  private long lastId = EntryId.ROOT.value();

  /** Contains only the root, created by the first change. */
  ModelTree(Instant now) {
    put(new VirtualDirectory(null, EntryId.ROOT, ++sequence, now, now, Metadata.NONE, NOT_COUNTED));
  }

  private ModelTree(ModelTree other) {
    entries.putAll(other.entries);
    other.names.forEach((id, children) -> names.put(id, new TreeMap<>(children)));
    sequence = other.sequence;
    lastId = other.lastId;
  }

  ModelTree copy() {
    return new ModelTree(this);
  }

  /** The sequence number of the last change. */
  long sequence() {
    return sequence;
  }

  Entry find(Target target) {
    Entry at = start(target);
    for (int depth = 0; depth < target.path().depth(); depth++) {
      Entry child = child(target, at, depth);
      if (child == null) {
        throw new Refusing(new Refusal.NoSuchEntry(target, depth + 1));
      }
      at = child;
    }
    return at;
  }

  VirtualDirectory findDirectory(Target target) {
    if (find(target) instanceof VirtualDirectory directory) {
      return directory;
    }
    throw new Refusing(new Refusal.NotDirectory(target, target.path().depth()));
  }

  /** The entries of a directory whose names follow {@code after}, in order. */
  List<Entry> children(EntryId directory, @Nullable EntryName after) {
    NavigableMap<EntryName, EntryId> all = names(directory);
    List<Entry> children = new ArrayList<>();
    (after == null ? all : all.tailMap(after, false)).values().forEach(id -> children.add(entry(id)));
    return children;
  }

  /** The entry with its number of entries, if it is a directory. */
  Entry counted(Entry entry) {
    return entry instanceof VirtualDirectory d
        ? new VirtualDirectory(
            d.place(), d.id(), d.version(), d.created(), d.modified(), d.metadata(), names(d.id()).size())
        : entry;
  }

  Entry add(NewEntry item, boolean parents, Instant now) {
    Target target = item.target();
    requireSize(target, item.references(), item.metadata());
    List<EntryName> path = target.path().names();
    Entry at = start(target);
    int depth = 0;
    for (Entry child = child(target, at, 0); child != null; child = child(target, at, depth)) {
      at = child;
      depth++;
      if (depth == path.size()) {
        return replace(item, at, now);
      }
    }
    if (depth + 1 < path.size() && !parents) {
      throw new Refusing(new Refusal.NoSuchEntry(target, depth + 1));
    }
    requireVersion(target, item.precondition(), 0);
    for (; depth + 1 < path.size(); depth++) {
      at = make(new Binding(at.id(), path.get(depth)), List.of(), Metadata.NONE, now);
    }
    return make(new Binding(at.id(), path.get(depth)), item.references(), item.metadata(), now);
  }

  private Entry replace(NewEntry item, Entry old, Instant now) {
    Target target = item.target();
    if (item.precondition() instanceof Precondition.IfAbsent) {
      throw new Refusing(new Refusal.EntryExists(target, target));
    }
    requireVersion(target, item.precondition(), old.version());
    boolean isDirectory = old instanceof VirtualDirectory;
    if (isDirectory && !item.isDirectory()) {
      throw new Refusing(new Refusal.IsDirectory(target));
    }
    if (!isDirectory && item.isDirectory()) {
      throw new Refusing(new Refusal.NotDirectory(target, target.path().depth()));
    }
    return put(changed(old, old.binding(), item.references(), item.metadata(), now));
  }

  private Entry make(Binding place, List<EndpointReference> references, Metadata metadata, Instant now) {
    EntryId id = new EntryId(++lastId);
    long version = ++sequence;
    return put(
        references.isEmpty()
            ? new VirtualDirectory(place, id, version, now, now, metadata, NOT_COUNTED)
            : new Junction(place, id, version, now, now, metadata, references));
  }

  Entry update(EntryChange change, Instant now) {
    Target target = change.target();
    Entry old = find(target);
    requireVersion(target, change.precondition(), old.version());
    if (old.isRoot() && (change.name().isPresent() || change.parent().isPresent())) {
      throw new Refusing(new Refusal.RootIsFixed(target));
    }
    if (old instanceof VirtualDirectory && change.references().isPresent()) {
      throw new Refusing(new Refusal.IsDirectory(target));
    }
    Metadata metadata = change.metadata().orElse(old.metadata());
    List<EndpointReference> references =
        old instanceof Junction junction ? change.references().orElse(junction.references()) : List.of();
    requireSize(target, references, metadata);
    if (old.isRoot()) {
      return put(changed(old, null, references, metadata, now));
    }
    Binding place = newPlace(change, old);
    names(old.binding().parent()).remove(old.binding().name());
    return put(changed(old, place, references, metadata, now));
  }

  private Binding newPlace(EntryChange change, Entry old) {
    EntryId parent =
        change.parent().map(target -> newParent(change.target(), target, old)).orElse(old.binding().parent());
    EntryName name = change.name().orElse(old.binding().name());
    Binding place = new Binding(parent, name);
    EntryId taken = names(parent).get(name);
    if (taken != null && !taken.equals(old.id())) {
      throw new Refusing(new Refusal.EntryExists(change.target(), change.destination(place)));
    }
    return place;
  }

  private EntryId newParent(Target target, Target parentTarget, Entry old) {
    VirtualDirectory parent = findDirectory(parentTarget);
    for (VirtualDirectory at = parent;; at = (VirtualDirectory) entry(at.binding().parent())) {
      if (at.id().equals(old.id())) {
        throw new Refusing(new Refusal.MoveIntoSelf(target, parentTarget));
      }
      if (at.isRoot()) {
        return parent.id();
      }
    }
  }

  Entry remove(Removal removal) {
    Target target = removal.target();
    Entry old = find(target);
    requireVersion(target, removal.precondition(), old.version());
    if (old.isRoot()) {
      throw new Refusing(new Refusal.RootIsFixed(target));
    }
    if (old instanceof VirtualDirectory && !removal.recursive() && !names(old.id()).isEmpty()) {
      throw new Refusing(new Refusal.NotEmpty(target, names(old.id()).size()));
    }
    names(old.binding().parent()).remove(old.binding().name());
    forget(old);
    sequence++;
    return old;
  }

  private void forget(Entry entry) {
    entries.remove(entry.id());
    if (entry instanceof VirtualDirectory) {
      children(entry.id(), null).forEach(this::forget);
      names.remove(entry.id());
    }
  }

  private Entry changed(
      Entry old, @Nullable Binding place, List<EndpointReference> references, Metadata metadata, Instant now) {
    long version = ++sequence;
    return old instanceof Junction && place != null
        ? new Junction(place, old.id(), version, old.created(), now, metadata, references)
        : new VirtualDirectory(place, old.id(), version, old.created(), now, metadata, NOT_COUNTED);
  }

  private Entry put(Entry entry) {
    entries.put(entry.id(), entry);
    if (entry instanceof VirtualDirectory) {
      names.computeIfAbsent(entry.id(), id -> new TreeMap<>());
    }
    if (!entry.isRoot()) {
      names(entry.binding().parent()).put(entry.binding().name(), entry.id());
    }
    return entry;
  }

  private Entry start(Target target) {
    Entry start = entries.get(target.start());
    if (start == null) {
      throw new Refusing(new Refusal.NoSuchEntry(target, 0));
    }
    return start;
  }

  /** The entry in {@code at} with the name at index {@code depth} of the path, or null. */
  private @Nullable Entry child(Target target, Entry at, int depth) {
    if (!(at instanceof VirtualDirectory)) {
      throw new Refusing(new Refusal.NotDirectory(target, depth));
    }
    EntryId id = names(at.id()).get(target.path().names().get(depth));
    return id == null ? null : entry(id);
  }

  private Entry entry(EntryId id) {
    Entry entry = entries.get(id);
    if (entry == null) {
      throw new IllegalStateException("the model lost entry " + id);
    }
    return entry;
  }

  private NavigableMap<EntryName, EntryId> names(EntryId directory) {
    NavigableMap<EntryName, EntryId> children = names.get(directory);
    if (children == null) {
      throw new IllegalStateException("the model lost the names of directory " + directory);
    }
    return children;
  }

  private static void requireVersion(Target target, Precondition precondition, long actual) {
    if (precondition instanceof Precondition.IfVersion required && required.version() != actual) {
      throw new Refusing(new Refusal.VersionMismatch(target, required.version(), actual));
    }
  }

  private static void requireSize(Target target, List<EndpointReference> references, Metadata metadata) {
    long bytes = utf8Length(metadata.xml());
    for (EndpointReference reference : references) {
      bytes += utf8Length(reference.attributes()) + utf8Length(reference.content());
    }
    if (bytes > Limits.ENTRY_BYTES) {
      String message = "entry '" + target + "' has " + bytes + " bytes; the limit is " + Limits.ENTRY_BYTES + " bytes";
      throw new Refusing(new Refusal.Invalid(target, RnsError.LIMIT_EXCEEDED, message));
    }
  }

  private static long utf8Length(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  /** Ends an item without a change. */
  static final class Refusing extends RuntimeException {
    private final transient Refusal refusal;

    Refusing(Refusal refusal) {
      super(refusal.message(), null, false, false);
      this.refusal = refusal;
    }

    Refusal refusal() {
      return refusal;
    }
  }
}
