package io.rns.client.plain;

import io.rns.api.Entry;
import io.rns.api.Entry.Junction;
import io.rns.api.EntryName;
import io.rns.api.Outcome;
import io.rns.api.Outcome.Refused;
import io.rns.api.Precondition;
import io.rns.api.Refusal.EntryExists;
import io.rns.api.Refusal.Invalid;
import io.rns.api.Refusal.IsDirectory;
import io.rns.api.Refusal.NoSuchEntry;
import io.rns.api.Refusal.RootIsFixed;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.client.call.Deadline;
import io.rns.client.message.StandardCall;
import io.rns.client.plain.PlainTree.Reached;
import io.rns.client.plain.PlainTree.Spot;
import io.rns.error.RnsError;
import io.rns.wire.rns.EntryResponse;
import io.rns.wire.rns.SupportsRns;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Renames entries in their directory, and replaces metadata: one message per change. */
final class PlainUpdate {
  private final PlainWrite write;

  PlainUpdate(PlainTree tree, ReferenceCalls calls, Deadline deadline) {
    this.write = new PlainWrite(tree, calls, deadline);
  }

  List<Outcome<Entry>> update(UpdateRequest request) {
    PlainWrite.noTransactions("update", request.allOrNothing(), request.size());
    List<Outcome<Entry>> outcomes = new ArrayList<>(request.size());
    for (EntryChange change : request.changes()) {
      outcomes.add(update(change));
    }
    return outcomes;
  }

  private Outcome<Entry> update(EntryChange change) {
    Target target = change.target();
    Outcome<Entry> found = write.look(target);
    if (found instanceof Refused) {
      return found;
    }
    Outcome<Optional<Spot>> spot = write.tree().spot(target);
    if (PlainTree.found(spot).isPresent() && spot.orThrow().isEmpty()) {
      boolean moves = change.name().isPresent() || change.parent().isPresent();
      return moves ? Outcome.refused(new RootIsFixed(target)) : PlainWrite.lacking(target, "metadata of its root");
    }
    Optional<String> lacking = lacking(change, found.orThrow());
    if (lacking.isPresent()) {
      boolean isWrong = change.references().isPresent() && !(found.orThrow() instanceof Junction);
      return isWrong ? Outcome.refused(new IsDirectory(target)) : PlainWrite.lacking(target, lacking.get());
    }
    return change.name().isPresent()
        ? rename(change, spot.orThrow().orElseThrow(), found.orThrow())
        : setMetadata(change, spot.orThrow().orElseThrow(), found.orThrow());
  }

  private static Optional<String> lacking(EntryChange change, Entry entry) {
    if (change.precondition() instanceof Precondition.IfVersion) {
      return Optional.of("versions");
    }
    if (change.references().isPresent()) {
      return Optional.of("replacement of references");
    }
    if (change.parent().isPresent() && !isParent(change, entry)) {
      return Optional.of("moves from one directory to another in one step");
    }
    if (change.parent().isPresent() && change.name().isEmpty()) {
      return Optional.of("moves");
    }
    return change.name().isPresent() && change.metadata().isPresent()
        ? Optional.of("renaming that replaces metadata in one step")
        : Optional.empty();
  }

  /** Whether the new directory is the old one, as far as the request itself shows. */
  private static boolean isParent(EntryChange change, Entry entry) {
    Target target = change.target();
    Target parent = change.parent().orElseThrow();
    boolean byPath =
        !target.path().isRoot()
            && parent.start().equals(target.start())
            && parent.path().equals(target.path().parent());
    return byPath || (parent.path().isRoot() && parent.start().equals(entry.binding().parent()));
  }

  private Outcome<Entry> rename(EntryChange change, Spot spot, Entry entry) {
    Target target = change.target();
    EntryName name = change.name().orElseThrow();
    if (name.equals(spot.name())) {
      return Outcome.done(entry);
    }
    Outcome<Reached<List<EntryResponse>>> answer = write.send(spot.directory(), StandardCall.rename(spot.name(), name));
    write.tree().forget();
    Target renamed = change.destination(new Entry.Binding(entry.binding().parent(), name));
    return outcome(answer, target, renamed, name);
  }

  private Outcome<Entry> setMetadata(EntryChange change, Spot spot, Entry entry) {
    // The standard requires it: the former value unless the new metadata contain it.
    SupportsRns told = entry instanceof Junction junction ? SupportsRns.of(junction.metadata()) : SupportsRns.TRUE;
    Outcome<Reached<List<EntryResponse>>> answer =
        write.send(spot.directory(), StandardCall.setMetadata(spot.name(), change.metadata().orElseThrow(), told));
    write.tree().forget();
    return outcome(answer, change.target(), change.target(), spot.name());
  }

  private Outcome<Entry> outcome(
      Outcome<Reached<List<EntryResponse>>> answer, Target target, Target now, EntryName name) {
    if (answer instanceof Refused) {
      return PlainWrite.refused(answer, target);
    }
    EntryResponse response = answer.orThrow().value().get(0);
    if (response.fault().isPresent()) {
      RnsError error = PlainTree.callers(response.fault().get());
      return switch (error) {
        case NO_SUCH_ENTRY -> Outcome.refused(new NoSuchEntry(target, target.path().depth()));
        case ENTRY_EXISTS -> Outcome.refused(new EntryExists(target, now));
        default -> Outcome.refused(new Invalid(target, error, response.fault().get().message()));
      };
    }
    if (response.references().isEmpty()) {
      return write.look(now);
    }
    return write.tree().entry(answer.orThrow().place(), name, response, now, now.path().depth());
  }
}
