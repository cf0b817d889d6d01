package io.rns.api;

import java.time.Instant;
import java.util.Optional;

/**
 * One committed change of the tree, as those are told who watch it.
 *
 * @param position the change's own place in the order of all changes
 * @param time of the transaction that made it; changes of one transaction share it
 * @param kind what happened
 * @param entry the entry it happened to
 * @param path where the entry is after the change; of a removed one, where it was
 * @param oldPath where a moved entry was; empty for all other kinds
 */
public record Change(
    Position position, Instant time, Kind kind, EntryId entry, RnsPath path, Optional<RnsPath> oldPath) {

  /** What happened to an entry. */
  public enum Kind {
    /** It was made. */
    ADDED,
    /** Its references or metadata were replaced. */
    CHANGED,
    /** It got another name or directory, perhaps other content too; what is below a directory moves with it. */
    MOVED,
    /** It was taken out of the tree, with all below it. */
    REMOVED
  }

  /**
   * Whether the change matters to those who watch a path: it happened there or below, or it moved or removed a
   * directory above, and all of it with that.
   */
  public boolean concerns(RnsPath watched) {
    return concerns(watched, path) || (oldPath.isPresent() && concerns(watched, oldPath.get()));
  }

  private boolean concerns(RnsPath watched, RnsPath changed) {
    boolean takesAlong = kind == Kind.MOVED || kind == Kind.REMOVED;
    return watched.contains(changed) || (takesAlong && changed.contains(watched));
  }
}
