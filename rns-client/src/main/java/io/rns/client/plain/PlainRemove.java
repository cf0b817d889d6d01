package io.rns.client.plain;

import io.rns.api.Entry;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.EntryName;
import io.rns.api.Outcome;
import io.rns.api.Outcome.Refused;
import io.rns.api.Precondition;
import io.rns.api.Refusal.Invalid;
import io.rns.api.Refusal.NoSuchEntry;
import io.rns.api.Refusal.NotEmpty;
import io.rns.api.Refusal.RootIsFixed;
import io.rns.api.RemoveRequest;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.Target;
import io.rns.client.call.Deadline;
import io.rns.client.message.ReferenceParts;
import io.rns.client.message.StandardCall;
import io.rns.client.message.StandardCall.Result;
import io.rns.client.message.StandardFault;
import io.rns.client.plain.PlainTree.Reached;
import io.rns.client.plain.PlainTree.Spot;
import io.rns.client.plain.PlainTree.Where;
import io.rns.error.RnsError;
import io.rns.wire.Fault;
import io.rns.wire.resource.Property;
import io.rns.wire.resource.PropertyValues;
import io.rns.wire.rns.EntryResponse;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Removes entries. In RNS 1.1 that only unlinks a name, so a directory of the same service is looked at first and ended
 * ({@code Destroy}) before it is unlinked; a directory of another service is only unlinked.
 */
final class PlainRemove {
  /** Entries of one recursive removal. */
  static final int MOST_ENTRIES = 1_000_000;

  /** Levels of one recursive removal. */
  static final int MOST_LEVELS = 256;

  private final PlainWrite write;
  private final Set<List<String>> walked = new HashSet<>();
  private long removed;

  PlainRemove(PlainTree tree, ReferenceCalls calls, Deadline deadline) {
    this.write = new PlainWrite(tree, calls, deadline);
  }

  List<Outcome<Entry>> remove(RemoveRequest request) {
    boolean recursive = request.removals().stream().anyMatch(Removal::recursive);
    PlainWrite.noTransactions("removal", request.allOrNothing(), recursive ? Integer.MAX_VALUE : request.size());
    List<Outcome<Entry>> outcomes = new ArrayList<>(request.size());
    for (Removal removal : request.removals()) {
      outcomes.add(remove(removal));
    }
    return outcomes;
  }

  private Outcome<Entry> remove(Removal removal) {
    Target target = removal.target();
    Outcome<Entry> found = write.look(target);
    Outcome<Optional<Spot>> spot = write.tree().spot(target);
    if (found instanceof Refused || spot instanceof Refused) {
      return found;
    }
    if (spot.orThrow().isEmpty()) {
      return Outcome.refused(new RootIsFixed(target));
    }
    if (removal.precondition() instanceof Precondition.IfVersion) {
      return PlainWrite.lacking(target, "versions");
    }
    Spot place = spot.orThrow().get();
    try {
      if (found.orThrow() instanceof VirtualDirectory) {
        Optional<Outcome<Entry>> refused = end(removal, place);
        if (refused.isPresent()) {
          return refused.get();
        }
      }
      return unlink(target, place.directory(), place.name(), found.orThrow());
    } finally {
      write.tree().forget();
    }
  }

  /** Ends a directory, unless it is of another service; gives what refuses that. */
  private Optional<Outcome<Entry>> end(Removal removal, Spot spot) {
    Target target = removal.target();
    Outcome<DirectoryPlace> parent = write.read(() -> write.tree().resolve(spot.directory(), true, write.deadline()));
    Outcome<DirectoryPlace> itself =
        write.read(() -> write.tree().resolve(write.tree().directory(target), true, write.deadline()));
    if (parent instanceof Refused<DirectoryPlace> || itself instanceof Refused<DirectoryPlace>) {
      return Optional.of(PlainWrite.refused(parent instanceof Refused ? parent : itself, target));
    }
    if (!isOfOneService(parent.orThrow(), itself.orThrow())) {
      return Optional.empty();
    }
    if (removal.recursive()) {
      Optional<Outcome<Entry>> refused = empty(target, itself.orThrow(), 1);
      return refused.isPresent() ? refused : destroy(target, itself.orThrow());
    }
    Outcome<Long> count = count(target, itself.orThrow());
    if (count instanceof Refused) {
      return Optional.of(PlainWrite.refused(count, target));
    }
    return count.orThrow() > 0
        ? Optional.of(Outcome.refused(new NotEmpty(target, count.orThrow())))
        : destroy(target, itself.orThrow());
  }

  private static boolean isOfOneService(DirectoryPlace parent, DirectoryPlace child) {
    return parent.reference().address().equals(child.reference().address());
  }

  /** What messages to a directory carry, by which it is known again whatever way led to it. */
  private static List<String> resource(DirectoryPlace place) {
    List<String> resource = new ArrayList<>(ReferenceParts.of(place.reference()).parameters());
    resource.add(place.reference().address());
    return resource;
  }

