package io.rns.server.namespace;

import io.rns.api.AddRequest;
import io.rns.api.AccessRules;
import io.rns.api.AddRequest.NewEntry;
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
import io.rns.api.Precondition;
import io.rns.api.Refusal;
import io.rns.api.RemoveRequest;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.Right;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.api.WriteRequest;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.permission.AccessControl;
import io.rns.api.EffectiveAccess;
import io.rns.server.namespace.Resolution.Opened;
import io.rns.server.store.DepartureTable.Departure;
import io.rns.server.store.EntryKey;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What each kind of write does to a {@link Draft}: the rules of the namespace. */
final class WriteRules {
  private static final int MOST_BYTES_PER_CHAR = 3;

  private final Draft draft;
  private final ContentRules content;
  private final boolean ownsRoot;
  private final AccessControl control;
  /** Whose request is being applied. */
  private Caller caller = Caller.SERVICE;

  /**
   * The rules.
   *
   * @param ownsRoot whether callers may change what is in the root
   * @param control what callers may do
   */
  WriteRules(Draft draft, FrozenContent frozen, boolean ownsRoot, AccessControl control) {
    this.draft = draft;
    this.ownsRoot = ownsRoot;
    this.control = control;
    this.content = new ContentRules(draft, frozen, ownsRoot);
  }

