package io.rns.client.plain;

import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.Entry.Junction;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.Outcome;
import io.rns.api.Outcome.Done;
import io.rns.api.Outcome.Refused;
import io.rns.api.Refusal;
import io.rns.api.Refusal.Invalid;
import io.rns.api.Refusal.NoSuchEntry;
import io.rns.api.Refusal.NotDirectory;
import io.rns.api.Target;
import io.rns.client.call.BoundedCache;
import io.rns.client.call.Deadline;
import io.rns.client.call.Ticker;
import io.rns.client.message.StandardCall;
import io.rns.client.message.StandardCall.Result;
import io.rns.client.message.StandardFault;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.wire.Fault;
import io.rns.wire.rns.EntryResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The way from the root of a server of plain RNS 1.1 to its directories: one lookup of one name at a time, each at the
 * reference that the one before returned. Results are cached for a few seconds. Thread-safe.
 */
final class PlainTree {
  /** Directories that are remembered by their way. */
  private static final int REMEMBERED = 4_096;

  /** What others change is seen after this time. */
  private static final Duration REMEMBERED_FOR = Duration.ofSeconds(5);

  /** Entries that are known by their identity, which means nothing to the server. */
  private static final int KNOWN = 10_000;

  private static final Duration KNOWN_FOR = Duration.ofHours(1);

  /** How many times one path may lead from one address to another. */
  static final int MOST_HOPS = 16;

  private final ReferenceCalls calls;
  private final DirectoryPlace root;
  private final BoundedCache<Step, DirectoryPlace> steps;
  private final BoundedCache<EntryId, Known> known;

  PlainTree(ReferenceCalls calls, EndpointReference root, Ticker ticker) {
    this.calls = calls;
    this.root = new DirectoryPlace(root, PlainEntries.root());
    this.steps = new BoundedCache<>(REMEMBERED, REMEMBERED_FOR, ticker);
    this.known = new BoundedCache<>(KNOWN, KNOWN_FOR, ticker);
  }

  private record Step(EntryId directory, EntryName name) {}

  /** Where an entry was seen: by its name in a directory, and if it is one itself, as a place. */
  private record Known(DirectoryPlace directory, EntryName name, @Nullable DirectoryPlace place) {}

  /**
   * A directory as a request names it: a place, or else the first {@code depth} names of the target's path.
   *
   * @param target what the request is about
   */
  record Where(Target target, int depth, @Nullable DirectoryPlace place) {}

  /**
   * An entry as a request names it.
   *
   * @param directory where
   * @param name its name there
   * @param id its identity, if the request names it by that
   */
  record Spot(Where directory, EntryName name, Optional<EntryId> id) {}

  /** What a directory has answered. */
  record Reached<A>(DirectoryPlace place, A value) {}

  /** The place of a target's entry; empty for the root, and refused for an identity that this client has not seen. */
  Outcome<Optional<Spot>> spot(Target target) {
    if (!target.path().isRoot()) {
      Where directory = new Where(target, target.path().depth() - 1, null);
      return Outcome.done(Optional.of(new Spot(directory, target.path().name(), Optional.empty())));
    }
    if (target.start().equals(EntryId.ROOT)) {
      return Outcome.done(Optional.empty());
    }
    Optional<Known> seen = known.get(target.start());
    if (seen.isEmpty()) {
      return Outcome.refused(new NoSuchEntry(target, 0));
    }
    Where directory = new Where(target, 0, seen.get().directory());
    return Outcome.done(Optional.of(new Spot(directory, seen.get().name(), Optional.of(target.start()))));
  }

  /** The directory that a target is. */
  Where directory(Target target) {
    return new Where(target, target.path().depth(), null);
  }

  /**
   * Asks a directory, and where it is not there any more looks once more for what is there now.
   *
   * @return what it answers, or why the directory cannot be asked
   * @throws RnsException if it could not be asked at all
   */
  <A> Outcome<Reached<A>> ask(Where where, StandardCall<A> call, Deadline deadline) {
    for (boolean remembering = true;; remembering = false) {
      Outcome<DirectoryPlace> place = resolve(where, remembering, deadline);
      if (place instanceof Refused<DirectoryPlace> refused) {
        return Outcome.refused(refused.refusal());
      }
      DirectoryPlace reached = place.orThrow();
      Result<A> result = calls.ask(reached.reference(), call, deadline);
      if (result instanceof Result.Done<A> done) {
        return Outcome.done(new Reached<>(reached, done.value()));
      }
      StandardFault fault = ((Result.Failed<A>) result).fault();
      boolean gone = fault.kind() == StandardFault.Kind.RESOURCE_UNKNOWN;
      if (!gone || !remembering || where.place() != null || where.depth() == 0) {
        return Outcome.refused(gone ? new NoSuchEntry(where.target(), where.depth()) : refusal(where, fault));
      }
      forget();
    }
  }

  /**
   * What a fault of a whole message means for one item.
   *
   * @throws RnsException if it is no answer of the namespace
   */
  private static Refusal refusal(Where where, StandardFault fault) {
    if (fault.error().kind() != RnsError.Kind.CALLER) {
      throw fault.toException();
    }
    return new Invalid(where.target(), fault.error(), fault.message());
  }

