package io.rns.server.store;

import io.rns.api.Change;
import io.rns.api.EntryId;
import io.rns.api.Position;
import io.rns.api.RnsPath;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One change as the log keeps it.
 *
 * @param position its own
 * @param time of its transaction, in microseconds
 * @param kind what happened
 * @param entryId the entry it happened to
 * @param place where the entry is; of a removed one, where it was
 * @param oldPlace where a moved entry was
 * @param movesContent whether the content of the directory comes from another server group or goes to one, so that
 *        nothing holds that is known of it
 */
public record LoggedChange(
    Position position, Instant time, Change.Kind kind, long entryId, Place place, @Nullable Place oldPlace,
    boolean movesContent) {
  /** A change that moves no content between groups. */
  public LoggedChange(
      Position position, Instant time, Change.Kind kind, long entryId, Place place, @Nullable Place oldPlace) {
    this(position, time, kind, entryId, place, oldPlace, false);
  }

  /**
   * Where an entry is at the time of a change.
   *
   * @param key its key
   * @param directory the path of its directory, null if that is beyond the limits of paths: a directory that was moved
   *        takes along what is below it, however deep
   */
  public record Place(EntryKey key, @Nullable RnsPath directory) {
    private @Nullable RnsPath path() {
      if (key.name() == null) {
        return RnsPath.ROOT;
      }
      return directory == null ? null : RnsPath.childOrNull(directory, key.name());
    }

    /** The identity of the directory; of the root's own place, the root. */
    public EntryId parent() {
      return key.name() == null ? EntryId.ROOT : new EntryId(key.parent());
    }
  }

  /** The change as reported; empty if the entry has no path and so cannot be watched. */
  public Optional<PlacedChange> told() {
    RnsPath path = place.path();
    RnsPath oldPath = oldPlace == null ? null : oldPlace.path();
    if (path == null) {
      // One that moved deeper than a path can address is gone for watchers.
      return oldPlace == null || oldPath == null
          ? Optional.empty()
          : Optional.of(new PlacedChange(change(Change.Kind.REMOVED, oldPath, null), oldPlace.parent()));
    }
    if (oldPlace == null || oldPath == null) {
      Change.Kind alone = kind == Change.Kind.MOVED ? Change.Kind.ADDED : kind;
      return Optional.of(new PlacedChange(change(alone, path, null), place.parent()));
    }
    return Optional.of(
        new PlacedChange(change(kind, path, oldPath), place.parent(), Optional.of(oldPlace.parent())));
  }

  private Change change(Change.Kind reported, RnsPath path, @Nullable RnsPath oldPath) {
    return new Change(position, time, reported, new EntryId(entryId), path, Optional.ofNullable(oldPath));
  }
}
