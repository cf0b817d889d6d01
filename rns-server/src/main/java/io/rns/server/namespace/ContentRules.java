package io.rns.server.namespace;

import io.rns.api.ContentRequest;
import io.rns.api.ContentRequest.Abandon;
import io.rns.api.ContentRequest.Forget;
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
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.EntryId;
import io.rns.api.Metadata;
import io.rns.api.Outcome;
import io.rns.api.Positions;
import io.rns.api.Refusal;
import io.rns.api.Target;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.replication.partition.Anchors;
import io.rns.server.store.EntryKey;
import io.rns.server.store.EntryTable;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the steps of moving content between server groups do to a {@link Draft}. Each group has one row for the
 * directory, which says who owns its content: that of the directory itself, or an anchor.
 */
final class ContentRules {
  private final Draft draft;
  private final FrozenContent frozen;
  private final Anchors anchors;

  ContentRules(Draft draft, FrozenContent frozen, Anchors anchors) {
    this.draft = draft;
    this.frozen = frozen;
    this.anchors = anchors;
  }

  Outcome<Entry> apply(ContentRequest request) {
    EntryId id = request.directory();
    Entry found = request.step() instanceof Receive || request.step() instanceof Forget
        ? draft.findStored(id)
        : Resolution.find(draft, id);
    if (request.step() instanceof Receive receive && (found == null || MovingEntries.isTrace(found))) {
      return receiveFirst(id, found, receive);
    }
    if (found == null) {
      return Outcome.refused(new Refusal.NoSuchEntry(Target.of(id), 0));
    }
    if (request.step() instanceof Forget forget) {
      return forget(found, forget.before());
    }
    if (found.isRoot() || MovingEntries.isTrace(found) || !(found instanceof VirtualDirectory directory)) {
      return refused(id, RnsError.INVALID_REQUEST, id + " is not a directory whose content can move");
    }
    return switch (request.step()) {
      case Freeze(long token) -> {
        // Neither begins while writes wait.
        checkNothingArrives(directory);
        checkNothingDeparts(directory);
        frozen.freeze(id, token);
        yield Outcome.done(directory);
      }
      case Thaw thaw -> {
        frozen.thaw();
        yield Outcome.done(directory);
      }
      case Offer(long after) -> offer(directory, after);
      case Give give -> give(directory, give);
      case Receive receive -> receive(directory, receive);
      case Forget forget -> throw new IllegalStateException("not of a directory only: " + forget);
      case Insert(long token, List<Entry> entries) -> insert(directory, token, entries);
      case Remove(long token, List<EntryId> entries, boolean forever) -> remove(directory, token, entries, forever);
      case Remember(long token, String answers) -> {
        checkMove(directory, token);
        yield Outcome.done(directory);
      }
      case Abandon(long token) -> abandon(directory, token);
      case Own(long token, Positions given, long version) -> own(directory, token, given, version);
      case Point(int to, long version) -> point(directory, to, version);
    };
  }

  /**
   * Begins to own a directory that another group has given to this one without content.
   *
   * @param after the version of the directory there
   * @throws RnsException {@link RnsError#BUSY} while something is left here of a former copy of the directory
   */
  Outcome<Entry> serve(EntryId id, long after) {
    Entry known = draft.findStored(id);
    if (known == null) {
      if (draft.isBeingDeleted(id)) {
        throw copyLeft(id);
      }
      return Outcome.done(accept(id, null, OptionalInt.empty(), after));
    }
    if (isInCopy(known)) {
      throw copyLeft(id);
    }
    if (MovingEntries.isTrace(known)) {
      throw new RnsException(RnsError.UNAVAILABLE, id + " has left this group, and not come back");
    }
    return Outcome.done(known);
  }

