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
  }

  /** The change as reported; empty if the entry has no path and so cannot be watched. */
  public Optional<Change> told() {
    RnsPath path = place.path();
    RnsPath oldPath = oldPlace == null ? null : oldPlace.path();
    if (path == null && oldPath == null) {
      return Optional.empty();
    }
    if (path == null) {
      // It moved deeper than a path can address: for watchers it is gone.
      return Optional
          .of(new Change(position, time, Change.Kind.REMOVED, new EntryId(entryId), oldPath, Optional.empty()));
    }
    if (kind == Change.Kind.MOVED && oldPath == null) {
      return Optional.of(new Change(position, time, Change.Kind.ADDED, new EntryId(entryId), path, Optional.empty()));
    }
    return Optional.of(new Change(position, time, kind, new EntryId(entryId), path, Optional.ofNullable(oldPath)));
  }
}
