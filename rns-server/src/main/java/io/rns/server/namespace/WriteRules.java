package io.rns.server.namespace;

import io.rns.api.AddRequest;
import io.rns.api.ArriveRequest;
import io.rns.api.AssignRequest;
import io.rns.api.Caller;
import io.rns.api.ConcludeRequest;
import io.rns.api.ContentRequest;
import io.rns.api.DepartRequest;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.Entry.Binding;
import io.rns.api.Entry.Junction;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.Metadata;
import io.rns.api.Outcome;
import io.rns.api.Refusal;
import io.rns.api.RemoveRequest;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.Right;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.api.WriteRequest;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.permission.AccessControl;
import io.rns.replication.partition.Anchors;
import io.rns.server.namespace.Resolution.Opened;
import io.rns.server.store.DepartureTable.Departure;
import io.rns.server.store.EntryKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What each kind of write does to a {@link Draft}: the rules of the namespace. */
final class WriteRules {
  private final Draft draft;
  private final ContentRules content;
  private final AdditionRules additions;
  private final WritePermissions permissions;
  private final Anchors anchors;
  private final AccessControl control;

  /**
   * The rules.
   *
   * @param control what callers may do
   */
  WriteRules(Draft draft, FrozenContent frozen, Anchors anchors, AccessControl control) {
    this.draft = draft;
    this.anchors = anchors;
    this.control = control;
    this.content = new ContentRules(draft, frozen, anchors);
    this.permissions = new WritePermissions(draft, anchors);
    this.additions = new AdditionRules(draft, permissions);
  }

  /** Applies a request of a caller: its items in order, each alone or all together as the request says. */
  List<Outcome<Entry>> apply(Caller by, WriteRequest request) {
    permissions.applyAs(by);
    draft.readAs(TreeAccess.of(control, by, anchors));
    try {
      return apply(request);
    } finally {
      draft.readAs(TreeAccess.ALL);
    }
  }

  private List<Outcome<Entry>> apply(WriteRequest request) {
    int before = draft.mark();
    List<Outcome<Entry>> outcomes = new ArrayList<>(request.size());
    for (int i = 0; i < request.size(); i++) {
      int mark = draft.mark();
      Outcome<Entry> outcome = applyItem(request, i);
      outcomes.add(outcome);
      if (outcome instanceof Outcome.Refused<Entry>) {
        draft.rollback(mark);
        if (request.allOrNothing()) {
          draft.rollback(before);
          return notApplied(request, i, outcome);
        }
      }
    }
    return outcomes;
  }

  private static List<Outcome<Entry>> notApplied(WriteRequest request, int refused, Outcome<Entry> outcome) {
    List<Outcome<Entry>> outcomes = new ArrayList<>(request.size());
    for (int i = 0; i < request.size(); i++) {
      outcomes.add(i == refused ? outcome : Outcome.refused(new Refusal.NotApplied(target(request, i))));
    }
    return outcomes;
  }

  /** What an item is about. */
  static Target target(WriteRequest request, int item) {
    return switch (request) {
      case AddRequest add -> add.entries().get(item).target();
      case UpdateRequest update -> update.changes().get(item).target();
      case RemoveRequest remove -> remove.removals().get(item).target();
      case AssignRequest assign -> assign.directory();
      case DepartRequest depart -> depart.change().target();
      case ArriveRequest arrive -> arrive.directory();
      case ConcludeRequest conclude -> Target.of(conclude.entry());
      case ContentRequest move -> Target.of(move.directory());
    };
  }

  private Outcome<Entry> applyItem(WriteRequest request, int item) {
    return switch (request) {
      case AddRequest add -> additions.add(add.entries().get(item), add.parents());
      case UpdateRequest update -> update(update.changes().get(item));
      case RemoveRequest remove -> remove(remove.removals().get(item));
      case DepartRequest depart -> depart(depart);
      case AssignRequest assign -> asService(() -> assign(assign));
      case ArriveRequest arrive -> asService(() -> arrive(arrive));
      case ConcludeRequest conclude -> asService(() -> conclude(conclude));
      case ContentRequest move -> asService(() -> content.apply(move));
    };
  }

