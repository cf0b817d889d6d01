package io.rns.server.namespace;

import io.rns.api.ContentRequest;
import io.rns.api.ContentRequest.Freeze;
import io.rns.api.ContentRequest.Give;
import io.rns.api.ContentRequest.Insert;
import io.rns.api.ContentRequest.Offer;
import io.rns.api.ContentRequest.Own;
import io.rns.api.ContentRequest.Point;
import io.rns.api.ContentRequest.Receive;
import io.rns.api.ContentRequest.Remember;
import io.rns.api.ContentRequest.Remove;
import io.rns.api.ContentRequest.Thaw;
import io.rns.api.Entry;
import io.rns.api.Entry.Binding;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.Metadata;
import io.rns.api.Outcome;
import io.rns.api.Positions;
import io.rns.api.Refusal;
import io.rns.api.Target;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.server.store.EntryKey;
import io.rns.server.store.EntryTable;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * What the steps of moving content between server groups do to a {@link Draft}. Each group has one row for the
 * directory, which says who owns its content: that of the directory itself, or one in the root of the group's own tree.
 */
final class ContentRules {
  private final Draft draft;
  private final FrozenContent frozen;

  ContentRules(Draft draft, FrozenContent frozen) {
    this.draft = draft;
    this.frozen = frozen;
  }

  Outcome<Entry> apply(ContentRequest request) {
    EntryId id = request.directory();
    Entry found = Resolution.find(draft, id);
    if (found == null) {
      if (!(request.step() instanceof Receive receive)) {
        return Outcome.refused(new Refusal.NoSuchEntry(Target.of(id), 0));
      }
      if (hasTooManyCuts(draft)) {
        return Outcome.refused(tooManyCuts(Target.of(id)));
      }
      Entry accepted = accept(id, OptionalInt.of(receive.from()), receive.offered());
      draft.copiedSince(id, receive.at());
      return Outcome.done(accepted);
    }
    if (found.isRoot() || MovingEntries.isTrace(found) || !(found instanceof VirtualDirectory directory)) {
      return refused(id, RnsError.INVALID_REQUEST, id + " is not a directory whose content can move");
    }
    return switch (request.step()) {
      case Freeze(long token) -> {
        frozen.freeze(id, token);
        yield Outcome.done(directory);
      }
      case Thaw thaw -> {
        frozen.thaw();
        yield Outcome.done(directory);
      }
      case Offer(long after) -> offer(directory, after);
      case Give(int to, long freeze, long token) -> give(directory, to, freeze, token);
      case Receive receive -> receive(directory, receive);
      case Insert(long token, List<Entry> entries) -> insert(directory, token, entries);
      case Remove(long token, List<EntryId> entries, boolean forever) -> remove(directory, token, entries, forever);
      case Remember(long token, String answers) -> {
        checkMove(directory, token);
        yield Outcome.done(directory);
      }
      case Own(long token, Positions given, long version) -> own(directory, token, given, version);
      case Point(int to, long version) -> point(directory, to, version);
    };
  }

  /**
   * Begins to own or to take in the content of a directory whose entry belongs to another group: a directory of the
   * same identity in the root of this group's own tree, which no path of a caller reaches.
   *
   * @param owner of the content until it has been taken in; empty for this group
   * @param after the version of the directory at the group that gives it
   */
  Entry accept(EntryId directory, OptionalInt owner, long after) {
    VirtualDirectory accepted = new VirtualDirectory(
        anchor(directory), directory, Math.max(draft.nextVersion(), after + 1), draft.time(),
        draft.time(), Metadata.NONE, -1, owner);
    draft.add(accepted);
    return accepted;
  }

  /**
   * The version of a directory grows from each owner to the next one. So an offer that comes late, from a server that
   * no longer is the primary or a group that no longer is the owner, shows that it is one.
   */
  private Outcome<Entry> offer(VirtualDirectory directory, long after) {
    checkOwner(directory);
    Refusal refusal = mayNotGo(draft, Target.of(directory.id()), directory);
    return refusal == null ? Outcome.done(draft.offer(directory, after)) : Outcome.refused(refusal);
  }

  /** Why another group cannot get a directory; null if it can. */
  static @Nullable Refusal mayNotGo(Draft draft, Target target, VirtualDirectory directory) {
    if (directory.id().group() != draft.position().group() && !isAnchor(directory)) {
      return new Refusal.Invalid(
          target, RnsError.INVALID_REQUEST,
          target + " has come from server group " + directory.id().group()
              + "; only directories that were made in their group can be assigned");
    }
    return hasTooManyCuts(draft) ? tooManyCuts(target) : null;
  }

  private static boolean hasTooManyCuts(Draft draft) {
    return draft.delegated().size() >= Limits.PARTITIONS;
  }

  private static Refusal tooManyCuts(Target target) {
    return new Refusal.Invalid(
        target, RnsError.LIMIT_EXCEEDED,
        target + " would be one directory of other server groups too many; the limit is " + Limits.PARTITIONS);
  }

