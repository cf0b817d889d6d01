package io.rns.api;

import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Entries to change, applied in order: each change sees the changes before it.
 *
 * @param changes 1 to {@value Limits#BATCH_ITEMS} changes
 * @param allOrNothing whether one refused change prevents the whole batch
 */
public record UpdateRequest(List<EntryChange> changes, boolean allOrNothing) implements WriteRequest {
  public UpdateRequest {
    changes = List.copyOf(changes);
    Batches.check("update", changes.size());
  }

  /** Changes entries independently of each other. */
  public static UpdateRequest of(EntryChange... changes) {
    return new UpdateRequest(Arrays.asList(changes), false);
  }

  @Override
  public int size() {
    return changes.size();
  }

  /**
   * The change of one entry, applied completely or not at all. The identity is preserved.
   *
   * @param target the entry
   * @param name its new name; never replaces another entry
   * @param parent its new directory
   * @param references its new endpoint references, at least one; junctions only
   * @param metadata its new metadata, replacing all existing metadata
   * @param precondition {@link Precondition#NONE} or a version
   */
  public record EntryChange(
      Target target,
      Optional<EntryName> name,
      Optional<Target> parent,
      Optional<List<EndpointReference>> references,
      Optional<Metadata> metadata,
      Precondition precondition) {

    public EntryChange {
      references = references.map(List::copyOf);
      if (name.isEmpty() && parent.isEmpty() && references.isEmpty() && metadata.isEmpty()) {
        throw new RnsException(RnsError.INVALID_REQUEST, "update of '" + target + "' changes nothing");
      }
      if (precondition instanceof Precondition.IfAbsent) {
        throw new RnsException(RnsError.INVALID_REQUEST,
            "update of '" + target + "' cannot require the entry to be absent");
      }
      references.ifPresent(
          list -> {
            if (list.isEmpty()) {
              throw new RnsException(
                  RnsError.INVALID_REQUEST,
                  "update of '" + target + "': a junction needs at least one endpoint reference");
            }
            Limits.check(() -> "entry '" + target + "'", list.size(), Limits.EPRS_PER_ENTRY, "endpoint references");
          });
    }

    /**
     * The destination as the caller would write it: in the new directory, or else in the directory of the target.
     *
     * @param place the destination by identity, returned if the written form would exceed a limit of paths
     */
    public Target destination(Entry.Binding place) {
      Target beside =
          target.path().isRoot() ? Target.of(place.parent()) : new Target(target.start(), target.path().parent());
      try {
        return parent.orElse(beside).child(place.name());
      } catch (RnsException e) {
        return Target.of(place.parent()).child(place.name());
      }
    }

    private static final Optional<List<EndpointReference>> SAME_REFERENCES = Optional.empty();

    /** Renames the entry within its directory. */
    public static EntryChange rename(Target target, EntryName name) {
      return new EntryChange(
          target, Optional.of(name), Optional.empty(), SAME_REFERENCES, Optional.empty(), Precondition.NONE);
    }

    /** Moves the entry into a directory, under the given name. */
    public static EntryChange move(Target target, Target parent, EntryName name) {
      return new EntryChange(
          target, Optional.of(name), Optional.of(parent), SAME_REFERENCES, Optional.empty(), Precondition.NONE);
    }

    public static EntryChange references(Target target, List<EndpointReference> references) {
      return new EntryChange(
          target, Optional.empty(), Optional.empty(), Optional.of(references), Optional.empty(), Precondition.NONE);
    }

    public static EntryChange metadata(Target target, Metadata metadata) {
      return new EntryChange(
          target, Optional.empty(), Optional.empty(), SAME_REFERENCES, Optional.of(metadata), Precondition.NONE);
    }

    /** Returns a copy with another precondition. */
    public EntryChange with(Precondition required) {
      return new EntryChange(target, name, parent, references, metadata, required);
    }
  }
}