  /** What callers never ask for themselves. */
  private Outcome<Entry> asService(Supplier<Outcome<Entry>> work) {
    if (!draft.access().isAll()) {
      throw new IllegalStateException("a request of the service as one of " + permissions.caller());
    }
    return work.get();
  }

  // ---- update

  private Outcome<Entry> update(EntryChange item) {
    Target target = item.target();
    Resolution resolution = Resolution.of(draft, target);
    if (!(resolution instanceof Resolution.Found found)) {
      return Outcome.refused(Objects.requireNonNull(resolution.refusal(draft, target)));
    }
    Entry old = found.entry();
    Refusal refusal = refusal(found, item);
    if (refusal != null) {
      return Outcome.refused(refusal);
    }
    Binding binding = old.isRoot() ? null : old.binding();
    int height = 0;
    if (item.name().isPresent() || item.parent().isPresent()) {
      Outcome<Binding> place = newPlace(found, item);
      if (place instanceof Outcome.Refused<Binding>(Refusal why)) {
        return Outcome.refused(why);
      }
      binding = place.orThrow();
      if (!binding.parent().equals(old.binding().parent())) {
        height = old instanceof VirtualDirectory ? draft.height(old.id()) : 0;
        Refusal tooDeep = tooDeep(old, item, binding.parent(), height);
        if (tooDeep != null) {
          return Outcome.refused(tooDeep);
        }
      }
    }
    Outcome<Metadata> metadata = metadata(found, item);
    if (metadata instanceof Outcome.Refused<Metadata>(Refusal wrong)) {
      return Outcome.refused(wrong);
    }
    Entry entry = WrittenEntries.with(draft, old, binding, item.references().orElse(null), metadata.orThrow());
    draft.replace(old, entry, height);
    return Outcome.done(entry);
  }

  private Outcome<Metadata> metadata(Resolution.Found found, EntryChange item) {
    Entry old = found.entry();
    return item.metadata().isEmpty()
        ? Outcome.done(old.metadata())
        : permissions.metadata(old, item.metadata().get(), item.target(), Resolution.inside(draft, found));
  }

  private @Nullable Refusal refusal(Resolution.Found found, EntryChange item) {
    Entry old = found.entry();
    Target target = item.target();
    Refusal unpermitted = draft.access().isAll() ? null : permissions.mayNotChange(found, item);
    if (unpermitted != null) {
      return unpermitted;
    }
    Refusal foreign = permissions.inForeignRoot(old, target);
    if (foreign != null) {
      return foreign;
    }
    Refusal stale = WrittenEntries.stale(old, target, item.precondition());
    if (stale != null) {
      return stale;
    }
    if (old.isRoot() && (item.name().isPresent() || item.parent().isPresent())) {
      return new Refusal.RootIsFixed(target);
    }
    if (old instanceof VirtualDirectory && item.references().isPresent()) {
      return new Refusal.IsDirectory(target);
    }
    List<EndpointReference> references =
        item.references().orElse(old instanceof Junction junction ? junction.references() : List.of());
    return WrittenEntries.tooLarge(target, references, item.metadata().orElse(old.metadata()));
  }

  /**
   * Why an entry cannot move into a directory with all that is below it. It may always move up, also in a tree that was
   * made before there was a limit.
   */
  private @Nullable Refusal tooDeep(Entry old, EntryChange item, EntryId directory, int height) {
    int depth = Resolution.depth(draft, Objects.requireNonNull(Resolution.find(draft, directory))) + 1;
    int deepest = depth + height;
    if (deepest <= Limits.TREE_DEPTH || depth <= Resolution.depth(draft, old)) {
      return null;
    }
    String what = "'" + item.target() + "' cannot move to '" + item.parent().orElseThrow() + "': ";
    String which = height == 0 ? "it would be " : "it has or had " + height + " levels of entries, which would reach ";
    return WrittenEntries.tooDeep(item.target(), what + which + deepest);
  }

