package io.rns.server.namespace;

import io.rns.api.AddRequest;
import io.rns.api.ArriveRequest;
import io.rns.api.AssignRequest;
import io.rns.api.ConcludeRequest;
import io.rns.api.ContentRequest;
import io.rns.api.DepartRequest;
import io.rns.api.EffectiveAccess;
import io.rns.api.Entry;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.EntryId;
import io.rns.api.RemoveRequest;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.api.WriteRequest;
import io.rns.server.store.EntryKey;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What a batch of requests needs to know of the tree before it is applied. */
final class WriteLookUps {
  private final Draft draft;

  WriteLookUps(Draft draft) {
    this.draft = draft;
  }

  /** What is to be looked up before a request is applied. */
  static List<Target> toLookUp(WriteRequest request, boolean assuming) {
    List<Target> targets = new ArrayList<>();
    for (int i = 0; i < request.size(); i++) {
      Target target = WriteRules.target(request, i);
      boolean isAssumed =
          assuming && request instanceof AddRequest add && AdditionRules.insertsIfAbsent(add.entries().get(i));
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
}
