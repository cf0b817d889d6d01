package io.rns.api;

import io.rns.error.RnsError;
import io.rns.error.RnsException;

/** Why the namespace refuses one item of a request. */
public sealed interface Refusal {
  /** The item's path, as the request gave it. */
  Target target();

  /** The code. */
  RnsError error();

  /** A sentence with the facts. */
  String message();

  /** The refusal as an exception. */
  default RnsException toException() {
    return new RnsException(error(), message());
  }

  /**
   * A component of the path names nothing.
   *
   * @param missing how many components of the path were walked until the one that is missing, that one included; 0 if
   *        the start directory itself does not exist
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
   * @param existing the target that exists; differs from the item's path where an update would rename or move onto it
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
   * A virtual directory was needed and a junction was found.
   *
   * @param junction how many components of the path lead to the junction
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

  /** A junction was needed and a virtual directory was found. */
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
   * The directory has entries and the removal is not recursive.
   *
   * @param entries how many
   */
  record NotEmpty(Target target, long entries) implements Refusal {
    @Override
    public RnsError error() {
      return RnsError.NOT_EMPTY;
    }

    @Override
    public String message() {
      return "directory is not empty: " + target + " has " + entries + (entries == 1 ? " entry" : " entries");
    }
  }

  /**
   * The precondition does not hold.
   *
   * @param expected the version asked for
   * @param actual the version the entry has
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

  /** The root can be neither removed, renamed nor moved. */
  record RootIsFixed(Target target) implements Refusal {
    @Override
    public RnsError error() {
      return RnsError.ROOT_IS_FIXED;
    }

    @Override
    public String message() {
      return "the root can be neither removed, renamed nor moved";
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
   * @param message a sentence with the facts
   */
  record Invalid(Target target, RnsError error, String message) implements Refusal {}
}
