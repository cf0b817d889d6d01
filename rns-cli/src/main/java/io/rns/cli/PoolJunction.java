package io.rns.cli;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.Entry.Junction;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.EntryName;
import io.rns.api.NamePattern;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.Precondition;
import io.rns.api.Refusal;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.client.Entries;
import io.rns.error.RnsError;
import io.rns.pool.PoolReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Creates the junction of a pool, or adds the pool to an existing junction. */
final class PoolJunction {
  /** Bound on reads of the entry after concurrent changes. */
  private static final int ROUNDS = 5;

  private final NameService service;
  private final RnsPath path;

  PoolJunction(NameService service, RnsPath path) {
    this.service = service;
    this.path = path;
  }

  /** What happened to the junction. */
  enum Result {
    MADE, EXTENDED, KEPT
  }

  /**
   * Adds the pool to the junction; its other references stay.
   *
   * @param parents whether to create missing directories
   */
  Result name(boolean parents) {
    EndpointReference pool = PoolReference.of(path);
    for (int round = 1;; round++) {
      Optional<Entry> found = stored();
      if (found.isPresent() && names(found.get())) {
        return Result.KEPT;
      }
      Outcome<Entry> outcome = found.isEmpty() ? added(pool, parents) : extended(found.get(), pool);
      boolean raced =
          outcome instanceof Outcome.Refused<Entry> refused
              && (refused.refusal() instanceof Refusal.VersionMismatch
                  || refused.refusal() instanceof Refusal.EntryExists);
      if (!raced || round == ROUNDS) {
        Entry unused = outcome.orThrow();
        return found.isEmpty() ? Result.MADE : Result.EXTENDED;
      }
    }
  }

  /**
   * The entry as a listing shows it: a lookup of the junction may return elements in place of the pool.
   */
  private Optional<Entry> stored() {
    Outcome<Entry> directory = ServiceCommand.outcome(service, path.parent());
    if (directory instanceof Outcome.Refused<Entry> refused && refused.refusal().error() == RnsError.NO_SUCH_ENTRY) {
      return Optional.empty();
    }
    if (!(directory.orThrow() instanceof VirtualDirectory found)) {
      return Optional.empty();
    }
    for (Entry entry : Entries.of(service, Target.of(found.id())).matching(exactly(path.name()))) {
      return Optional.of(entry);
    }
    return Optional.empty();
  }

  private static NamePattern exactly(EntryName name) {
    return NamePattern.glob(name.toString().replaceAll("([\\\\*?\\[\\]])", "\\\\$1"));
  }

  private boolean names(Entry entry) {
    return entry instanceof Junction junction
        && junction.references().stream()
            .anyMatch(reference -> PoolReference.handle(reference).equals(Optional.of(path)));
  }

  private Outcome<Entry> added(EndpointReference pool, boolean parents) {
    NewEntry entry = NewEntry.junction(Target.of(path), pool).with(Precondition.IF_ABSENT);
    return service.add(CallContext.ANONYMOUS, new AddRequest(List.of(entry), parents, false)).value().get(0);
  }

  private Outcome<Entry> extended(Entry entry, EndpointReference pool) {
    if (!(entry instanceof Junction junction)) {
      return Outcome.refused(new Refusal.IsDirectory(Target.of(path)));
    }
    List<EndpointReference> references = new ArrayList<>(junction.references());
    references.add(pool);
    EntryChange change =
        EntryChange.references(Target.of(path), references).with(Precondition.ifVersion(entry.version()));
    return service.update(CallContext.ANONYMOUS, UpdateRequest.of(change)).value().get(0);
  }
}