  private Outcome<Binding> newPlace(Resolution.Found from, EntryChange item) {
    Entry old = from.entry();
    Target target = item.target();
    EntryName name = item.name().orElse(old.binding().name());
    EntryId directory = old.binding().parent();
    if (item.parent().isPresent()) {
      Target parent = item.parent().get();
      Resolution resolution = Resolution.ofContent(draft, parent);
      if (!(resolution instanceof Resolution.Found to)) {
        return Outcome.refused(Objects.requireNonNull(resolution.refusal(draft, parent)));
      }
      Entry found = to.entry();
      if (found instanceof Junction) {
        return Outcome.refused(new Refusal.NotDirectory(parent, parent.path().depth()));
      }
      Refusal unpermitted =
          found.id().equals(directory) || draft.access().isAll()
              ? null
              : permissions.mayNotMove(old, item, from.within(), Resolution.inside(draft, to));
      if (unpermitted != null) {
        return Outcome.refused(unpermitted);
      }
      if (permissions.isForeignRoot(found)) {
        return Outcome.refused(permissions.inForeignRoot(parent));
      }
      if (old instanceof VirtualDirectory && Resolution.isWithin(draft, found, old.id())) {
        return Outcome.refused(new Refusal.MoveIntoSelf(target, parent));
      }
      if (old instanceof VirtualDirectory moved && leavesPartition(moved, found) && hasCut(moved)) {
        return Outcome.refused(
            new Refusal.Invalid(
                target, RnsError.DELEGATED,
                "cannot move " + target + " to " + parent + ", which is in another partition: other server groups own "
                    + "content of it"));
      }
      directory = found.id();
    }
    Binding place = new Binding(directory, name);
    Entry existing = draft.findToAdd(new EntryKey(directory.value(), name));
    if (existing != null && !existing.id().equals(old.id())) {
      WrittenEntries.checkSettled(existing, item.destination(place));
      return Outcome.refused(new Refusal.EntryExists(target, item.destination(place)));
    }
    return Outcome.done(place);
  }

  /** Whether a directory is in another partition of this group than an entry, perhaps behind a cut below that. */
  private boolean leavesPartition(Entry entry, Entry directory) {
    return !partition(entry).equals(partition(directory));
  }

  private EntryId partition(Entry entry) {
    Entry at = entry;
    while (!at.isRoot() && !anchors.isAnchor(at)) {
      at = Objects.requireNonNull(Resolution.find(draft, at.binding().parent()));
    }
    return at.id();
  }

  /** Whether another group owns the content of a directory, or of one below. */
  private boolean hasCut(VirtualDirectory directory) {
    return draft.delegated().stream().map(id -> Resolution.find(draft, id))
        .anyMatch(cut -> cut != null && Resolution.isWithin(draft, cut, directory.id()));
  }

  // ---- remove

  private Outcome<Entry> remove(Removal item) {
    Target target = item.target();
    Resolution resolution = Resolution.of(draft, target);
    if (!(resolution instanceof Resolution.Found found)) {
      return Outcome.refused(Objects.requireNonNull(resolution.refusal(draft, target)));
    }
    Entry entry = found.entry();
    Refusal unpermitted = permissions.mayNotRemove(found, item);
    if (unpermitted != null) {
      return Outcome.refused(unpermitted);
    }
    Refusal stale = WrittenEntries.stale(entry, target, item.precondition());
    if (stale != null) {
      return Outcome.refused(stale);
    }
    Refusal foreign = permissions.inForeignRoot(entry, target);
    if (foreign != null) {
      return Outcome.refused(foreign);
    }
    if (entry.isRoot()) {
      return Outcome.refused(new Refusal.RootIsFixed(target));
    }
    Refusal delegated = entry instanceof VirtualDirectory directory ? delegated(directory, item) : null;
    if (delegated != null) {
      return Outcome.refused(delegated);
    }
    if (entry instanceof VirtualDirectory && !item.recursive()) {
      long entries = draft.count(entry.id());
      if (entries > 0) {
        boolean mayCount =
            draft.access().has(Right.LIST, Resolution.inside(draft, found), () -> Resolution.path(draft, target));
        return Outcome.refused(new Refusal.NotEmpty(target, mayCount ? entries : 0));
      }
    }
    draft.remove(entry);
    return Outcome.done(entry);
  }