  private Outcome<Long> count(Target target, DirectoryPlace place) {
    Where where = new Where(target, 0, place);
    Result<PropertyValues> told =
        write.read(
            () -> write.calls()
                .ask(
                    place.reference(),
                    StandardCall.properties(List.of(Property.ELEMENT_COUNT)),
                    write.deadline()));
    if (told instanceof Result.Done<PropertyValues> done && PlainQuery.count(done.value()) >= 0) {
      return Outcome.done(PlainQuery.count(done.value()));
    }
    Outcome<Reached<List<Entry>>> all = list(where);
    return all instanceof Refused<Reached<List<Entry>>> refused
        ? Outcome.refused(refused.refusal())
        : Outcome.done((long) all.orThrow().value().size());
  }

  private Outcome<Reached<List<Entry>>> list(Where where) {
    return write.read(() -> PlainListing.of(write.tree(), write.calls(), where, write.deadline()));
  }

  /** Removes all entries of a directory; gives what refuses one of them. */
  private Optional<Outcome<Entry>> empty(Target target, DirectoryPlace place, int level) {
    write.check(() -> "the recursive removal of " + target, level, MOST_LEVELS, "levels");
    if (!walked.add(resource(place))) {
      // It contains itself: its removal is under way.
      return Optional.empty();
    }
    Where where = new Where(target, 0, place);
    Outcome<Reached<List<Entry>>> all = list(where);
    if (all instanceof Refused) {
      return Optional.of(PlainWrite.refused(all, target));
    }
    List<EntryName> names = new ArrayList<>();
    for (Entry entry : all.orThrow().value()) {
      removed++;
      write.check(() -> "the recursive removal of " + target, removed, MOST_ENTRIES, "entries");
      EntryName name = entry.binding().name();
      if (entry instanceof VirtualDirectory) {
        Optional<Outcome<Entry>> refused = endChild(target, place, name, level);
        if (refused.isPresent()) {
          return refused;
        }
      }
      names.add(name);
    }
    for (int from = 0; from < names.size(); from += PlainQuery.NAMES) {
      Optional<Outcome<Entry>> refused =
          unlink(target, where, names.subList(from, Math.min(names.size(), from + PlainQuery.NAMES)));
      if (refused.isPresent()) {
        return refused;
      }
    }
    return Optional.empty();
  }

  private Optional<Outcome<Entry>> endChild(Target target, DirectoryPlace parent, EntryName name, int level) {
    Where child = new Where(Target.of(parent.id()).child(name), 1, parent);
    Outcome<DirectoryPlace> place = write.read(() -> write.tree().resolve(child, true, write.deadline()));
    if (place instanceof Refused) {
      // It went meanwhile, or became a link: unlinking its name is all that is left to do.
      return Optional.empty();
    }
    if (!isOfOneService(parent, place.orThrow()) || walked.contains(resource(place.orThrow()))) {
      return Optional.empty();
    }
    Optional<Outcome<Entry>> refused = empty(target, place.orThrow(), level + 1);
    return refused.isPresent() ? refused : destroy(target, place.orThrow());
  }

  /** Ends an empty directory; a server that does not know how only unlinks it. */
  private Optional<Outcome<Entry>> destroy(Target target, DirectoryPlace place) {
    Result<Boolean> result = write.change(place, StandardCall.destroy());
    if (!(result instanceof Result.Failed<Boolean> failed)) {
      return Optional.empty();
    }
    StandardFault fault = failed.fault();
    return switch (fault.kind()) {
      case RESOURCE_UNKNOWN, RESOLVE_FAILED, OTHER -> Optional.empty();
      case RESOURCE_UNAVAILABLE -> throw write.failed(fault.toException());
      case NOT_PERMITTED ->
        Optional.of(Outcome.refused(new Invalid(target, RnsError.NOT_PERMITTED, fault.message())));
      case NOT_DESTROYED -> Optional.of(Outcome.refused(new Invalid(target, RnsError.NOT_EMPTY, fault.message())));
    };
  }

  private Outcome<Entry> unlink(Target target, Where where, EntryName name, Entry entry) {
    Outcome<Reached<List<EntryResponse>>> answer = write.send(where, StandardCall.remove(List.of(name)));
    if (answer instanceof Refused) {
      return PlainWrite.refused(answer, target);
    }
    Optional<Fault> fault = answer.orThrow().value().get(0).fault();
    if (fault.isEmpty()) {
      return Outcome.done(entry);
    }
    return fault.get().error() == RnsError.NO_SUCH_ENTRY
        ? Outcome.refused(new NoSuchEntry(target, target.path().depth()))
        : Outcome.refused(new Invalid(target, PlainTree.callers(fault.get()), fault.get().message()));
  }

  /** Unlinks names of a directory that is emptied; those that went meanwhile are no matter. */
  private Optional<Outcome<Entry>> unlink(Target target, Where where, List<EntryName> names) {
    Outcome<Reached<List<EntryResponse>>> answer = write.send(where, StandardCall.remove(names));
    if (answer instanceof Refused) {
      return Optional.of(PlainWrite.refused(answer, target));
    }
    for (EntryResponse response : answer.orThrow().value()) {
      if (response.fault().isPresent() && response.fault().get().error() != RnsError.NO_SUCH_ENTRY) {
        Fault fault = response.fault().get();
        return Optional.of(
            Outcome.refused(new Invalid(target, PlainTree.callers(fault), fault.message())));
      }
    }
    return Optional.empty();
  }
}
