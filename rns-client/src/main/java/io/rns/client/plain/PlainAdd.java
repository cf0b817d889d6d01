package io.rns.client.plain;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.EntryName;
import io.rns.api.Outcome;
import io.rns.api.Outcome.Refused;
import io.rns.api.Precondition;
import io.rns.api.Refusal.EntryExists;
import io.rns.api.Refusal.Invalid;
import io.rns.api.Refusal.NoSuchEntry;
import io.rns.api.Target;
import io.rns.client.call.Deadline;
import io.rns.client.message.StandardCall;
import io.rns.client.plain.PlainTree.Reached;
import io.rns.client.plain.PlainTree.Where;
import io.rns.error.RnsError;
import io.rns.wire.rns.EntryResponse;
import io.rns.wire.rns.SupportsRns;
import java.util.ArrayList;
import java.util.List;

/** Adds entries: neighbours in the request that go into one directory by one message. */
final class PlainAdd {
  private final PlainWrite write;

  PlainAdd(PlainTree tree, ReferenceCalls calls, Deadline deadline) {
    this.write = new PlainWrite(tree, calls, deadline);
  }

  List<Outcome<Entry>> add(AddRequest request) {
    PlainWrite.noTransactions("add", request.allOrNothing(), request.parents() ? Integer.MAX_VALUE : request.size());
    List<Outcome<Entry>> outcomes = new ArrayList<>(request.size());
    List<NewEntry> run = new ArrayList<>();
    for (NewEntry entry : request.entries()) {
      boolean goesOn = !run.isEmpty() && run.size() < PlainQuery.NAMES && isBeside(run.get(0).target(), entry.target());
      if (lacking(entry).isEmpty() && (run.isEmpty() || goesOn)) {
        run.add(entry);
        continue;
      }
      outcomes.addAll(addRun(run, request.parents()));
      run.clear();
      if (lacking(entry).isEmpty()) {
        run.add(entry);
      } else {
        outcomes.add(PlainWrite.lacking(entry.target(), lacking(entry)));
      }
    }
    outcomes.addAll(addRun(run, request.parents()));
    return outcomes;
  }

  private static boolean isBeside(Target first, Target second) {
    return first.start().equals(second.start()) && first.path().parent().equals(second.path().parent());
  }

  /** What an item needs that the standard does not have; empty if it needs nothing. */
  private static String lacking(NewEntry entry) {
    if (entry.precondition() instanceof Precondition.IfVersion) {
      return "versions";
    }
    return entry.references().size() > 1 ? "entries of more than one reference" : "";
  }

  private List<Outcome<Entry>> addRun(List<NewEntry> run, boolean parents) {
    if (run.isEmpty()) {
      return List.of();
    }
    Target first = run.get(0).target();
    Where where = new Where(first, first.path().depth() - 1, null);
    List<Outcome<Entry>> outcomes = new ArrayList<>(run.size());
    Outcome<DirectoryPlace> directory =
        parents ? makeMissing(where) : write.read(() -> write.tree().resolve(where, true, write.deadline()));
    List<NewEntry> absent = run.stream().map(entry -> entry.with(Precondition.IF_ABSENT)).toList();
    Outcome<Reached<List<EntryResponse>>> answer =
        directory instanceof Refused<DirectoryPlace> refused
            ? Outcome.refused(refused.refusal())
            : write.send(where, StandardCall.add(absent));
    for (int i = 0; i < run.size(); i++) {
      outcomes.add(
          answer instanceof Refused
              ? PlainWrite.refused(answer, run.get(i).target())
              : outcome(answer.orThrow().place(), run.get(i), answer.orThrow().value().get(i)));
    }
    return outcomes;
  }

  private Outcome<Entry> outcome(DirectoryPlace directory, NewEntry asked, EntryResponse response) {
    Target target = asked.target();
    if (response.fault().isPresent()) {
      RnsError error = PlainTree.callers(response.fault().get());
      if (error == RnsError.ENTRY_EXISTS) {
        return asked.precondition() instanceof Precondition.None
            ? PlainWrite.lacking(target, "replacement of entries")
            : Outcome.refused(new EntryExists(target, target));
      }
      return Outcome.refused(
          error == RnsError.NO_SUCH_ENTRY
              ? new NoSuchEntry(target, target.path().depth() - 1)
              : new Invalid(target, error, response.fault().get().message()));
    }
    boolean told =
        !response.references().isEmpty()
            && (asked.isDirectory()
                ? response.supportsRns() == SupportsRns.TRUE
                : asked.metadata().isEmpty() || !response.metadata().isEmpty());
    if (told) {
      return write.tree().entry(directory, target.path().name(), response, target, target.path().depth());
    }
    return seen(directory, asked, response);
  }

  /** The entry by a lookup, if the response to the addition lacks parts. */
  private Outcome<Entry> seen(DirectoryPlace directory, NewEntry asked, EntryResponse response) {
    Outcome<Entry> found = write.look(asked.target());
    boolean isLink = found instanceof Outcome.Done<Entry> done && done.value() instanceof Entry.Junction;
    if (!isLink || !asked.isDirectory()) {
      return found;
    }
    // The server marks none of its directories as such: of this one it is known.
    EntryName name = asked.target().path().name();
    EndpointReference reference =
        response.references().isEmpty()
            ? ((Entry.Junction) found.orThrow()).references().get(0)
            : response.references().get(0);
    VirtualDirectory made = PlainEntries.directory(directory.id(), name, reference, response.metadata());
    write.tree().saw(directory, made, reference);
    return Outcome.done(made);
  }

  /** Finds a directory and makes what is missing on the way, one after the other. */
  private Outcome<DirectoryPlace> makeMissing(Where where) {
    Target target = where.target();
    Outcome<DirectoryPlace> place = write.read(() -> write.tree().resolve(where, true, write.deadline()));
    // Each round makes one of them, or finds that another client has just made it.
    for (int round = 0; round < where.depth(); round++) {
      boolean isMissing =
          place instanceof Refused<DirectoryPlace> refused
              && refused.refusal() instanceof NoSuchEntry none
              && none.missing() > 0
              && none.missing() <= where.depth();
      if (!isMissing) {
        return place;
      }
      int depth = ((NoSuchEntry) ((Refused<DirectoryPlace>) place).refusal()).missing();
      Target missing = new Target(target.start(), target.path().prefix(depth));
      Outcome<Entry> made = addRun(List.of(NewEntry.directory(missing)), false).get(0);
      if (made instanceof Refused<Entry> refused && !(refused.refusal() instanceof EntryExists)) {
        return Outcome.refused(PlainTree.of(refused.refusal(), target));
      }
      place = write.read(() -> write.tree().resolve(where, true, write.deadline()));
    }
    return place;
  }
}