  /** Applies a request of a caller: its items in order, each alone or all together as the request says. */
  List<Outcome<Entry>> apply(Caller by, WriteRequest request) {
    caller = by;
    draft.readAs(TreeAccess.of(control, by, ownsRoot));
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
      case AddRequest add -> add(add.entries().get(item), add.parents());
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
      throw new IllegalStateException("a request of the service as one of " + caller);
    }
    return work.get();
  }

  // ---- access

  /** Why the caller may not use a right on an entry; null if it may. */
  private @Nullable Refusal lacks(Right right, EffectiveAccess at, Target entry) {
    return draft.access()
        .lacks(right, at, entry, Math.max(0, entry.path().depth() - 1), () -> Resolution.path(draft, entry));
  }

  /** Why the caller may not replace what there is of an entry; null if it may. */
  private @Nullable Refusal mayNotReplace(EffectiveAccess at, Target entry) {
    // The answer has the entry.
    Refusal unread = lacks(Right.READ, at, entry);
    return unread != null ? unread : lacks(Right.CHANGE, at, entry);
  }

  /**
   * Metadata as they are kept of a new entry.
   *
   * @param at what holds in its directory
   */
  private Outcome<Metadata> metadata(NewEntry item, EffectiveAccess at) {
    Target target = item.target();
    try {
      Optional<AccessRules> given = item.metadata().givenAccess();
      if (!item.isDirectory()) {
        return given.isPresent() ? Outcome.refused(notOfJunction(target)) : Outcome.done(item.metadata());
      }
      Refusal refusal = given.isPresent() ? lacks(Right.ADMIN, at, target) : null;
      if (refusal != null) {
        return Outcome.refused(refusal);
      }
      AccessRules access = given.orElse(AccessRules.NONE);
      return Outcome.done(item.metadata().with(access.owner().isPresent() ? access : access.withOwner(owner())));
    } catch (RnsException e) {
      return Outcome.refused(invalid(target, e));
    }
  }

  /** Who owns what the caller makes; empty if it has no name. */
  private Optional<String> owner() {
    return caller.name().isEmpty() || caller.name().equals(Caller.SERVICE.name())
        ? Optional.empty()
        : Optional.of(caller.name());
  }

  private static Refusal notOfJunction(Target target) {
    return new Refusal.Invalid(
        target, RnsError.INVALID_REQUEST, "access rules belong to directories, and " + target + " is a junction");
  }

  private static Refusal invalid(Target target, RnsException e) {
    return new Refusal.Invalid(target, e.error(), target + ": " + e.getMessage());
  }

  /**
   * Metadata that replace those of an entry: what these say of access stays unless the new ones say something else,
   * which needs the right to.
   *
   * @param inside what holds in the entry, if it is a directory
   */
  private Outcome<Metadata> metadata(Entry old, Metadata given, Target target, EffectiveAccess inside) {
    try {
      Optional<AccessRules> rules = given.givenAccess();
      if (old instanceof Junction) {
        return rules.isPresent() ? Outcome.refused(notOfJunction(target)) : Outcome.done(given);
      }
      AccessRules before = old.metadata().access();
      if (rules.isEmpty() || rules.get().equals(before)) {
        return Outcome.done(given.with(before));
      }
      Refusal refusal =
          draft.access().lacks(
              Right.ADMIN, inside, target, target.path().depth(), () -> Resolution.path(draft, target));
      return refusal == null ? Outcome.done(given.with(rules.get())) : Outcome.refused(refusal);
    } catch (RnsException e) {
      return Outcome.refused(invalid(target, e));
    }
  }

  /** Whether a change of an entry concerns nothing but what it says of access. */
  private static boolean changesAccessOnly(Entry old, EntryChange item) {
    if (item.references().isPresent() || item.metadata().isEmpty()) {
      return false;
    }
    Metadata given = item.metadata().get();
    Metadata others = given.withoutAccess();
    return !others.equals(given) && !given.access().equals(old.metadata().access())
        && others.equals(old.metadata().withoutAccess());
  }

  /** Why the caller may not change an entry like that, leaving aside where it moves to; null if it may. */
  private @Nullable Refusal mayNotChange(Resolution.Found found, EntryChange item) {
    Entry old = found.entry();
    EffectiveAccess at = found.within();
    Target target = item.target();
    boolean leaves = leaves(old, item);
    Refusal unread = lacks(Right.READ, at, target);
    if (unread != null) {
      return unread;
    }
    // Who may set rules need not be able to change anything else, such as the name.
    boolean changes =
        changesAccessOnly(old, item)
            ? !leaves && isRenamed(old, item)
            : !leaves || item.references().isPresent() || item.metadata().isPresent();
    Refusal refusal = changes ? lacks(Right.CHANGE, at, target) : null;
    if (refusal == null && leaves) {
      refusal = lacks(Right.REMOVE, at, target);
    }
    return refusal == null && (leaves || isRenamed(old, item)) ? mayNotUncover(found, target) : refusal;
  }

  private static boolean isRenamed(Entry old, EntryChange item) {
    return !old.isRoot() && item.name().filter(name -> !name.equals(old.binding().name())).isPresent();
  }

  /**
   * Why an entry may not lose its path; null if it may. What goes by path, as pools do, falls to other rules with the
   * path of a directory that has rules of its own: that is for callers who could have set these, in the directory or in
   * the one above.
   */
  private @Nullable Refusal mayNotUncover(Resolution.Found found, Target target) {
    if (!(found.entry() instanceof VirtualDirectory directory) || directory.metadata().access().inherits()) {
      return null;
    }
    EffectiveAccess inside = Resolution.inside(draft, found);
    return inside.grants(caller, Right.ADMIN)
        ? draft.access().lacks(
            Right.ADMIN, inside, target, target.path().depth(), () -> Resolution.path(draft, target))
        : lacks(Right.ADMIN, found.within(), target);
  }

  /**
   * Why an entry may not go from where it is to another directory; null if it may. A directory takes along what is
   * below it, which may be open to more callers there: that needs the right to open it.
   *
   * @param there what holds in the other directory
   */
  private @Nullable Refusal mayNotMove(Entry old, EntryChange item, EffectiveAccess at, EffectiveAccess there) {
    Target parent = item.parent().orElseThrow();
    EntryName name = item.name().orElse(old.binding().name());
    Refusal refusal =
        draft.access().lacks(
            Right.ADD, there, parent, parent.path().depth(),
            () -> Resolution.path(draft, parent).map(path -> RnsPath.belowOrNull(path, List.of(name))));
    if (refusal != null || old instanceof Junction || there.isNoWiderThan(at)) {
      return refusal;
    }
    return lacks(Right.ADMIN, at, item.target());
  }

  // ---- add

  private Outcome<Entry> add(NewEntry item, boolean parents) {
    Target target = item.target();
    Refusal tooLarge = tooLarge(target, item.references(), item.metadata());
    if (tooLarge != null) {
      return Outcome.refused(tooLarge);
    }
    boolean made = false;
    Resolution place = Resolution.ofContent(draft, new Target(target.start(), target.path().parent()));
    Refusal tooDeep = tooDeep(target);
    if (tooDeep != null) {
      return Outcome.refused(tooDeep);
    }
    if (parents && place instanceof Resolution.Missing missing && missing.last() != null) {
      if (isForeignRoot(missing.last())) {
        return Outcome.refused(inForeignRoot(target));
      }
      Refusal refusal = mayNotAdd(missing.within(), target, missing.missing() - 1);
      if (refusal != null) {
        return Outcome.refused(refusal);
      }
      place = new Resolution.Found(
          makeParents(target.path(), missing.missing(), missing.last().id()), missing.within());
      made = true;
    }
    return switch (place) {
      case Resolution.Missing missing -> Outcome.refused(new Refusal.NoSuchEntry(target, missing.missing()));
      case Resolution.Blocked blocked -> Outcome.refused(new Refusal.NotDirectory(target, blocked.junction()));
      case Resolution.Delegated delegated -> Outcome.refused(delegated.refused(target));
      case Resolution.Moving moving -> throw moving.met();
      case Resolution.Forbidden forbidden -> Outcome.refused(Resolution.forbidden(draft, target, forbidden));
      case Resolution.Found found when found.entry() instanceof Junction ->
        Outcome.refused(new Refusal.NotDirectory(target, target.path().depth() - 1));
      case Resolution.Found found when isForeignRoot(found.entry()) -> Outcome.refused(inForeignRoot(target));
      case Resolution.Found found ->
        addTo(found.entry().id(), item, made ? found.within() : Resolution.inside(draft, found));
    };
  }

  private @Nullable Refusal mayNotAdd(EffectiveAccess at, Target entry, int depth) {
    return draft.access().lacks(Right.ADD, at, entry, depth, () -> Resolution.path(draft, entry));
  }

  private boolean isForeignRoot(Entry directory) {
    return directory.isRoot() && !ownsRoot;
  }

  private Refusal inForeignRoot(Target target) {
    return new Refusal.Invalid(
        target, RnsError.DELEGATED,
        "cannot change " + target + " here: the root of the tree does not belong to server group "
            + draft.position().group());
  }

  /** Why a caller cannot change an entry that is in the root of a group that does not own the root; null if he can. */
  private @Nullable Refusal inForeignRoot(Entry entry, Target target) {
    boolean inRoot = entry.isRoot() || entry.binding().parent().equals(EntryId.ROOT);
    return inRoot && !ownsRoot ? inForeignRoot(target) : null;
  }

  /** Why there cannot be an entry at a target; a path from the root is never too long. */
  private @Nullable Refusal tooDeep(Target target) {
    if (target.start().equals(EntryId.ROOT)) {
      return null;
    }
    Entry start = Resolution.find(draft, target.start());
    int depth = start == null ? 0 : Resolution.depth(draft, start) + target.path().depth();
    return depth <= Limits.TREE_DEPTH ? null : tooDeep(target, "entry '" + target + "' would be " + depth);
  }

  private static Refusal tooDeep(Target target, String what) {
    return new Refusal.Invalid(
        target,
        RnsError.LIMIT_EXCEEDED,
        what + " levels below the root; the limit is " + Limits.TREE_DEPTH + " levels");
  }

  private VirtualDirectory makeParents(RnsPath path, int firstMissing, EntryId above) {
    EntryId parent = above;
    VirtualDirectory made = null;
    for (EntryName name : path.parent().names().subList(firstMissing - 1, path.depth() - 1)) {
      made = directory(new Binding(parent, name), Metadata.NONE.with(new AccessRules(owner(), Optional.empty())));
      draft.add(made);
      parent = made.id();
    }
    // A missing component is one of the parents, so the loop made at least one.
    return Objects.requireNonNull(made);
  }

  private VirtualDirectory directory(Binding binding, Metadata metadata) {
    return new VirtualDirectory(
        binding, draft.newId(), draft.nextVersion(), draft.time(), draft.time(), metadata, -1);
  }

  private Outcome<Entry> addTo(EntryId directory, NewEntry item, EffectiveAccess at) {
    Refusal refusal = mayNotAdd(at, item.target(), item.target().path().depth() - 1);
    if (refusal != null
        && (item.precondition() instanceof Precondition.IfAbsent || lacks(Right.READ, at, item.target()) != null)) {
      // Whether there is an entry of that name is not told.
      return Outcome.refused(refusal);
    }
    Binding binding = new Binding(directory, item.target().path().name());
    EntryKey key = new EntryKey(directory.value(), binding.name());
    Entry existing = insertsIfAbsent(item) ? draft.findToAdd(key) : Resolution.find(draft, key);
    if (existing != null) {
      return replace(existing, item, at);
    }
    if (refusal != null) {
      return Outcome.refused(refusal);
    }
    if (item.precondition() instanceof Precondition.IfVersion required) {
      return Outcome.refused(new Refusal.VersionMismatch(item.target(), required.version(), 0));
    }
    Outcome<Metadata> metadata = metadata(item, at);
    if (metadata instanceof Outcome.Refused<Metadata>(Refusal wrong)) {
      return Outcome.refused(wrong);
    }
    Entry entry =
        item.isDirectory()
            ? directory(binding, metadata.orThrow())
            : new Junction(
                binding,
                draft.newId(),
                draft.nextVersion(),
                draft.time(),
                draft.time(),
                item.metadata(),
                item.references());
    draft.add(entry);
    return Outcome.done(entry);
  }

  private static boolean insertsIfAbsent(NewEntry item) {
    return !(item.precondition() instanceof Precondition.IfVersion);
  }

  /** What is to be looked up before a request is applied. */
  static List<Target> toLookUp(WriteRequest request, boolean assuming) {
    List<Target> targets = new ArrayList<>();
    for (int i = 0; i < request.size(); i++) {
      Target target = target(request, i);
      boolean isAssumed = assuming && request instanceof AddRequest add && insertsIfAbsent(add.entries().get(i));
      targets.add(isAssumed ? new Target(target.start(), target.path().parent()) : target);
      if (request instanceof UpdateRequest update) {
        update.changes().get(i).parent().ifPresent(targets::add);
      }
    }
    return targets;
  }

  /**
   * Loads what is kept of the directories that requests remove or move, and whether there is an entry where something
   * moves, unless that is assumed.
   */
  void loadDirectoriesAndPlaces(List<WriteRequest> requests) {
    Set<EntryId> directories = new LinkedHashSet<>();
    Set<EntryKey> places = new LinkedHashSet<>();
    for (WriteRequest request : requests) {
      switch (request) {
        case AddRequest add -> {
        }
        case UpdateRequest update -> {
          for (EntryChange item : update.changes()) {
            if ((item.name().isPresent() || item.parent().isPresent())
                && Resolution.of(draft, item.target()) instanceof Resolution.Found(Entry old, EffectiveAccess within)
                && !old.isRoot()) {
              addDirectory(old, directories);
              if (!draft.assumes()) {
                addPlace(old, item, places);
              }
            }
          }
        }
        case RemoveRequest remove -> {
          for (Removal item : remove.removals()) {
            if (!item.recursive() && Resolution.of(draft,
                item.target()) instanceof Resolution.Found(Entry entry, EffectiveAccess within)) {
              addDirectory(entry, directories);
            }
          }
        }
        case AssignRequest assign -> addDirectory(assign.directory(), directories);
        case DepartRequest depart -> addDirectory(depart.change().target(), directories);
        case ArriveRequest arrive -> {
        }
        case ConcludeRequest conclude -> {
        }
        case ContentRequest move -> {
        }
      }
    }
    draft.committed().loadDirectories(directories);
    places.removeIf(place -> draft.peek(place) != null);
    draft.load(places);
  }

  private void addDirectory(Target target, Set<EntryId> directories) {
    if (Resolution.of(draft, target) instanceof Resolution.Found(Entry entry, EffectiveAccess within)) {
      addDirectory(entry, directories);
    }
  }

  private static void addDirectory(Entry entry, Set<EntryId> directories) {
    if (entry instanceof VirtualDirectory) {
      directories.add(entry.id());
    }
  }

  private void addPlace(Entry old, EntryChange item, Set<EntryKey> places) {
    EntryId directory = old.binding().parent();
    if (item.parent().isPresent()) {
      if (!(Resolution.of(draft, item.parent().get()) instanceof Resolution.Found to)
          || !(to.entry() instanceof VirtualDirectory found)) {
        return;
      }
      directory = found.id();
    }
    places.add(new EntryKey(directory.value(), item.name().orElse(old.binding().name())));
  }

  private Outcome<Entry> replace(Entry existing, NewEntry item, EffectiveAccess at) {
    Target target = item.target();
    checkSettled(existing, target);
    if (item.precondition() instanceof Precondition.IfAbsent) {
      return Outcome.refused(new Refusal.EntryExists(target, target));
    }
    Refusal refusal = mayNotReplace(at, target);
    if (refusal != null) {
      return Outcome.refused(refusal);
    }
    Refusal stale = stale(existing, target, item.precondition());
    if (stale != null) {
      return Outcome.refused(stale);
    }
    if (existing instanceof VirtualDirectory && !item.isDirectory()) {
      return Outcome.refused(new Refusal.IsDirectory(target));
    }
    if (existing instanceof Junction && item.isDirectory()) {
      return Outcome.refused(new Refusal.NotDirectory(target, target.path().depth()));
    }
    Outcome<Metadata> metadata =
        metadata(existing, item.metadata(), target, Resolution.inside(draft, new Resolution.Found(existing, at)));
    if (metadata instanceof Outcome.Refused<Metadata>(Refusal wrong)) {
      return Outcome.refused(wrong);
    }
    Entry entry = with(existing, existing.binding(), item.references(), metadata.orThrow());
    draft.replace(existing, entry);
    return Outcome.done(entry);
  }

  private Entry with(
      Entry old, @Nullable Binding binding, @Nullable List<EndpointReference> references, Metadata metadata) {
    return switch (old) {
      case VirtualDirectory directory ->
        new VirtualDirectory(
            binding, old.id(), draft.nextVersion(old), old.created(), draft.time(), metadata, -1, directory.owner());
      case Junction junction ->
        new Junction(
            binding == null ? junction.binding() : binding,
            old.id(),
            draft.nextVersion(old),
            old.created(),
            draft.time(),
            metadata,
            references == null ? junction.references() : references);
    };
  }

  private static @Nullable Refusal tooLarge(Target target, List<EndpointReference> references, Metadata metadata) {
    long chars = metadata.xml().length();
    for (EndpointReference reference : references) {
      chars += reference.content().length() + reference.attributes().length();
    }
    if (chars <= Limits.ENTRY_BYTES / MOST_BYTES_PER_CHAR) {
      return null;
    }
    long bytes = utf8Length(metadata.xml());
    for (EndpointReference reference : references) {
      bytes += utf8Length(reference.content()) + utf8Length(reference.attributes());
    }
    return bytes <= Limits.ENTRY_BYTES
        ? null
        : new Refusal.Invalid(
            target,
            RnsError.LIMIT_EXCEEDED,
            "entry '" + target + "' has " + bytes + " bytes of references and metadata; the limit is "
                + Limits.ENTRY_BYTES + " bytes");
  }

  private static int utf8Length(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  private static @Nullable Refusal stale(Entry entry, Target target, Precondition precondition) {
    return precondition instanceof Precondition.IfVersion required && required.version() != entry.version()
        ? new Refusal.VersionMismatch(target, required.version(), entry.version())
        : null;
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
    Entry entry = with(old, binding, item.references().orElse(null), metadata.orThrow());
    draft.replace(old, entry, height);
    return Outcome.done(entry);
  }

  private Outcome<Metadata> metadata(Resolution.Found found, EntryChange item) {
    Entry old = found.entry();
    return item.metadata().isEmpty()
        ? Outcome.done(old.metadata())
        : metadata(old, item.metadata().get(), item.target(), Resolution.inside(draft, found));
  }

  private @Nullable Refusal refusal(Resolution.Found found, EntryChange item) {
    Entry old = found.entry();
    Target target = item.target();
    Refusal unpermitted = draft.access().isAll() ? null : mayNotChange(found, item);
    if (unpermitted != null) {
      return unpermitted;
    }
    Refusal foreign = inForeignRoot(old, target);
    if (foreign != null) {
      return foreign;
    }
    Refusal stale = stale(old, target, item.precondition());
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
    return tooLarge(target, references, item.metadata().orElse(old.metadata()));
  }

  /** Whether a change names a directory for the entry that may be another one. */
  private boolean leaves(Entry old, EntryChange item) {
    return item.parent().isPresent() && !old.isRoot()
        && !(Resolution.of(draft, item.parent().get()) instanceof Resolution.Found to
            && to.entry().id().equals(old.binding().parent()));
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
    return tooDeep(item.target(), what + which + deepest);
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
              : mayNotMove(old, item, from.within(), Resolution.inside(draft, to));
      if (unpermitted != null) {
        return Outcome.refused(unpermitted);
      }
      if (isForeignRoot(found)) {
        return Outcome.refused(inForeignRoot(parent));
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
      checkSettled(existing, item.destination(place));
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
    while (!at.isRoot() && !(at instanceof VirtualDirectory directory && ContentRules.isAnchor(directory))) {
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
    Refusal unpermitted = mayNotRemove(found, item);
    if (unpermitted != null) {
      return Outcome.refused(unpermitted);
    }
    Refusal stale = stale(entry, target, item.precondition());
    if (stale != null) {
      return Outcome.refused(stale);
    }
    Refusal foreign = inForeignRoot(entry, target);
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

  /** Why the caller may not remove an entry; null if it may. What is in a directory goes with it. */
  private @Nullable Refusal mayNotRemove(Resolution.Found found, Removal item) {
    if (draft.access().isAll()) {
      return null;
    }
    Target target = item.target();
    Refusal refusal = lacks(Right.READ, found.within(), target);
    if (refusal == null) {
      refusal = lacks(Right.REMOVE, found.within(), target);
    }
    if (refusal == null) {
      refusal = mayNotUncover(found, target);
    }
    if (refusal != null || !item.recursive() || !(found.entry() instanceof VirtualDirectory)) {
      return refusal;
    }
    return draft.access()
        .lacks(
            Right.REMOVE, Resolution.inside(draft, found), target, target.path().depth(),
            () -> Resolution.path(draft, target));
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
          throw seesName(moving) ? new EntryMoving(moving.displayName()) : EntryMoving.below(target);
        }
      }
      for (EntryId id : draft.delegated()) {
        Entry cut = Resolution.find(draft, id);
        if (cut != null && Resolution.isWithin(draft, cut, directory.id())) {
          return new Refusal.Invalid(
              target,
              RnsError.DELEGATED,
              "cannot remove " + target + ": the content of "
                  + (seesName(cut) ? "the directory '" + cut.displayName() + "' (id " + id + ")" : "a directory")
                  + " below it belongs to another server group");
        }
      }
    }
    return null;
  }

  /** Whether a refusal may name an entry that the request does not name. */
  private boolean seesName(Entry entry) {
    return draft.access().isAll()
        || (caller.limits().isEmpty()
            && !(Resolution.of(draft, Target.of(entry.id())) instanceof Resolution.Forbidden));
  }

  // ---- assign

  private Outcome<Entry> assign(AssignRequest request) {
    Target target = request.directory();
    int group = request.group();
    boolean foreign = target.path().isRoot() && target.start().group() != draft.position().group();
    if (foreign && group == draft.position().group()) {
      return content.serve(target.start(), request.after());
    }
    return delegate(target, group);
  }

  // ---- moves between server groups

  private static void checkSettled(Entry entry, Target target) {
    if (MovingEntries.isMoving(entry)) {
      throw new EntryMoving(target);
    }
  }

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
    Entry entry = with(old, binding, item.references().orElse(null), metadata.orThrow());
    draft.depart(old, entry, request.group(), item.parent().orElseThrow(), caller);
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
    if (isForeignRoot(directory)) {
      return Outcome.refused(inForeignRoot(parent));
    }
    int depth = Resolution.depth(draft, directory) + 1;
    if (depth > Limits.TREE_DEPTH) {
      return Outcome.refused(tooDeep(parent, "an entry of '" + parent + "' would be " + depth));
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
    draft.readAs(TreeAccess.of(control, mover, ownsRoot));
    try {
      return Resolution.directory(draft, parent, Right.ADD);
    } finally {
      draft.readAs(TreeAccess.ALL);
    }
  }

  /** Whether callers find an entry in this group: what is left of content that has moved, or will, they do not. */
  private boolean isHere(Entry entry) {
    boolean pointsElsewhere =
        entry instanceof VirtualDirectory directory && directory.owner().isPresent()
            && ContentRules.isAnchor(directory);
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
    Refusal refusal = ContentRules.mayNotGo(draft, target, directory);
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