  /**
   * Begins to own or to take in the content of a directory whose entry belongs to another group, below an anchor.
   *
   * @param trace what is left of the entry, which was here once; null if it was not
   * @param owner of the content until it has been taken in; empty for this group
   * @param after the version of the directory at the group that gives it
   */
  private Entry accept(EntryId directory, @Nullable Entry trace, OptionalInt owner, long after) {
    long next = trace == null ? draft.nextVersion() : draft.nextVersion(trace);
    VirtualDirectory accepted = new VirtualDirectory(
        anchors.binding(directory), directory, Math.max(next, after + 1), draft.time(), draft.time(), Metadata.NONE, -1,
        owner);
    draft.accept(trace, accepted);
    return accepted;
  }

  // ---- what interrupted moves have left

  static RnsException copyLeft(EntryId id) {
    return new RnsException(RnsError.BUSY, "a former copy of " + id + " is being deleted here; retry");
  }

  /**
   * Whether an entry is part of a copy of content that another group owns, or of content that is being deleted: no
   * caller gets to it.
   */
  private boolean isInCopy(Entry entry) {
    return !anchors.isAnchor(entry) && !MovingEntries.isTrace(entry) && !Resolution.isInTree(draft, entry);
  }

  /** The directory whose content another group owns, and an entry of a copy is part of; null if that is gone. */
  private @Nullable VirtualDirectory copied(Entry entry) {
    Entry at = entry;
    do {
      at = Resolution.find(draft, at.binding().parent());
    } while (at != null && !(at instanceof VirtualDirectory above && above.owner().isPresent()));
    return (VirtualDirectory) at;
  }

  /**
   * Deletes the copy that an entry is part of. A copy that is complete, so that this group may be about to own it, has
   * all entries as the group that gives it has had them last: it is none with an older version.
   */
  private Outcome<Entry> forget(Entry entry, long before) {
    boolean isCut = entry instanceof VirtualDirectory directory && directory.owner().isPresent();
    if (!isCut && entry.version() < before && isInCopy(entry)) {
      VirtualDirectory copied = copied(entry);
      if (copied != null && !draft.isBeingDeleted(copied.id())) {
        draft.clearContent(copied.id());
        // Whoever may be copying it begins anew.
        Entry unused = draft.own(copied, copied.owner(), 0);
      }
    }
    return Outcome.done(entry);
  }

  // ---- steps of moves

  /** Takes in content of a directory that is not here, or no longer. */
  private Outcome<Entry> receiveFirst(EntryId id, @Nullable Entry trace, Receive receive) {
    Refusal refusal = tooManyCuts(draft, Target.of(id));
    if (refusal != null) {
      return Outcome.refused(refusal);
    }
    if (trace != null) {
      checkOffer(trace, receive);
    }
    Entry accepted = accept(id, trace, OptionalInt.of(receive.from()), receive.offered());
    draft.copiedSince(id, receive.at());
    return Outcome.done(accepted);
  }

  private static void checkOffer(Entry directory, Receive receive) {
    if (receive.offered() <= directory.version()) {
      throw new RnsException(
          RnsError.UNAVAILABLE,
          "another move of " + directory.id() + " has begun since its content was offered");
    }
  }

  /**
   * The version of a directory grows from each owner to the next one. So an offer that comes late, from a server that
   * no longer is the primary or a group that no longer is the owner, shows that it is one.
   */
  private Outcome<Entry> offer(VirtualDirectory directory, long after) {
    checkOwner(directory);
    if (MovingEntries.isMoving(directory)) {
      throw moving(directory);
    }
    checkNothingArrives(directory);
    Refusal refusal = tooManyCuts(draft, Target.of(directory.id()));
    return refusal == null ? Outcome.done(draft.offer(directory, after)) : Outcome.refused(refusal);
  }

  /** Why this group can have no more directories of other groups; null if it can. */
  static @Nullable Refusal tooManyCuts(Draft draft, Target target) {
    return draft.delegated().size() < Limits.PARTITIONS
        ? null
        : new Refusal.Invalid(
            target, RnsError.LIMIT_EXCEEDED,
            target + " would be one directory of other server groups too many; the limit is " + Limits.PARTITIONS);
  }

