package io.rns.server.watch;

import io.rns.api.Caller;
import io.rns.api.Change;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.Right;
import io.rns.api.RnsPath;
import io.rns.client.PathAccess;
import io.rns.client.PathAccess.PathDirectory;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.permission.AccessReader;
import io.rns.replication.partition.Partition;
import io.rns.server.store.PlacedChange;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a watcher may see of changes, by the rules of now: entries whose names it may list or read. For one thread.
 *
 * <p>The directory in which a change was made is found by its identity, wherever it lies now. Another one may have its
 * former path: that one's rules say nothing of the change. A change in a directory that is gone is shown to callers
 * with the right {@code admin} in the root only, since the directory may have been closed to everybody else.
 *
 * <p>Costs a query for each directory of a batch of changes, and for one that was moved since a second one, unless the
 * caller may do everything.
 */
final class VisibleChanges {
  /** How often a directory is looked for that moves meanwhile. */
  private static final int ATTEMPTS = 3;

  private final @Nullable AccessReader access;
  private final Caller caller;
  private final Caller unlimited;
  private final Function<EntryId, Optional<RnsPath>> places;
  /** As long as a batch of changes is looked at. */
  private final Map<Place, Boolean> known = new HashMap<>();

  /**
   * What decides whether a name is seen.
   *
   * @param path that the directory had; where limits of the credential count, of the entry in it
   */
  private record Place(EntryId directory, RnsPath path) {}

  /**
   * What a caller may see.
   *
   * @param access null where everybody sees everything
   * @param places where directories of this server's tree lie now, in the words of callers; empty for others
   */
  VisibleChanges(
      @Nullable AccessReader access, Caller caller, Function<EntryId, Optional<RnsPath>> places) {
    this.access = access;
    this.caller = caller;
    this.unlimited = new Caller(caller.name(), caller.groups());
    this.places = places;
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
  Optional<Change> of(PlacedChange placed) {
    Change change = placed.change();
    boolean now = sees(placed.directory(), change.path());
    if (change.oldPath().isEmpty()) {
      return now ? Optional.of(change) : Optional.empty();
    }
    RnsPath oldPath = change.oldPath().get();
    boolean before = sees(placed.oldDirectory().orElseThrow(), oldPath);
    if (now == before) {
      return now ? Optional.of(change) : Optional.empty();
    }
    return Optional.of((now ? placed.added(change.path()) : placed.removed(oldPath)).change());
  }

  /**
   * Whether the watcher may see the name of a directory whose content another server group owns; empty if another
   * directory has its path.
   *
   * @throws RnsException if that cannot be known now
   */
  Optional<Boolean> of(Partition cut) {
    if (access == null || access.control().of(caller).areAll()) {
      return Optional.of(true);
    }
    PathAccess there = access.read(cut.path());
    List<PathDirectory> directories = there.directories();
    return leadsTo(there, cut.root())
        ? Optional.of(access.seesName(caller, directories.subList(0, directories.size() - 1), cut.path()))
        : Optional.empty();
  }

  private boolean sees(EntryId directory, RnsPath path) {
    if (access == null || access.control().of(caller).areAll()) {
      return true;
    }
    Place place = new Place(directory, caller.limits().isEmpty() ? above(path) : path);
    // No computeIfAbsent: what is not known now is thrown.
    Boolean before = known.get(place);
    if (before == null) {
      before = seesName(access, directory, path);
      known.put(place, before);
    }
    return before;
  }

  private static RnsPath above(RnsPath path) {
    return path.isRoot() ? path : path.parent();
  }

  private boolean seesName(AccessReader reader, EntryId directory, RnsPath path) {
    PathAccess there = reader.read(above(path));
    if (leadsTo(there, directory)) {
      return reader.seesName(caller, there.directories(), path);
    }
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      Optional<RnsPath> place = places.apply(directory);
      if (place.isEmpty()) {
        return reader.has(caller, Right.ADMIN, RnsPath.ROOT);
      }
      PathAccess now = reader.read(place.get());
      if (leadsTo(now, directory)) {
        RnsPath entry = RnsPath.childOrNull(place.get(), path.name());
        return entry != null && reader.seesName(caller, now.directories(), entry) && isWithinLimits(path)
            && seesWay(reader, there, place.get());
      }
    }
    throw new RnsException(
        RnsError.UNAVAILABLE,
        "directory [" + directory + "], in which '" + path + "' changed, is being moved; retry");
  }

  private static boolean leadsTo(PathAccess read, EntryId directory) {
    return read.directories().size() == read.path().depth() + 1 && read.last().directory().equals(directory);
  }

  /** Whether the credential is good for a path that is no longer that of the entry: the event shows it. */
  private boolean isWithinLimits(RnsPath path) {
    return caller.isWithinLimits(Right.READ, path) || caller.isWithinLimits(Right.LIST, path);
  }

  /**
   * Whether the caller may see the names on the way to a directory's former place, as far as there still are
   * directories: it may have come out of a closed one. The names that are on the way to its present place, too, are
   * seen by whoever may read it there.
   *
   * @param former the way as it is now
   */
  private boolean seesWay(AccessReader reader, PathAccess former, RnsPath now) {
    List<EntryName> names = former.path().names();
    List<EntryName> others = now.names();
    int same = 0;
    while (same < Math.min(names.size(), others.size())
        && names.get(names.size() - 1 - same).equals(others.get(others.size() - 1 - same))) {
      same++;
    }
    List<PathDirectory> directories = former.directories();
    int last = Math.min(names.size() - same, directories.size());
    for (int depth = 1; depth <= last; depth++) {
      if (!reader.seesName(unlimited, directories.subList(0, depth), former.path().prefix(depth))) {
        return false;
      }
    }
    return true;
  }
}
