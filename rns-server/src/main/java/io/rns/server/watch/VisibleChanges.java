package io.rns.server.watch;

import io.rns.api.Caller;
import io.rns.api.Change;
import io.rns.api.Right;
import io.rns.api.RnsPath;
import io.rns.error.RnsException;
import io.rns.permission.AccessReader;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a watcher may see of changes, by the rules of now: entries whose names it may list or read. For one thread.
 *
 * <p>A change in a directory that has been removed since is one in the closest directory above it that still exists,
 * which is only shown to a watcher who has every right there: the removed directory may have been closed to others.
 */
final class VisibleChanges {
  private final @Nullable AccessReader access;
  private final Caller caller;
  /** By directory, or by path where limits of the credential count, as long as a batch of changes is looked at. */
  private final Map<RnsPath, Boolean> known = new HashMap<>();

  /**
   * What a caller may see.
   *
   * @param access null where everybody sees everything
   */
  VisibleChanges(@Nullable AccessReader access, Caller caller) {
    this.access = access;
    this.caller = caller;
  }

  /** Rules may have changed since. */
  void again() {
    known.clear();
  }

  /**
   * A change as the watcher may see it; empty if it may not. A move from or to where it sees nothing is the end of the
   * entry, or its beginning.
   *
   * @throws RnsException if that cannot be known now
   */
  Optional<Change> of(Change change) {
    boolean now = is(change.path());
    if (change.oldPath().isEmpty()) {
      return now ? Optional.of(change) : Optional.empty();
    }
    boolean before = is(change.oldPath().get());
    if (now == before) {
      return now ? Optional.of(change) : Optional.empty();
    }
    return Optional.of(
        new Change(
            change.position(), change.time(), now ? Change.Kind.ADDED : Change.Kind.REMOVED, change.entry(),
            now ? change.path() : change.oldPath().get(), Optional.empty()));
  }

  /** Whether the watcher may see that there is, or was, an entry at a path. */
  boolean is(RnsPath path) {
    if (access == null || access.control().of(caller).areAll()) {
      return true;
    }
    RnsPath directory = path.isRoot() ? path : path.parent();
    return known.computeIfAbsent(
        caller.limits().isEmpty() ? directory : path, at -> seesNames(access, path, directory));
  }

  private boolean seesNames(AccessReader reader, RnsPath path, RnsPath directory) {
    if (reader.read(directory).directories().size() <= directory.depth()) {
      return reader.has(caller, Right.ADMIN, path);
    }
    return reader.has(caller, Right.READ, path) || reader.has(caller, Right.LIST, path);
  }
}