  /** Finds a directory. */
  Outcome<DirectoryPlace> resolve(Where where, boolean remembering, Deadline deadline) {
    Target target = where.target();
    Outcome<DirectoryPlace> start = where.place() == null ? start(target) : Outcome.done(where.place());
    if (start instanceof Refused<DirectoryPlace>) {
      return start;
    }
    DirectoryPlace place = start.orThrow();
    int hops = 0;
    for (int i = 0; i < where.depth(); i++) {
      Outcome<DirectoryPlace> next = step(place, target, i, remembering, deadline);
      if (next instanceof Refused<DirectoryPlace>) {
        return next;
      }
      DirectoryPlace reached = next.orThrow();
      hops += reached.reference().address().equals(place.reference().address()) ? 0 : 1;
      if (hops > MOST_HOPS) {
        throw new RnsException(
            RnsError.LIMIT_EXCEEDED,
            "the path of " + target + " leads from one address to another more than " + MOST_HOPS + " times");
      }
      place = reached;
    }
    return Outcome.done(place);
  }

  private Outcome<DirectoryPlace> start(Target target) {
    if (target.start().equals(EntryId.ROOT)) {
      return Outcome.done(root);
    }
    Optional<Known> seen = known.get(target.start());
    if (seen.isEmpty()) {
      return Outcome.refused(new NoSuchEntry(target, 0));
    }
    DirectoryPlace place = seen.get().place();
    return place == null ? Outcome.refused(new NotDirectory(target, 0)) : Outcome.done(place);
  }

  private Outcome<DirectoryPlace> step(DirectoryPlace from, Target target, int index, boolean remembering,
      Deadline deadline) {
    EntryName name = target.path().names().get(index);
    Step step = new Step(from.id(), name);
    Optional<DirectoryPlace> remembered = remembering ? steps.get(step) : Optional.empty();
    if (remembered.isPresent()) {
      return Outcome.done(remembered.get());
    }
    Result<List<EntryResponse>> result =
        calls.ask(from.reference(), StandardCall.lookup(List.of(name)), deadline);
    if (result instanceof Result.Failed<List<EntryResponse>> failed) {
      StandardFault fault = failed.fault();
      Where where = new Where(target, index, null);
      boolean gone = fault.kind() == StandardFault.Kind.RESOURCE_UNKNOWN;
      return Outcome.refused(gone ? new NoSuchEntry(target, index) : refusal(where, fault));
    }
    EntryResponse response = ((Result.Done<List<EntryResponse>>) result).value().get(0);
    Outcome<Entry> found = entry(from, name, response, target, index + 1);
    if (found instanceof Refused<Entry> refused) {
      return Outcome.refused(refused.refusal());
    }
    return found.orThrow() instanceof VirtualDirectory directory
        ? Outcome.done(new DirectoryPlace(PlainEntries.reference(name, response), directory))
        : Outcome.refused(new NotDirectory(target, index + 1));
  }

  /**
   * What a response says about a name in a directory; remembers it.
   *
   * @param missing how many names of the target lead to this one, should it not be there
   */
  Outcome<Entry> entry(DirectoryPlace directory, EntryName name, EntryResponse response, Target target, int missing) {
    if (response.fault().isPresent()) {
      Fault fault = response.fault().get();
      return Outcome.refused(
          fault.error() == RnsError.NO_SUCH_ENTRY
              ? new NoSuchEntry(target, missing)
              : new Invalid(target, callers(fault), fault.message()));
    }
    Entry entry = PlainEntries.entry(directory.id(), name, response);
    saw(directory, entry, response.references().get(0));
    return Outcome.done(entry);
  }

  /** The code of an item's fault, which is one that the caller has to do with. */
  static RnsError callers(Fault fault) {
    return fault.error().kind() == RnsError.Kind.CALLER ? fault.error() : RnsError.INVALID_REQUEST;
  }

  /** Remembers an entry of a directory. */
  void saw(DirectoryPlace directory, Entry entry, EndpointReference reference) {
    // The directory stays known by its identity however many entries it has: the next page is asked for by that.
    known.touch(directory.id());
    EntryName name = entry.binding().name();
    if (entry instanceof VirtualDirectory itself) {
      DirectoryPlace place = new DirectoryPlace(reference, itself);
      steps.put(new Step(directory.id(), name), place);
      known.put(entry.id(), new Known(directory, name, place));
    } else if (entry instanceof Junction) {
      steps.remove(new Step(directory.id(), name));
      known.put(entry.id(), new Known(directory, name, null));
    }
  }

  /** Forgets all ways: something has been removed, renamed or replaced. */
  void forget() {
    steps.clear();
  }

  /** The same refusal of another target beside the first one. */
  static Refusal of(Refusal refusal, Target target) {
    if (refusal instanceof NoSuchEntry none) {
      return new NoSuchEntry(target, none.missing());
    }
    if (refusal instanceof NotDirectory not) {
      return new NotDirectory(target, not.junction());
    }
    return new Invalid(target, refusal.error(), refusal.message());
  }

  /** What was found, if it was. */
  static <T> Optional<T> found(Outcome<T> outcome) {
    return outcome instanceof Done<T> done ? Optional.of(done.value()) : Optional.empty();
  }
}