  /** Why a directory cannot be removed because of other server groups; null if it can. */
  private @Nullable Refusal delegated(VirtualDirectory directory, Removal item) {
    Target target = item.target();
    if (directory.owner().isPresent()) {
      return new Refusal.Delegated(
          target, target.path().depth(), directory.owner().getAsInt(), directory.id());
    }
    if (item.recursive()) {
      for (EntryId id : draft.departures().keySet()) {
        Entry moving = Resolution.find(draft, id);
        if (moving != null && Resolution.isWithin(draft, moving, directory.id())) {
          throw permissions.seesName(moving) ? new EntryMoving(moving.displayName()) : EntryMoving.below(target);
        }
      }
      for (EntryId id : draft.delegated()) {
        Entry cut = Resolution.find(draft, id);
        if (cut != null && Resolution.isWithin(draft, cut, directory.id())) {
          return new Refusal.Invalid(
              target,
              RnsError.DELEGATED,
              "cannot remove " + target + ": the content of "
                  + (permissions.seesName(cut) ? "the directory '" + cut.displayName() + "' (id " + id + ")"
                      : "a directory")
                  + " below it belongs to another server group");
        }
      }
    }
    return null;
  }

  // ---- assign

  private Outcome<Entry> assign(AssignRequest request) {
    Target target = request.directory();
    int group = request.group();
    if (request.isAtOwner()) {
      return content.serve(target.start(), request.after());
    }
    return delegate(target, group);
  }

  // ---- moves between server groups

  private Outcome<Entry> depart(DepartRequest request) {
    EntryChange item = request.change();
    Target target = item.target();
    Resolution resolution = Resolution.of(draft, target);
    if (!(resolution instanceof Resolution.Found found)) {
      return Outcome.refused(Objects.requireNonNull(resolution.refusal(draft, target)));
    }
    Entry old = found.entry();
    Refusal refusal = refusal(found, item);
    if (refusal != null) {
      return Outcome.refused(refusal);
    }
    Outcome<Metadata> metadata = metadata(found, item);
    if (metadata instanceof Outcome.Refused<Metadata>(Refusal wrong)) {
      return Outcome.refused(wrong);
    }
    if (old instanceof VirtualDirectory directory && (directory.owner().isPresent() || draft.count(old.id()) > 0)) {
      return Outcome.refused(
          new Refusal.Invalid(
              target, RnsError.DELEGATED,
              "cannot move " + target + " to server group " + request.group()
                  + ": only junctions and empty directories move between groups"));
    }
    checkRoomToDepart(request.group());
    Binding binding = new Binding(old.binding().parent(), item.name().orElse(old.binding().name()));
    Entry entry = WrittenEntries.with(draft, old, binding, item.references().orElse(null), metadata.orThrow());
    draft.depart(old, entry, request.group(), item.parent().orElseThrow(), permissions.caller());
    return Outcome.done(entry);
  }

  /** One group has at most as many as are free: one that hangs leaves room for others. */
  private void checkRoomToDepart(int group) {
    Collection<Departure> moving = draft.departures().values();
    long there = moving.stream().filter(departure -> departure.group() == group).count();
    if (there >= Limits.DEPARTURES - moving.size()) {
      throw new RnsException(
          RnsError.BUSY,
          there + " entries are moving to server group " + group + " already, and " + (moving.size() - there)
              + " to others");
    }
  }