  private void checkOwner(VirtualDirectory directory) {
    if (directory.owner().isPresent() || !Resolution.isInTree(draft, directory)) {
      throw new RnsException(RnsError.UNAVAILABLE, directory.id() + " is no longer a directory of this group");
    }
  }

  /** What arrives in the content from another group would be deleted with it, or find no place any more. */
  private void checkNothingArrives(VirtualDirectory directory) {
    for (EntryId id : draft.delegated()) {
      Entry cut = Resolution.find(draft, id);
      if (cut != null && Resolution.isWithin(draft, cut, directory.id()) && draft.copiedSince(id) > 0) {
        throw new RnsException(
            RnsError.UNAVAILABLE,
            "the content of the directory '" + cut.displayName() + "' (id " + id + ") below is moving to server group "
                + draft.position().group() + ", or such a move came to nothing: it has to be completed first");
      }
    }
  }

  private void checkNothingDeparts(VirtualDirectory directory) {
    for (EntryId id : draft.departures().keySet()) {
      Entry departing = Resolution.find(draft, id);
      if (departing != null && Resolution.isWithin(draft, departing, directory.id())) {
        throw moving(departing);
      }
    }
  }

  private static RnsException moving(Entry entry) {
    return new RnsException(
        RnsError.UNAVAILABLE, "'" + entry.displayName() + "' is moving to another server group; retry");
  }

  private Outcome<Entry> give(VirtualDirectory directory, Give give) {
    if (give.epoch() != draft.position().epoch()) {
      throw new RnsException(
          RnsError.UNAVAILABLE,
          "another server was the primary since the content of " + directory.id() + " was offered");
    }
    if (!frozen.isFrozen(directory.id(), give.freeze())) {
      throw new RnsException(RnsError.UNAVAILABLE, "the content of " + directory.id() + " may have changed");
    }
    checkOwner(directory);
    checkNothingArrives(directory);
    Refusal refusal = tooManyCuts(draft, Target.of(directory.id()));
    if (refusal != null) {
      return Outcome.refused(refusal);
    }
    checkNothingDeparts(directory);
    return Outcome.done(draft.give(directory, give.to(), give.token()));
  }

  private Outcome<Entry> receive(VirtualDirectory directory, Receive receive) {
    checkNotInCopy(directory);
    if (directory.owner().isEmpty()) {
      return refused(directory.id(), RnsError.INVALID_REQUEST, "this group owns " + directory.id() + " already");
    }
    checkOffer(directory, receive);
    // Of a move that came to nothing.
    boolean hasCopy = draft.count(directory.id()) > 0;
    boolean keeps = hasCopy && !receive.afresh() && directory.owner().getAsInt() == receive.from();
    long since = keeps ? draft.copiedSince(directory.id()) : 0;
    if (hasCopy && since == 0) {
      draft.clearContent(directory.id());
    }
    Entry received = draft.own(directory, OptionalInt.of(receive.from()), receive.offered());
    draft.copiedSince(directory.id(), since > 0 ? since : receive.at());
    return Outcome.done(received);
  }

  /** In a copy of content above it the content of a directory would come to nobody. */
  private void checkNotInCopy(VirtualDirectory directory) {
    if (!isInCopy(directory)) {
      return;
    }
    VirtualDirectory copied = copied(directory);
    if (directory.owner().isEmpty() || copied == null || draft.isBeingDeleted(copied.id())) {
      throw copyLeft(directory.id());
    }
    // It may be complete, and this group about to own it.
    throw new RnsException(
        RnsError.UNAVAILABLE,
        directory.id() + " is in the content of " + copied.id() + ", which is moving to server group "
            + draft.position().group() + ", or such a move came to nothing: it has to be completed first");
  }

  private Outcome<Entry> insert(VirtualDirectory directory, long token, List<Entry> entries) {
    checkMove(directory, token);
    try {
      return insert(directory, entries);
    } catch (RnsException e) {
      // Perhaps because an identity was taken for a new one: nothing is inserted that would show it.
      draft.doubtIdentities();
      throw e;
    }
  }

