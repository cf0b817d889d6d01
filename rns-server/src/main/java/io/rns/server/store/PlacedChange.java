package io.rns.server.store;

import io.rns.api.Change;
import io.rns.api.EntryId;
import io.rns.api.RnsPath;
import java.util.Optional;

/**
 * A change as it is reported, with the identities of the directories in which it was made. Paths are those of that
 * time: another directory may have one of them since, so who may see the change depends on the identities.
 *
 * @param directory the directory of {@link Change#path}; of the root's own change, the root
 * @param oldDirectory the directory of {@link Change#oldPath}
 */
public record PlacedChange(Change change, EntryId directory, Optional<EntryId> oldDirectory) {
  /** A change with one path. */
  public PlacedChange(Change change, EntryId directory) {
    this(change, directory, Optional.empty());
  }

  /**
   * A move without the place that the entry came from: it is new where it is.
   *
   * @param path where that is
   */
  public PlacedChange added(RnsPath path) {
    return alone(Change.Kind.ADDED, path, directory);
  }

  /**
   * A move without the place that the entry went to: it is gone.
   *
   * @param oldPath where it was
   */
  public PlacedChange removed(RnsPath oldPath) {
    return alone(Change.Kind.REMOVED, oldPath, oldDirectory.orElseThrow());
  }

  private PlacedChange alone(Change.Kind kind, RnsPath path, EntryId in) {
    return new PlacedChange(
        new Change(change.position(), change.time(), kind, change.entry(), path, Optional.empty()), in);
  }
}