  /** All of it is an outcome, for it decides what becomes of the entry. */
  private Outcome<Entry> arrive(ArriveRequest request) {
    Target parent = request.directory();
    EntryId id = request.entry().id();
    Entry known = draft.findStored(id);
    if (known != null && isHere(known)) {
      // From this move, whose answer is no longer kept: no other group had the entry since.
      return Outcome.done(known);
    }
    if (Resolution.ofContent(draft, parent) instanceof Resolution.Moving) {
      return Outcome.refused(
          new Refusal.Invalid(parent, RnsError.BUSY, parent + " is moving to another server group itself; retry"));
    }
    Outcome<Opened> found = openedBy(request.caller(), parent);
    if (found instanceof Outcome.Refused<Opened>(Refusal why)) {
      return Outcome.refused(why);
    }
    VirtualDirectory directory = found.orThrow().directory();
    if (permissions.isForeignRoot(directory)) {
      return Outcome.refused(permissions.inForeignRoot(parent));
    }
    int depth = Resolution.depth(draft, directory) + 1;
    if (depth > Limits.TREE_DEPTH) {
      return Outcome.refused(WrittenEntries.tooDeep(parent, "an entry of '" + parent + "' would be " + depth));
    }
    if (request.entry() instanceof VirtualDirectory && (draft.count(id) > 0 || draft.committed().isBeingDeleted(id))) {
      return Outcome.refused(
          new Refusal.Invalid(
              parent, RnsError.BUSY,
              "a copy of the content that the directory had is still in server group " + draft.position().group()
                  + "; retry later"));
    }
    EntryName name = request.entry().binding().name();
    Entry existing = Resolution.find(draft, new EntryKey(directory.id().value(), name));
    return existing == null
        ? Outcome.done(draft.arrive(request, directory.id()))
        : Outcome.refused(new Refusal.EntryExists(parent, Target.of(directory.id()).child(name)));
  }

  /** The directory into which a caller moves an entry. */
  private Outcome<Opened> openedBy(Caller mover, Target parent) {
    draft.readAs(TreeAccess.of(control, mover, anchors));
    try {
      return Resolution.directory(draft, parent, Right.ADD);
    } finally {
      draft.readAs(TreeAccess.ALL);
    }
  }

  /** Whether callers find an entry in this group: what is left of content that has moved, or will, they do not. */
  private boolean isHere(Entry entry) {
    boolean pointsElsewhere =
        entry instanceof VirtualDirectory directory && directory.owner().isPresent() && anchors.isAnchor(directory);
    return !pointsElsewhere && !MovingEntries.isTrace(entry) && !MovingEntries.isMoving(entry)
        && Resolution.isInTree(draft, entry);
  }

  private Outcome<Entry> conclude(ConcludeRequest request) {
    Target target = Target.of(request.entry());
    Departure departure = draft.departures().get(request.entry());
    Entry entry = Resolution.find(draft, request.entry());
    if (departure == null || entry == null || !departure.arrival().departed().equals(request.departed())) {
      return Outcome.refused(new Refusal.NoSuchEntry(target, 0));
    }
    request.arrived().ifPresentOrElse(
        arrived -> draft.leave(entry, arrived.group(), request.reflected().with(arrived)), () -> draft.stay(entry));
    return Outcome.done(departure.arrival().entry());
  }

  private Outcome<Entry> delegate(Target target, int group) {
    Outcome<Opened> found = Resolution.directory(draft, target, Right.ADMIN);
    if (found instanceof Outcome.Refused<Opened>(Refusal why)) {
      return Outcome.refused(why);
    }
    VirtualDirectory directory = found.orThrow().directory();
    if (directory.isRoot()) {
      return Outcome.refused(new Refusal.RootIsFixed(target));
    }
    if (group == draft.position().group()) {
      return Outcome.refused(
          new Refusal.Invalid(target, RnsError.INVALID_REQUEST, target + " belongs to server group " + group));
    }
    Refusal refusal = ContentRules.tooManyCuts(draft, target);
    if (refusal != null) {
      return Outcome.refused(refusal);
    }
    // One that once had entries is given away as those that have some: with the answers to requests that concerned it.
    if (draft.count(directory.id()) > 0 || draft.height(directory.id()) > 0) {
      return Outcome.refused(new Refusal.NotEmpty(target, draft.count(directory.id())));
    }
    return Outcome.done(draft.delegate(directory, group));
  }
}
