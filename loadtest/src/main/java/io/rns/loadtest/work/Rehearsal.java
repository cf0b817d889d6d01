package io.rns.loadtest.work;

import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Goes through calls as a replay will make them, and finds those that it could not: a replay makes only what its calls
 * look up, change or remove, and knows nothing of what was there besides. For one thread.
 */
final class Rehearsal {
  private static final String ROOT = "/";

  /** What a replay has at a path. */
  private enum What {
    /** A junction that a call has added. */
    JUNCTION,
    /** A directory. */
    DIRECTORY,
    /** Something that is made first; a directory if calls use it as one as long as it is there. */
    SEEN,
    /** The same, moved: nobody knows any more. */
    MOVED
  }

  /** What is a directory at any time. */
  private final Set<String> directories = new HashSet<>(Set.of(ROOT));
  /** What is there now, with all directories above. */
  private final NavigableMap<String, What> there = new TreeMap<>(Map.of(ROOT, What.DIRECTORY));
  /**
   * What came or went on the way: nothing at or below it can be there from the beginning without having been seen
   * before.
   */
  private final Set<String> changed = new HashSet<>();

  /** Prepares for all calls of the replay. */
  Rehearsal(Iterable<Call> calls) {
    for (Call call : calls) {
      boolean itself = call.kind() == Kind.LIST || call.kind() == Kind.WATCH || call.kind() == Kind.MKDIR;
      directory(itself ? call.path() : Call.directoryOf(call.path()));
      if (!call.to().isEmpty()) {
        directory(Call.directoryOf(call.to()));
      }
    }
  }

  private void directory(String directory) {
    for (String path = directory; directories.add(path); path = Call.directoryOf(path)) {
      // The root ends it: it is one from the beginning.
    }
  }

  /** The next call as a replay can make it, in the order of time; empty if it cannot. */
  Optional<Call> next(Call call) {
    String path = call.path();
    boolean can =
        switch (call.kind()) {
          case QUERY -> canBeThere(path) && see(path);
          case LIST, WATCH -> canBeDirectory(path) && use(path);
          case ADD -> canMake(path) && make(path, What.JUNCTION);
          case MKDIR -> canMake(path) && make(path, What.DIRECTORY);
          case UPDATE -> canBeJunction(path) && see(path);
          case MOVE -> canMove(path, call.to()) && move(path, call.to());
          case REMOVE -> isAlone(path) && canBeThere(path) && remove(path);
        };
    if (!can && call.kind() == Kind.ADD && there.containsKey(path) && canBeJunction(path)) {
      // It replaced what was there; a replay must find the name free.
      return Optional.of(Call.of(Kind.UPDATE, path));
    }
    return can ? Optional.of(call) : Optional.empty();
  }

  /** Whether a replay finds it, if only because it makes it first. */
  private boolean canBeThere(String path) {
    if (!there.containsKey(path)) {
      for (String above = path; !above.equals(ROOT); above = Call.directoryOf(above)) {
        if (changed.contains(above)) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean canBeDirectory(String path) {
    What what = there.getOrDefault(path, What.SEEN);
    return (what == What.SEEN || what == What.DIRECTORY) && canBeThere(path);
  }

  private boolean canBeJunction(String path) {
    What what = there.getOrDefault(path, What.SEEN);
    return (what == What.JUNCTION || (what == What.SEEN && !directories.contains(path))) && canBeThere(path);
  }

  private boolean canMake(String path) {
    return !there.containsKey(path) && canBeDirectory(Call.directoryOf(path));
  }

  /** A directory is moved only without entries: nobody knows which others it had. */
  private boolean canMove(String from, String to) {
    boolean apart = !to.isEmpty() && !(to + "/").startsWith(from + "/") && !from.startsWith(to + "/");
    return apart && isAlone(from) && canBeThere(from) && !changed.contains(to) && canMake(to);
  }

  /** Whether nothing is below it; never of the root. */
  private boolean isAlone(String path) {
    // The character behind the slash ends the range.
    return !path.equals(ROOT) && there.subMap(path + "/", path + "0").isEmpty();
  }

  private boolean see(String path) {
    if (there.putIfAbsent(path, What.SEEN) == null) {
      use(Call.directoryOf(path));
    }
    return true;
  }

  /** Sees it as a directory. */
  private boolean use(String path) {
    if (there.put(path, What.DIRECTORY) == null) {
      use(Call.directoryOf(path));
    }
    return true;
  }

  private boolean make(String path, What what) {
    use(Call.directoryOf(path));
    changed.add(path);
    there.put(path, what);
    return true;
  }

  private boolean move(String from, String to) {
    see(from);
    What what = there.getOrDefault(from, What.SEEN);
    remove(from);
    return make(to, what == What.SEEN ? What.MOVED : what);
  }

  private boolean remove(String path) {
    see(path);
    there.remove(path);
    changed.add(path);
    return true;
  }
}