  private Outcome<Entry> insert(VirtualDirectory directory, List<Entry> entries) {
    if (!draft.assumes()) {
      draft.load(entries.stream().map(EntryTable::keyOf).toList());
      draft.committed().loadStarts(entries.stream().map(Entry::id).toList());
    }
    Set<EntryId> delegated = draft.delegated();
    boolean hasCuts = false;
    for (Entry entry : entries) {
      EntryKey key = EntryTable.keyOf(entry);
      Entry former = draft.assumes() ? null : Resolution.find(draft, entry.id());
      if (former != null && isInCopy(former) && !Resolution.isWithin(draft, former, directory.id())) {
        // The cache may have what was deleted.
        former = draft.findStored(entry.id());
        if (former != null) {
          throw copyLeft(entry.id());
        }
      }
      if (former != null && hasCome(former)) {
        continue;
      }
      Entry there = draft.findToAdd(key);
      boolean isInPlace = former != null && there != null && there.id().equals(former.id());
      if (isInPlace && former.version() == entry.version()) {
        continue;
      }
      boolean isLifted = former != null && MovingEntries.isLifted(former);
      boolean isLeft = former != null && (MovingEntries.isTrace(former) || isLeftAnchor(former));
      boolean isEarlier = isInPlace && isEarlier(former, entry);
      if (!isEarlier && (there != null || (former != null && !isLifted && !isLeft))) {
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
      draft.noteKnownElsewhere(entry);
      if (entry instanceof VirtualDirectory cut && (cut.owner().isPresent() || delegated.contains(cut.id()))) {
        // Since it was copied it may have been given away, or its content have come back to the group that gives it.
        draft.noteOwner(cut);
        hasCuts = true;
      }
    }
    if (hasCuts && draft.delegated().size() > Limits.PARTITIONS) {
      throw new RnsException(
          RnsError.LIMIT_EXCEEDED,
          "with the content of " + directory.id() + ", server group " + draft.position().group()
              + " would know more than " + Limits.PARTITIONS + " directories of other server groups");
    }
    return Outcome.done(directory);
  }

  /**
   * Whether an entry is what is left of content that this group had once, and of which it has nothing any more.
   *
   * @throws RnsException {@link RnsError#BUSY} while it still has something
   */
  private boolean isLeftAnchor(Entry entry) {
    if (!(entry instanceof VirtualDirectory directory && anchors.isAnchor(directory)) || directory.owner().isEmpty()
        || draft.copiedSince(directory.id()) > 0) {
      return false;
    }
    if (draft.isBeingDeleted(directory.id()) || draft.count(directory.id()) > 0) {
      throw copyLeft(directory.id());
    }
    return true;
  }

  /** Whether it is another version of an entry, and later: a message may be late. */
  private static boolean isEarlier(Entry former, Entry entry) {
    return !MovingEntries.isMoving(entry)
        && (MovingEntries.isMoving(former) || former.version() < entry.version());
  }

  /**
   * Whether an entry has moved from the content to another directory of this group since it was read: it stays there.
   */
  private boolean hasCome(Entry entry) {
    return !entry.isRoot() && !anchors.isAnchor(entry) && !MovingEntries.isTrace(entry)
        && !MovingEntries.isMoving(entry)
        && Resolution.isInTree(draft, entry);
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
        if (entry instanceof VirtualDirectory) {
          draft.forgetCuts(entry.id());
        }
        draft.remove(entry);
      } else if (!MovingEntries.isLifted(entry)) {
        draft.lift(entry, directory.id());
      }
    }
    return Outcome.done(directory);
  }

  /** Without a copy the directory no longer keeps what is around it from moving on. */
  private Outcome<Entry> abandon(VirtualDirectory directory, long token) {
    checkMove(directory, token);
    if (draft.count(directory.id()) > 0) {
      draft.clearContent(directory.id());
    }
    return Outcome.done(draft.own(directory, directory.owner(), 0));
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
