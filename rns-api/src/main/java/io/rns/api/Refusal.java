package io.rns.api;

import io.rns.error.RnsError;
import io.rns.error.RnsException;

/** The reason the namespace refuses one item of a request. */
public sealed interface Refusal {
  /** The path of the item as given in the request. */
  Target target();

  RnsError error();

  /** The reason in one sentence, with the facts. */
  String message();

  default RnsException toException() {
    return new RnsException(error(), message());
  }

  /**
   * A component of the path does not exist.
   *
   * @param missing the 1-based index of the missing component; 0 if the start directory itself does not exist
   */
  record NoSuchEntry(Target target, int missing) implements Refusal {
    @Override
    public RnsError error() {
      return RnsError.NO_SUCH_ENTRY;
    }

    @Override
    public String message() {
      if (missing == 0) {
        return "no such entry: " + target + " (no entry has the id " + target.start() + ")";
      }
      return missing == target.path().depth()
          ? "no such entry: " + target
          : "no such entry: " + target + " ('" + target.path().prefix(missing) + "' does not exist)";
    }
  }

  /**
   * The name is taken.
   *
   * @param existing the existing entry; differs from the path of the item if an update would rename or move onto it
   */
  record EntryExists(Target target, Target existing) implements Refusal {
    @Override
    public RnsError error() {
      return RnsError.ENTRY_EXISTS;
    }

    @Override
    public String message() {
      return "entry exists: " + existing;
    }
  }

  /**
   * A virtual directory is required and the path leads through or to a junction.
   *
   * @param junction the number of path components up to and including the junction
   */
  record NotDirectory(Target target, int junction) implements Refusal {
    @Override
    public RnsError error() {
      return RnsError.NOT_DIRECTORY;
    }

    @Override
    public String message() {
      return junction == target.path().depth()
          ? "not a directory: " + target
          : "not a directory: '" + target.path().prefix(junction) + "' of " + target + " is a junction";
    }
  }

  /** A junction is required and the entry is a virtual directory. */
  record IsDirectory(Target target) implements Refusal {
    @Override
    public RnsError error() {
      return RnsError.IS_DIRECTORY;
    }

    @Override
    public String message() {
      return "is a directory: " + target;
    }
  }

  /**
   * The directory is not empty and the removal is not recursive.
   *
   * @param entries the number of entries in the directory; 0 if the caller may not list it
   */
  record NotEmpty(Target target, long entries) implements Refusal {
    @Override
    public RnsError error() {
      return RnsError.NOT_EMPTY;
    }

    @Override
    public String message() {
      return "directory is not empty: " + target
          + (entries == 0 ? "" : " has " + entries + (entries == 1 ? " entry" : " entries"));
    }
  }

  /**
   * The precondition does not hold.
   *
   * @param expected the version in the request
   * @param actual the current version of the entry
   */
  record VersionMismatch(Target target, long expected, long actual) implements Refusal {
    @Override
    public RnsError error() {
      return RnsError.VERSION_MISMATCH;
    }

    @Override
    public String message() {
      return "version mismatch: " + target + " has version " + actual + ", not " + expected;
    }
  }

  /** A directory cannot be moved into its own subtree. */
  record MoveIntoSelf(Target target, Target parent) implements Refusal {
    @Override
    public RnsError error() {
      return RnsError.MOVE_INTO_SELF;
    }

    @Override
    public String message() {
      return "cannot move " + target + " into its own subtree " + parent;
    }
  }

  /**
   * The path leads to the content of a directory that another server group owns.
   *
   * @param depth the number of path components up to and including the directory; 0 if it is the start,
   *        {@value #MOVED_AWAY} if the start itself has moved to the server group
   * @param group the server group
   * @param directory the identity of the directory
   */
  record Delegated(Target target, int depth, int group, EntryId directory) implements Refusal {
    /** The depth of a start that is an entry of the other group. */
    public static final int MOVED_AWAY = -1;

    @Override
    public RnsError error() {
      return RnsError.DELEGATED;
    }

    @Override
    public String message() {
      String directory =
          depth <= 0 ? "the directory with id " + target.start() : "'" + target.path().prefix(depth) + "'";
      return "the content of " + directory + " belongs to server group " + group + ": " + target;
    }
  }

  /** The root cannot be removed, renamed or moved. */
  record RootIsFixed(Target target) implements Refusal {
    @Override
    public RnsError error() {
      return RnsError.ROOT_IS_FIXED;
    }

    @Override
    public String message() {
      return "the root cannot be removed, renamed or moved";
    }
  }

  /** Another item of an all-or-nothing batch was refused. */
  record NotApplied(Target target) implements Refusal {
    @Override
    public RnsError error() {
      return RnsError.NOT_APPLIED;
    }

    @Override
    public String message() {
      return "not applied: " + target + " (another item of the all-or-nothing batch was refused)";
    }
  }

  /**
   * The item breaks a rule or a limit.
   *
   * @param error a code of {@link RnsError.Kind#CALLER}
   * @param message the reason in one sentence, with the facts
   */
  record Invalid(Target target, RnsError error, String message) implements Refusal {}
}