  private void checkOwner(VirtualDirectory directory) {
    if (directory.owner().isPresent() || !Resolution.isInTree(draft, directory)) {
      throw new RnsException(RnsError.UNAVAILABLE, directory.id() + " is no longer a directory of this group");
    }
  }

  private Outcome<Entry> give(VirtualDirectory directory, int to, long freeze, long token) {
    if (!frozen.isFrozen(directory.id(), freeze)) {
      throw new RnsException(RnsError.UNAVAILABLE, "the content of " + directory.id() + " may have changed");
    }
    checkOwner(directory);
    Refusal refusal = mayNotGo(draft, Target.of(directory.id()), directory);
    if (refusal != null) {
      return Outcome.refused(refusal);
    }
    for (EntryId id : draft.departures().keySet()) {
      Entry departing = Resolution.find(draft, id);
      if (departing != null && Resolution.isWithin(draft, departing, directory.id())) {
        throw new RnsException(
            RnsError.UNAVAILABLE, "'" + departing.displayName() + "' is moving to another server group; retry");
      }
    }
    return Outcome.done(draft.give(directory, to, token));
  }

  private Outcome<Entry> receive(VirtualDirectory directory, Receive receive) {
    if (directory.owner().isEmpty()) {
      return refused(directory.id(), RnsError.INVALID_REQUEST, "this group owns " + directory.id() + " already");
    }
    if (receive.offered() <= directory.version()) {
      throw new RnsException(
          RnsError.UNAVAILABLE, "another move of " + directory.id() + " has begun since its content was offered");
    }
    // Of a move that came to nothing.
    boolean hasCopy = draft.count(directory.id()) > 0;
    boolean keeps = hasCopy && !receive.afresh() && directory.owner().getAsInt() == receive.from();
    long since = keeps ? draft.copiedSince(directory.id()) : 0;
    if (hasCopy && since == 0) {
      draft.clear(directory.id());
    }
    Entry received = draft.own(directory, OptionalInt.of(receive.from()), receive.offered());
    draft.copiedSince(directory.id(), since > 0 ? since : receive.at());
    return Outcome.done(received);
  }

  private Outcome<Entry> insert(VirtualDirectory directory, long token, List<Entry> entries) {
    checkMove(directory, token);
    if (!draft.assumes()) {
      draft.load(entries.stream().map(EntryTable::keyOf).toList());
      draft.committed().loadStarts(entries.stream().map(Entry::id).toList());
    }
    for (Entry entry : entries) {
      EntryKey key = EntryTable.keyOf(entry);
      Entry former = draft.assumes() ? null : Resolution.find(draft, entry.id());
      boolean isLifted = former != null && MovingEntries.isLifted(former);
      if (draft.findToAdd(key) != null || (former != null && !isLifted && !MovingEntries.isTrace(former))) {
        throw new RnsException(
            RnsError.UNAVAILABLE, "the copy of " + directory.id() + " has " + key + " or its identity already");
      }
      if (former == null) {
        draft.add(entry);
      } else if (isLifted) {
        draft.settle(former, entry);
      } else {
        draft.replace(former, entry);
      }
    }
    return Outcome.done(directory);
  }

  private Outcome<Entry> remove(VirtualDirectory directory, long token, List<EntryId> entries, boolean forever) {
    checkMove(directory, token);
    draft.committed().loadStarts(entries);
    for (EntryId id : entries) {
      Entry entry = Resolution.find(draft, id);
      if (entry == null || MovingEntries.isTrace(entry) || Resolution.isInTree(draft, entry)) {
        // It has left the copy meanwhile: moved to another directory of this group, where it stays.
        continue;
      }
      if (forever) {
        draft.remove(entry);
      } else if (!MovingEntries.isLifted(entry)) {
        draft.lift(entry, directory.id());
      }
    }
    return Outcome.done(directory);
  }

  private Outcome<Entry> own(VirtualDirectory directory, long token, Positions given, long version) {
    if (directory.owner().isEmpty()) {
      return Outcome.done(directory);
    }
    checkMove(directory, token);
    draft.reflect(given);
    return Outcome.done(draft.own(directory, OptionalInt.empty(), version));
  }

  private Outcome<Entry> point(VirtualDirectory directory, int to, long version) {
    boolean done =
        directory.version() != version || directory.owner().isEmpty() || directory.owner().getAsInt() == to;
    return Outcome.done(done ? directory : draft.own(directory, OptionalInt.of(to), 0));
  }

  static Binding anchor(EntryId directory) {
    return new Binding(EntryId.ROOT, EntryName.of(directory.toString()));
  }

  static boolean isAnchor(VirtualDirectory directory) {
    return directory.binding().equals(anchor(directory.id()));
  }

  private static void checkMove(VirtualDirectory directory, long token) {
    if (directory.owner().isEmpty() || directory.version() != token) {
      throw new RnsException(
          RnsError.UNAVAILABLE, "another move of " + directory.id() + " has begun, or the directory was changed");
    }
  }

  private static Outcome<Entry> refused(EntryId directory, RnsError error, String why) {
    return Outcome.refused(new Refusal.Invalid(Target.of(directory), error, why));
  }
}
