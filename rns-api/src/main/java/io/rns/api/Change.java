package io.rns.api;

import java.time.Instant;
import java.util.Optional;

/**
 * One committed change of the tree, as watchers receive it.
 *
 * @param position the position of the change in the change log
 * @param time the commit time; changes of one transaction share it
 * @param kind what happened
 * @param entry the changed entry
 * @param path the path after the change; for a removed entry, its last path
 * @param oldPath the previous path of a moved entry; empty for all other kinds
 */
public record Change(
    Position position, Instant time, Kind kind, EntryId entry, RnsPath path, Optional<RnsPath> oldPath) {

  /** What happened to an entry. */
  public enum Kind {
    /** The entry was created. */
    ADDED,
    /** References or metadata were replaced. */
    CHANGED,
    /** The entry has a new name or parent, and possibly new content; the subtree of a directory moves with it. */
    MOVED,
    /** The entry was removed together with its subtree. */
    REMOVED
  }

  /**
   * Whether the change affects watchers of a path: it happened at or below the path, or moved or removed an ancestor.
   */
  public boolean concerns(RnsPath watched) {
    return concerns(watched, path) || (oldPath.isPresent() && concerns(watched, oldPath.get()));
  }

  private boolean concerns(RnsPath watched, RnsPath changed) {
    boolean takesAlong = kind == Kind.MOVED || kind == Kind.REMOVED;
    return watched.contains(changed) || (takesAlong && changed.contains(watched));
  }
}
